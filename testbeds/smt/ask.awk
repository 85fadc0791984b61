# A script that also prints models: with `answers`, the solver's answers to the script without them, a (get-model) stands
# behind each check that was answered with sat. Definitions are expanded: Z3 4.8 fails to print a model where one function is
# defined by another.

function apply(name, i) {
    return ""
}

BEGIN {
    split(answers, answer, " ")
    print "(set-option :produce-models true)"
}

END {
    for (i = 1; i <= nt; i = behind(i)) {
        command = T[i + 1]
        if (command ~ /^de/)
            forget(T[i + 2])
        if (command == "define-fun")
            print define(i)
        else if (command == "assert")
            print "(assert " term(i + 2) ")"
        else
            print expression(i)
        if (command ~ /^check-sat/ && answer[++asked] == "sat")
            print "(get-model)"
    }
}
