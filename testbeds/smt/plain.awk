# One script per check, `to`-N.smt2, in the little of SMT-LIB 2 that Boolector 1.5 knows: declared constants, assertions and
# one check. What it lacks is expressed by what it has:
#   push, pop              each check repeats what is in force
#   check-sat-assuming     assertions
#   declared functions     arrays whose index is the arguments side by side; Bool is a vector of one bit there
#   definitions            expand.awk

# Width of the sort at token i; 0 for Bool.
function width(i) {
    return T[i] == "(" ? T[i + 3] : 0
}

# (declare-fun f ((_ BitVec 8) Bool) Bool): parameters' widths in wide[f, 1..], its result's in wide[f, 0].
function declare_function(i,    name, count, total) {
    name = T[i + 2]
    for (i += 4; T[i] != ")"; i = behind(i)) {
        wide[name, ++count] = width(i)
        total += wide[name, count] ? wide[name, count] : 1
    }
    arity[name] = count
    array[name] = 1
    wide[name, 0] = width(i + 1)
    return "(declare-fun " name " () (Array (_ BitVec " total ") (_ BitVec " (wide[name, 0] ? wide[name, 0] : 1) ")))"
}

# An application of a declared function; `i` is the token of its first argument.
function apply(name, i,    k, one, index_text) {
    if (!(name in array))
        return ""
    for (k = 1; k <= arity[name]; k++) {
        one = term(i)
        i = behind(i)
        if (!wide[name, k])
            one = "(ite " one " #b1 #b0)"
        index_text = k == 1 ? one : "(concat " index_text " " one ")"
    }
    one = "(select " name " " index_text ")"
    return wide[name, 0] ? one : "(= #b1 " one ")"
}

function keep(i,    name, command) {
    command = T[i + 1]
    name = T[i + 2]
    if (command ~ /^de/) {
        forget(name)
        delete array[name]
    }
    if (command == "declare-const")
        return "(declare-fun " name " () " expression(i + 3) ")"
    if (command == "declare-fun")
        return T[i + 4] == ")" ? expression(i) : declare_function(i)
    if (command == "define-fun")
        return define(i)
    if (command == "assert")
        return "(assert " term(i + 2) ")"
    return ""
}

function check(count, i,    file, k) {
    file = to "-" count ".smt2"
    print "(set-logic " (logic == "QF_UFBV" ? "QF_ABV" : logic) ")" > file
    for (k = 1; k <= n; k++)
        print item[k] > file
    # it warns of scripts without assertions
    printf "(assert true)\n%s(check-sat)\n(exit)\n", assumptions(i) > file
    close(file)
}
