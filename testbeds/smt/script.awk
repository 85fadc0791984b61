# Reading SMT-LIB: scripts, and what solvers answer. For the programs beside this one.
#
# The text becomes tokens T[1..nt]; past[i] is the token behind the expression that the parenthesis i opens.
# No strings and no |quoted symbols|: our scripts and solvers' models of them have none.

{
    sub(/;.*/, "")
    gsub(/[()]/, " & ")
    words = split($0, word, " ")
    for (w = 1; w <= words; w++) {
        T[++nt] = word[w]
        if (word[w] == "(")
            open[++depth] = nt
        else if (word[w] == ")")
            past[open[depth--]] = nt + 1
    }
}

END {
    if (depth) {
        print "parentheses do not match"
        exit 1
    }
}

# The token behind the expression that begins at token i.
function behind(i) {
    return T[i] == "(" ? past[i] : i + 1
}

# Tokens from i up to, not including, j.
function words_between(i, j,    text) {
    text = ""
    for (; i < j; i++)
        text = text (text == "" || text ~ /\($/ || T[i] == ")" ? "" : " ") T[i]
    return text
}

function expression(i) {
    return words_between(i, behind(i))
}
