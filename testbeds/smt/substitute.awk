# From a solver's answers with models (first file) and the script (second file): one script per model, `to`-N.smt2 for the N-th
# check, in which the model's definitions stand where the declarations were. It is satisfiable if the model is one.
# Names that a model leaves out may have any value: they stay declared. What the script defines itself is not the model's to
# say; some solvers print it all the same.

# ahead of the rule that reads tokens: this file comes first on the command line
FNR == 1 && NR > 1 { read_models() }

# "sat" and behind it the model: a list of definitions, in older solvers with the word "model" ahead.
function read_models(    i, k, end) {
    for (i = 1; i <= nt; i = behind(i)) {
        if (T[i] != "(") {
            answers++
            continue
        }
        end = behind(i) - 1
        for (k = T[i + 1] == "model" ? i + 2 : i + 1; k < end; k = behind(k)) {
            given[answers, ++entries[answers]] = expression(k)
            name_of[answers, entries[answers]] = T[k + 2]
            if (T[k + 4] == "(" && behind(k + 4) == behind(k + 3) - 1)
                as_array[answers, T[k + 2]] = array_of(k + 4, behind(k + 3))
        }
    }
    nt = depth = 0
}

# Z3 says (_ as-array k!3) for the array that function k!3 tabulates, which no other solver understands. With the token of
# its parameter and that of its result's sort: the same by constants and stores.
function array_of(parameter, result) {
    array_sort = "(Array " expression(parameter + 2) " " expression(result) ")"
    parameter_name = T[parameter + 1]
    return stores(behind(result))
}

# (ite (= x!0 #x01) #xff ...)
function stores(i,    a, b, then) {
    if (T[i] != "(" || T[i + 1] != "ite" || T[i + 3] != "=")
        return "((as const " array_sort ") " expression(i) ")"
    a = i + 4
    b = behind(a)
    then = behind(i + 2)
    return "(store " stores(behind(then)) " " expression(T[a] == parameter_name ? b : a) " " expression(then) ")"
}

function without_as_array(count, text,    name) {
    while (match(text, /\(_ as-array [^)]*\)/)) {
        name = substr(text, RSTART + 12, RLENGTH - 13)
        text = substr(text, 1, RSTART - 1) as_array[count, name] substr(text, RSTART + RLENGTH)
    }
    return text
}

# Beside each item of the stack stand what kind of command it is, and the name that it makes known.
function keep(i) {
    kind[n + 1] = T[i + 1]
    makes[n + 1] = T[i + 1] == "assert" ? "" : T[i + 2]
    return expression(i)
}

function check(count, i,    file, k, defined, modelled) {
    if (!(count in entries))
        return
    file = to "-" count ".smt2"
    # no smaller logic has constant arrays, which stand in models
    print "(set-logic ALL)" > file
    for (k = 1; k <= n; k++)
        if (kind[k] == "define-fun")
            defined[makes[k]] = 1
    for (k = 1; k <= entries[count]; k++)
        if (!(name_of[count, k] in defined)) {
            modelled[name_of[count, k]] = 1
            print without_as_array(count, given[count, k]) > file
        }
    for (k = 1; k <= n; k++)
        if (!(makes[k] in modelled))
            print item[k] > file
    printf "%s(check-sat)\n", assumptions(i) > file
    close(file)
}
