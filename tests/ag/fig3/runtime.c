/* The runtime of the paper's example (Fig. 3): a symbol table is the set of the names that have
 * been defined. */
#include <assay/lala.h>

static lala empty(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)arg, (void)n;
    return LALA_NIL;
}

static lala put(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_set_add(env, arg[0], arg[1]);
}

static lala contains(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_bool(lala_set_has(arg[0], arg[1]));
}

static lala defs(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_set_items(env, arg[0]);
}

static const struct lala_function symbtab[] = {
    {"empty", ": SymbTab", empty, 0},
    {"put", "SymbTab, String : SymbTab", put, 0},
    {"contains", "SymbTab, String : boolean", contains, 0},
    {"defs", "SymbTab : List<String>", defs, 0},
};
static const struct lala_namespace namespaces[] = {LALA_NAMESPACE("SymbTab", symbtab)};
LALA_MODULE(namespaces);
