# A script check by check; on top of script.awk.
#
# Commands are handled one after the other. What a check depends on, the declarations, definitions and assertions in force, is
# a stack item[1..n] of their texts, which (pop) cuts. A program that is built on this defines
#   keep(i)          the text that the command at token i leaves on the stack; "" for none
#   check(count, i)  called for the count-th (check-sat...); i is the token of a check-sat-assuming's literals, or 0

function add(text) {
    if (text != "")
        item[++n] = text
}

# The literals of a check-sat-assuming as assertions.
function assumptions(i,    text) {
    text = ""
    if (i)
        for (i++; T[i] != ")"; i = behind(i))
            text = text "(assert " expression(i) ")\n"
    return text
}

END {
    for (i = 1; i <= nt; i = behind(i)) {
        name = T[i + 1]
        if (name == "set-logic")
            logic = T[i + 2]
        else if (name == "push")
            for (k = T[i + 2]; k > 0; k--)
                mark[++level] = n
        else if (name == "pop")
            for (k = T[i + 2]; k > 0; k--)
                n = mark[level--]
        else if (name == "check-sat")
            check(++checks, 0)
        else if (name == "check-sat-assuming")
            check(++checks, i + 2)
        else if (name == "exit")
            break
        else
            add(keep(i))
    }
}
