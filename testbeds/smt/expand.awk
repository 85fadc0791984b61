# Scripts without definitions, for solvers that know none or go wrong with them; on top of script.awk.
#
#   defined functions      (let ((parameter argument) ...) body) wherever they are applied
#   other definitions      a constant that is asserted to be equal
#
# A program that is built on this uses term(i) for the term at token i, define(i) for what a definition leaves, and defines
# apply(name, i), an application of any other function to the terms from token i on, or "" where it stays as it is.
# A let repeats the body, and bodies nest: one of more than `most` bytes ends the program with status 3.

BEGIN { most = 200000 }

# A definition that was in force once is forgotten when its name comes back.
function forget(name) {
    delete body[name]
}

# A parameter stands in the body with a % behind it, which each expansion replaces by a number of its own.
function define(i,    name, count, sort, k, text) {
    name = T[i + 2]
    sort = behind(i + 3)
    for (k = i + 4; T[k] != ")"; k = behind(k)) {
        parameter[name, ++count] = T[k + 1]
        renamed[T[k + 1]] = T[k + 1] "%"
    }
    text = term(behind(sort))
    for (k = 1; k <= count; k++)
        delete renamed[parameter[name, k]]
    if (!count)
        return "(declare-fun " name " () " expression(sort) ")\n(assert (= " name " " text "))"
    if (length(text) > most)
        exit 3
    arity[name] = count
    body[name] = text
    return ""
}

function expanded(name, i,    k, mine, bindings, text) {
    mine = "!" ++serial
    for (k = 1; k <= arity[name]; k++) {
        bindings = bindings "(" parameter[name, k] mine " " term(i) ")"
        i = behind(i)
    }
    text = body[name]
    gsub(/%/, mine, text)
    return "(let (" bindings ") " text ")"
}

# Every name that a let binds is a new one: Boolector takes bindings for visible in the terms of the same let.
function let(i,    mine, bindings, k, name, outer, text) {
    mine = "!" ++serial
    for (k = i + 3; T[k] != ")"; k = behind(k))
        bindings = bindings "(" T[k + 1] mine " " term(k + 2) ")"
    for (k = i + 3; T[k] != ")"; k = behind(k)) {
        name = T[k + 1]
        if (name in renamed)
            outer[name] = renamed[name]
        renamed[name] = name mine
    }
    text = term(k + 1)
    for (k = i + 3; T[k] != ")"; k = behind(k)) {
        name = T[k + 1]
        if (name in outer)
            renamed[name] = outer[name]
        else
            delete renamed[name]
    }
    return "(let (" bindings ") " text ")"
}

# The term at token i in that language.
function term(i,    text, end) {
    if (T[i] != "(")
        return T[i] in renamed ? renamed[T[i]] : T[i]
    if (T[i + 1] == "let")
        return let(i)
    if (T[i + 1] in body)
        return expanded(T[i + 1], i + 2)
    if ((text = apply(T[i + 1], i + 2)) != "")
        return text
    end = behind(i) - 1
    text = "("
    for (i++; i < end; i = behind(i))
        text = text (text == "(" ? "" : " ") term(i)
    return text ")"
}
