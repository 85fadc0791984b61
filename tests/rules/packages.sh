#!/bin/sh
# Package, container and CI files agree with what they package: the libraries that it takes to build,
# the instructions that scripts/package can try, the words of the commands. Arguments: tests folder,
# source root.
. "$1/tap.sh"
cd "$2" || exit 3
build=$(sed -n '/^build="$/,/^"$/p' scripts/deps | grep -v '"' | tr -s ' ' '\n' | grep . | sort)
has "$build" "meson" "scripts/deps has packages for the build"
# build-essential is there for a package without being said
control=$(sed -n '/^Build-Depends:/,/^Standards/p' debian/control | sed 's/^Build-Depends: //; /^Standards/d; s/,//; s/^ *//' |
    grep -v '^debhelper-compat')
is "$(printf 'gcc\nlibc6-dev\n%s\n' "$control" | sort)" "$build" "debian/control builds with the same"
container=$(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' Containerfile |
    sed -n 's/^RUN.*--no-install-recommends *\(gcc .*meson.*\)$/\1/p' | tr -s ' ' '\n' | sort)
is "$container" "$build" "  and so does the Containerfile"

unknown=$(sed -n 's/^\([A-Z]*\) .*/\1/p' Containerfile | sort -u | while read -r word; do
    grep -q "^        $word)" scripts/package || echo "$word"
done)
is "$unknown" "" "scripts/package can try every step of the Containerfile"
is "$(grep -c '^ENTRYPOINT \["assay"\]$' Containerfile)" 1 "  which begins assay"
lacks "$(grep -v '^#' Containerfile)" "://" "  and downloads nothing by itself"
for file in .containerignore debian/source/format debian/rules debian/tests/smoke; do
    [ -s "$file" ]
    ok $? "$file"
done
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
has "$(head -n 1 debian/changelog)" "assay ($version" "the version of the package is that of assay"
has "$(cat CHANGELOG.md)" "## $version" "  which the changelog has"
for script in $(sed -n 's/^Tests: //p' debian/tests/control); do
    [ -x "debian/tests/$script" ] && sh -n "debian/tests/$script"
    ok $? "debian/tests/$script"
done
for script in scripts/deps scripts/package scripts/fresh-root scripts/fresh-machine scripts/newest-compilers scripts/in-root; do
    sh -n "$script"
    ok $? "$script"
done
out=$(scripts/deps --help); is $? 0 "scripts/deps: help"
has "$out" "scripts/deps [--build]     --build: only the packages needed" "  is its first comment"
out=$(scripts/deps --buidl 2>&1); is $? 2 "scripts/deps: a wrong option"
is "$out" "assay: scripts/deps has no option --buidl: --help lists them" "  is told, and nothing is done"
scripts/package --contaner 2>/dev/null; is $? 2 "scripts/package: a wrong word"
scripts/fresh-root make 2>/dev/null; is $? 2 "scripts/fresh-root: no folder"
scripts/newest-compilers --oldest x 2>/dev/null; is $? 2 "scripts/newest-compilers: a wrong option"
tap_done
