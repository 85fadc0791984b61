#!/bin/sh
# Every C file is as clang-format leaves it, but those that are input of a test.
# Arguments: tests folder, source root.
. "$1/tap.sh"
cd "$2" || exit 1
# Each version formats a few places in its own way: ours is that of Debian 12.
case $(clang-format --version 2>/dev/null) in
*'version 14.'*) ;;
*)
    skip "format" "no clang-format 14"
    tap_done
    ;;
esac
find src include specs bench tests \( -name '*.c' -o -name '*.h' \) ! -path 'tests/interp/real/*' ! -path 'tests/known/*' ! -path '*/broken/*' >"${TMPDIR:-/tmp}/format.$$"
said=$(xargs clang-format --dry-run -Werror <"${TMPDIR:-/tmp}/format.$$" 2>&1 | grep 'error:')
[ "$(wc -l <"${TMPDIR:-/tmp}/format.$$")" -gt 300 ]
ok $? "C files are found"
rm "${TMPDIR:-/tmp}/format.$$"
is "$said" "" "all of them are formatted: clang-format -i FILE mends it"
tap_done
