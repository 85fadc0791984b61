#!/bin/sh
# as_c.sh FORM CC EXE SOURCE [FLAG...]: build an OpenCL kernel as a program of the machine itself.
#
#   scalar  CC is any C compiler: the kernel is turned into C
#   opencl  CC is clang, which compiles the kernel as OpenCL; only the main is C
#   checked as opencl, and what is undefined ends in a trap
#
# A kernel that cannot be one (barriers, vectors in C, a builtin that we lack) gives a program that
# says so and abstains. A crash of the compiler stays a crash.
form=$1 cc=$2 exe=$3 source=$4
shift 4
here=$(dirname "$0")
if [ "$form" = checked ]; then
    form=opencl
    set -- -O1 -fno-wrapv -fsanitize-trap=all \
        -fsanitize=integer-divide-by-zero,signed-integer-overflow,float-cast-overflow,bounds
fi

# The harness: the one of the assay that started us, or on PATH.
harness=$ASSAY_OPENCL
[ -x "$harness" ] || harness=assay-opencl

abstain() {
    printf '#!/bin/sh\necho "abstain: %s"\n' "$1" >"$exe"
    chmod 755 "$exe"
    exit 0
}

# What as-c says of a kernel that is no C is a sentence of ours, without quotes.
translate() {
    "$harness" as-c "$@" 2>messages
    status=$?
    [ $status != 3 ] || abstain "$(sed -n 's/.*not as C: //p' messages)"
    [ $status = 0 ] || { cat messages >&2; exit $status; }
}

# Run a compiler: its refusal is our limit, anything worse is a finding.
try() {
    why=$1
    shift
    "$@" 2>messages
    status=$?
    [ $status != 0 ] || return 0
    if [ $status -gt 4 ] || grep -Eq 'internal compiler error|PLEASE submit a|LLVM ERROR|[Aa]ssertion' messages; then
        cat messages >&2
        exit $status
    fi
    abstain "$why"
}

# The builtins take seconds to compile: once for each compiler, and kept in the user's cache.
builtins() {
    cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/assay
    key=$(stat -L -c '%n %Y %s' "$(command -v "$cc")" "$here/builtins.cl" | cksum | tr ' ' -)
    object=$cache/builtins-$key.o
    [ ! -f "$object" ] || return 0
    # shellcheck disable=SC2086
    try "the builtins do not compile" "$cc" $cl -O1 -c -o builtins.o "$here/builtins.cl"
    mkdir -p "$cache" 2>/dev/null && cp builtins.o "$object.$$" 2>/dev/null &&
        mv "$object.$$" "$object" 2>/dev/null || object=builtins.o
}

case $form in
scalar)
    translate "$source" -o program.c
    # C takes more than OpenCL does: where there is a clang, it says whether this is OpenCL.
    for clang in clang clang-19 clang-16 clang-15 clang-14; do
        command -v $clang >/dev/null || continue
        $clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only -w "$source" 2>messages ||
            abstain "clang does not take it for OpenCL"
        break
    done
    try "the C compiler does not take it" "$cc" "$@" -std=gnu17 -w -fsigned-char -fwrapv -fno-strict-aliasing \
        -fgnu89-inline -ffp-contract=off -Werror=implicit-function-declaration -Werror=int-conversion \
        -I "$here" -o "$exe" program.c -lm
    ;;
opencl)
    translate --main "$source" -o main.c
    cl="-x cl -cl-std=CL1.2 -Xclang -finclude-default-header -w -fwrapv -fno-strict-aliasing -fgnu89-inline -ffp-contract=off"
    # shellcheck disable=SC2086
    "$cc" $cl "$@" -c -o kernel.o "$source" || exit $?
    try "the main is no C" "$cc" -O1 -w -I "$here" -c -o main.o main.c
    if ! "$cc" -o "$exe" kernel.o main.o -lm 2>/dev/null; then
        builtins
        try "a builtin is missing" "$cc" -o "$exe" kernel.o main.o "$object" -lm
    fi
    ;;
esac
