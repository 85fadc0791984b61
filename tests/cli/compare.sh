#!/bin/sh
# Experiments from end to end, with generators and compilers made here, of which is known what they
# find: the first side two bugs, the second side one. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder
ulimit -c 0

# A language of lines, which no reducer from outside knows.
cat >gen.sh <<'EOF2'
echo "made by $1"
echo "seed is $2"
echo "and no more"
EOF2
for name in one two; do
    generator $name lines "sh $tmp/gen.sh $name {seed}"
done
for name in good1 good2 badcc; do
    toolchain $name "language = lines" "compile = {cc} {src} {exe}" "run = cat {exe}" \
        "reference = $([ $name = badcc ] && echo no || echo yes)"
    printf '#!/bin/sh\nexec cp "$@"\n' >$name
    chmod +x $name
done
cat >badcc <<'EOF2'
#!/bin/sh
while read -r first second third; do
    [ "$first $second" = "made by" ] && by=$third
    [ "$first $second" = "seed is" ] && seed=$third
done <"$1"
case $((${seed:-2} % 3))$by in
0*) echo "internal error: of all" >&2; exit 1 ;;
1two) echo "internal error: of two" >&2; exit 1 ;;
esac
exec cp "$@"
EOF2

# What a call does not say is as usual.
cat >usual.sh <<END
case " \$* " in *" --cpu "*) ;; *) set -- "\$@" --cpu 300ms ;; esac
case " \$* " in *" --trials "*) ;; *) set -- "\$@" --trials 2 ;; esac
case " \$* " in *" --seed "*) ;; *) set -- "\$@" --seed 1 ;; esac
exec "$assay" compare --testbed-dir mine --testbeds good1,good2,badcc -j 1 "\$@"
END
compare="sh usual.sh"

# -- wrong sides, told before anything runs
wrong() { # WHAT-IS-SAID NAME OPTIONS...
    said=$1
    name=$2
    shift 2
    out=$($compare --dir wrong "$@" 2>&1)
    is "$?" 2 "$name: exit 2"
    has "$out" "$said" "  $said"
}
wrong "compare needs two sides" "one side" --a two
wrong "--b: there is no generator 'csmit': did you mean 'csmith'?" "a generator that there is not" --a two --b csmit
wrong "--c: there is no option --got: did you mean --goto?" "a setting that there is not" --a smith --b smith --c "smith --got=0"
wrong "--b: goto: 'maybe' is not" "a value that is none" --a smith --b "smith --goto=maybe"
wrong "--b: the generator one has no option --goto" "a setting of another generator" --a two --b "one --goto=0"
wrong "--b: 'one two' is not a generator and its settings" "two generators" --a two --b "one two"
wrong "--a: a quote is not closed" "a quote" --a "two 'x" --b one
wrong "--b: smith makes programs in c, and those of --a are in lines" "two languages" --a two --b smith
wrong "--trials: at most 100" "too many trials" --a two --b one --trials 101
[ ! -e wrong ]; ok $? "nothing was begun"

# -- an experiment
$compare --a two --b one >table 2>&1; is $? 0 "an experiment: exit 0, whatever was found"
out=$(cat table)
has "$out" "trial 1 of 2, a (two): " "a line for each trial"
is "$(sed -n 's/^trial \([0-9]\) of 2, \([ab]\).*/\1\2/p' table | tr '\n' ' ')" "1a 1b 2a 2b " "trials of the sides take turns"
has "$out" "2 sides, 2 trials each of 0.3s CPU time, seeds from 1" "what was compared"
has "$out" "Bugs are told apart by signature alone" "without reduction that is said"
is "$(grep -c '^a     2 \[2, 2\] .* two$' table)" 1 "the first side has two bugs"
is "$(grep -c '^b     1 \[1, 1\] .* one$' table)" 1 "the second has one"
is "$(grep '^a over b  bugs' table)" "a over b  bugs      0.3333    1.00  large, a has more" "and how sure that is"
has "$out" "no p can be less than 0.3333" "which with two trials is not very"
has "$out" "signatures that only a found: 1
  2 of 2 trials  badcc build-crash: internal error: of two" "what only the first side found"
has "$out" "signatures that only b found: 0" "and only the second"
is "$(sql compare/a-01/assay.db 'SELECT first_seed FROM campaign') $(sql compare/b-01/assay.db 'SELECT first_seed FROM campaign')" "1 1" \
    "trials of one number have the same seeds"
[ "$(sql compare/a-02/assay.db 'SELECT first_seed FROM campaign')" -gt "$(sql compare/a-01/assay.db 'SELECT started FROM campaign')" ]
ok $? "those of another number have others"
[ "$(sql compare/b-02/assay.db 'SELECT round_cpu_us FROM campaign')" -ge 300000 ]; ok $? "the CPU time was spent"
is "$($assay bugs --dir compare/a-01 --state confirmed --json | grep -c '"signature"')" 2 "\`assay bugs\` counts the same bugs"

# -- the same once more: nothing is run again, the numbers are the same
before=$(sql compare/a-01/assay.db 'SELECT tests, elapsed_ms FROM campaign')
$compare --a two --b one --json >numbers.json 2>lines; is $? 0 "once more, as JSON"
is "$(sql compare/a-01/assay.db 'SELECT tests, elapsed_ms FROM campaign')" "$before" "trials that are over are not run again"
is "$(grep -c '^trial ' lines)" 4 "with --json the lines are elsewhere"
python3 - >checks 2>&1 <<'EOF2'
import csv, json, sqlite3, sys
from html.parser import HTMLParser

d = json.load(open("numbers.json"))
a, b = d["sides"]
pair = d["pairs"][0]
def check(good, what):
    print(("good: " if good else "bad: ") + what)
check(a["bugs"] == {"median": 2, "low": 2, "high": 2, "trials": [2, 2]}, "bugs of a")
check(b["bugs"]["trials"] == [1, 1], "bugs of b")
check(pair["x"] == "a" and pair["bugs"]["a12"] == 1 and pair["bugs"]["u"] == 4 and pair["bugs"]["exact"], "the pair")
check(abs(pair["bugs"]["p"] - 1 / 3) < 1e-9, "p")
check(a["only"] == [{"signature": "badcc build-crash: internal error: of two", "trials": 2}] and b["only"] == [], "only")
check([t["name"] for t in d["testbeds"]] == ["good1", "good2", "badcc"], "testbeds")
rows = list(csv.DictReader(open("compare/compare.csv")))
check(len(rows) == 2 * 2 * 61, "a row for each side, trial and moment")
check(list(rows[0]) == ["side", "trial", "cpu_s", "tests", "findings", "bugs"], "columns")
ends = [r for r in rows if float(r["cpu_s"]) == 0.3]
check([int(r["bugs"]) for r in ends] == [2, 2, 1, 1], "bugs at the end of each trial")
check([int(r["tests"]) for r in ends] == a["tests"]["trials"] + b["tests"]["trials"], "tests at the end")
check(all(int(x[k]) <= int(y[k]) for x, y in zip(rows, rows[1:]) if x["trial"] == y["trial"] and x["side"] == y["side"]
          for k in ("tests", "findings", "bugs")), "nothing becomes less")
check(all(int(r["tests"]) == 0 for r in rows if float(r["cpu_s"]) == 0), "and nothing is there at the beginning")
# The numbers of one trial, from its database.
db = sqlite3.connect("compare/a-02/assay.db")
within = db.execute("SELECT count(*) FROM test WHERE done_at AND done_cpu_us <= 300000").fetchone()[0]
done = db.execute("SELECT count(*) FROM test WHERE done_at").fetchone()[0]
found = db.execute("SELECT count(*) FROM finding JOIN test USING (campaign, number) WHERE done_cpu_us <= 300000").fetchone()[0]
check(a["tests"]["trials"][1] == within < done, "what ended after the CPU time was spent is not counted")
check(a["findings"]["trials"][1] == found > 0, "nor found")
half = db.execute("SELECT count(*) FROM test WHERE done_at AND done_cpu_us <= 150000").fetchone()[0]
check(a["trials"][1]["moments"][30] ["tests"] == half and a["trials"][1]["moments"][30]["cpu_s"] < 0.1501, "half-way")

class Page(HTMLParser):
    open, wrong = [], []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "link", "path", "line", "circle", "rect"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        if tag not in ("path", "line", "circle", "rect"):
            self.wrong += [] if self.open and self.open.pop() == tag else [tag]
text = open("compare/compare.html").read()
page = Page()
page.feed(text)
check(not page.wrong and not page.open, "the page is well-formed")
check(text.count('class="plot"') == 3 and text.count('class="curve1"') == 4, "with three plots of both sides")
check("internal error: of two" in text and "2 [2, 2]" in text and "good1" in text, "and what is in the table")
check("http" not in text.replace("http-equiv", ""), "that loads nothing")
EOF2
is $? 0 "JSON, CSV and page can be read"
is "$(grep -c '^good: ' checks)" 19 "  and are looked at"
is "$(grep -v '^good: ' checks)" "" "  and have the right numbers"

# -- other settings in the same folder
other() { # WHAT-IS-SAID OPTIONS...
    said=$1
    shift
    out=$($compare "$@" 2>&1)
    is "$?" 2 "other settings: exit 2"
    has "$out" "$said" "  $said"
}
other "--trials was '2' when the experiment was started, and is '3' now" --a two --b one --trials 3
other "--cpu was '0.3s' when the experiment was started, and is '1s' now" --a two --b one --cpu 1s
other "--b was 'one' when the experiment was started, and is 'two' now" --a two --b two
other "the experiment was started without --c, which is 'one' now" --a two --b one --c one
other "--seed was '1' when the experiment was started, and is '2' now" --a two --b one --seed 2
echo "# another build" >>good2
other "testbed good2 was '" --a two --b one
sed -i '$d' good2
touch -d '2020-01-01' good2

# -- kill -9 in the second trial that runs, and the same command again
$compare --a two --b one --dir killed >killed.out 2>&1 &
pid=$!
await $pid test -e killed/b-01/assay.db
kill -9 $pid
wait $pid 2>/dev/null
is "$(cut -d: -f1 killed.out)" "trial 1 of 2, a (two)" "killed in trial 1 of the second side"
before=$(sql killed/a-01/assay.db 'SELECT tests, elapsed_ms FROM campaign')
$compare --a two --b one --dir killed >killed.out 2>&1; is $? 0 "the same command resumes"
is "$(sql killed/a-01/assay.db 'SELECT tests, elapsed_ms FROM campaign')" "$before" "the trial that was over is left alone"
is "$(sed -n 's/^trial \([0-9]\) of 2, \([ab]\).*/\1\2/p' killed.out | tr '\n' ' ')" "1a 1b 2a 2b " "all trials are told"
is "$(sql killed/b-01/assay.db 'SELECT count(*) = max(number) + 1, count(*) = started FROM campaign JOIN test')" "1|1" "no seed twice, none skipped"
is "$(grep '^a over b  bugs' killed.out)" "$(grep '^a over b  bugs' table)" "and the result is the same"

# -- asked to stop
$compare --a two --b one --dir stopped --cpu 1h >stopped.out 2>&1 &
pid=$!
await $pid test -e stopped/a-01/assay.lock
kill -TERM $pid
wait $pid
is $? 3 "stopped: exit 3, for it is not done"
has "$(cat stopped.out)" "stopped in trial 1 of 2, a: the same command resumes" "  and what to do"

# -- reduction: after the tests, for which nothing is charged
$compare --a two --b one --dir reduced --trials 1 --reduce >reduced.out 2>&1; is $? 0 "--reduce"
has "$(cat reduced.out)" "Findings were reduced" "that is said"
is "$(sql reduced/a-01/assay.db "SELECT DISTINCT state FROM reduction")" "done" "findings are reduced"
is "$(sed -n 's/.* worker 0: finding [0-9]*, \(seed\|reduction\) .*/\1/p' reduced/a-01/assay.log | uniq | tr '\n' ' ')" "seed reduction " \
    "after all tests"
is "$(sql reduced/a-01/assay.db "SELECT round_cpu_us - max(done_cpu_us) < 200000 FROM campaign, test")" 1 "and the CPU time of that is not charged"
tap_done
