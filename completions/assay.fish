# fish completion for assay, made by scripts/completions. Options come from `assay COMMAND --help` and,
# for what a generator adds, from `assay gen GENERATOR --options`, so that they are never stale.
function __assay_generators
    assay gen --list 2>/dev/null | awk '{ print $1 }'
end
function __assay_languages
    __assay_generators | sed -n 's/^lala://p'
end
function __assay_testbeds
    assay testbeds --json 2>/dev/null | sed -n 's/.*"toolchain": "\([^"]*\)".*/\1/p' | sort -u
end
function __assay_options # COMMAND [ACTION]: lines --name, a tab, help
    assay $argv --help 2>/dev/null |
        sed -n 's/^  \(-., \|    \)\(--[a-z-]*\)\( [A-Z][^ ]*\)\{0,1\}  *\(.*\)/\2\t\4/p'
end
function __assay_generator_options
    set -l words (commandline -opc)
    set -l generator
    test "$words[2]" = gen; and set generator $words[3]
    for i in (seq 3 (count $words))
        switch $words[$i]
            case --generator -g
                set generator $words[(math $i + 1)]
            case '--generator=*'
                set generator (string replace -- --generator= '' $words[$i])
        end
    end
    string match -qr -- '^[^-]' "$generator"; or return
    assay gen $generator --options --json 2>/dev/null | awk -F '"' '
        $2 == "name" { name = $4; print "--" name }
        $2 == "section" { section = $4 }
        $2 == "takes_value" && /false/ && section && name !~ /^no-/ { print "--no-" name }'
end
function __assay_complete
    set -l words (commandline -opc)
    set -l n (count $words)
    set -l command $words[2]
    set -l action $words[3]
    if test $n -eq 1
        printf '%s\t%s\n' \
            run 'generate programs, run them on every compiler, record wrong results' \
            gen 'print one generated program' \
            check 'run your own programs once on every compiler' \
            testbeds 'list the compilers found on this machine' \
            bugs 'list the bugs found, mark known ones' \
            show 'show one finding with all its evidence' \
            replay 'regenerate the program of a finding and run it again' \
            reduce 'reduce the program of a finding, and find what is to blame' \
            report 'write reports: web page, bug reports, files for CI' \
            compare 'an experiment: which generator finds more in the same CPU time' \
            lala 'check, explain and build a language specification' \
            spe 'the skeleton of a C file, and all its variants' \
            lm 'train a model on real programs, and sample new ones' \
            store 'copy campaigns to and from a PostgreSQL server' \
            graft 'collect real functions for the generator graft' \
            help 'tell what a command does' --help '' --version ''
        return
    end
    switch "$command $words[-1]"
        case '* --generator' '* -g'
            __assay_generators
            return
        case '* --testbeds' '* --testbed' '* -t'
            __assay_testbeds
            return
        case 'run --flags'
            string split ' ' 'default random'
            return
        case '* --flags'
            __assay_testbeds
            return
        case '* --kind' '* -k'
            string split ' ' 'build-crash build-hang build-fail run-crash run-hang wrong-output wrong-volatile slow-compile memory-blowup disagreement missed false-alarm misplaced suspect'
            return
        case '* --state'
            string split ' ' 'new confirmed flaky'
            return
        case 'gen --tree'
            string split ' ' 'text json'
            return
        case '* --policy'
            string split ' ' 'all paper features contexts'; __assay_generator_options | string replace -f -- --policy. ''
            return
        case 'spe --mode' 'spe -m'
            string split ' ' 'naive compact sound pattern paper'
            return
        case '* --mode' '* -m'
            string split ' ' 'naive compact sound pattern'
            return
        case '* --over'
            string split ' ' 'skip sample'
            return
        case '* --filter'
            string split ' ' 'all interp none'
            return
        case '* --method'
            string split ' ' 'c lala choices cvise text'
            return
        case 'lm --device'
            string split ' ' 'cpu cuda'
            return
        case 'lm --corpus'
            __fish_complete_path (commandline -ct)
            return
        case '* --dir' '* -d' '* --testbed-dir' '* --corpus' '* --suite' '* --bugs'
            __fish_complete_directories (commandline -ct)
            return
        case '* --weights' '* --config' '* --test' '* --html' '* --junit' '* --sarif'
            __fish_complete_path (commandline -ct)
            return
    end
    if string match -q -- '-*' (commandline -ct)
        test "$command" = lm; or set action
        __assay_options $command $action
        contains -- "$command" gen run; and __assay_generator_options
        return
    end
    if test $n -eq 2
        switch "$command"
            case gen
                __assay_generators
                return
            case bugs
                string split ' ' 'mark recheck export'
                return
            case lala
                string split ' ' 'check explain build'
                return
            case spe
                string split ' ' 'show count list sample emit judge coverage tables vectors'
                return
            case lm
                string split ' ' 'corpus train sample'
                return
            case graft
                string split ' ' 'harvest list show'
                return
            case help
                string split ' ' 'run gen check testbeds bugs show replay reduce report compare lala spe lm store graft'
                return
        end
    end
    switch "$command $action"
        case 'bugs mark'
            test $n -eq 4; and string split ' ' 'known fixed wontfix open'
            return
        case 'bugs *'
            return
        case 'lala *'
            __assay_languages
    end
    __fish_complete_path (commandline -ct)
end
complete -c assay -f -a '(__assay_complete)'
