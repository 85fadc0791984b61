/* Canonical names: numbers to names and back, keywords passed over, kinds told apart. */
#include "gen/lm/names.h"

#include "tap.h"

#include <stdlib.h>

static const char *name(enum lm_name_kind kind, size_t n)
{
    static char out[LM_NAME_SIZE];
    return lm_name(kind, n, out);
}

static void test_first_names(void)
{
    is_str(name(LM_NAME_FUNCTION, 0), "A", "the first function");
    is_str(name(LM_NAME_FUNCTION, 25), "Z", "the last of one letter");
    is_str(name(LM_NAME_FUNCTION, 26), "AA", "the first of two");
    is_str(name(LM_NAME_VARIABLE, 0), "a", "the first variable");
    is_str(name(LM_NAME_VARIABLE, 27), "ab", "two letters");
    is_str(name(LM_NAME_GLOBAL, 1), "Gb", "a global");
    is_str(name(LM_NAME_TYPE, 26), "Taa", "a type");
    is_str(name(LM_NAME_MEMBER, 2), "fc", "a member");
    is_str(name(LM_NAME_LABEL, 3), "Ld", "a label");
}

/* Every number has a name of its own, no keyword, that leads back. */
static void test_round_trip(enum lm_name_kind kind, size_t n)
{
    size_t bad = 0, words = 0, back;
    char out[LM_NAME_SIZE];
    for (size_t i = 0; i < n; i++) {
        lm_name(kind, i, out);
        bad += !lm_name_number(kind, out, strlen(out), &back) || back != i;
        words += lm_is_keyword(out, strlen(out));
    }
    is_int(bad, 0, "kind %d: names lead back to their numbers", kind);
    is_int(words, 0, "kind %d: none is a keyword", kind);
}

static void test_keywords(void)
{
    size_t n = 0, next = 0;
    ok(lm_is_keyword("do", 2) && lm_is_keyword("if", 2) && lm_is_keyword("kernel", 6), "keywords");
    ok(lm_is_keyword("_Alignas", 8) && lm_is_keyword("write_only", 10), "the first and the last");
    ok(!lm_is_keyword("dog", 3) && !lm_is_keyword("d", 1) && !lm_is_keyword("", 0), "no keywords");
    ok(!lm_is_keyword("do", 1) && lm_is_keyword("done", 2), "the size counts, not the text behind");
    ok(!lm_name_number(LM_NAME_VARIABLE, "do", 2, &n), "a keyword has no number");
    ok(lm_name_number(LM_NAME_VARIABLE, "dn", 2, &n) &&
           lm_name_number(LM_NAME_VARIABLE, "dp", 2, &next),
       "its neighbours have");
    is_int(next, n + 1, "and follow each other");
    ok(!lm_name_number(LM_NAME_MEMBER, "for", 3, &n), "a keyword among the members");
}

static void test_kinds(void)
{
    size_t n;
    ok(!lm_name_number(LM_NAME_FUNCTION, "a", 1, &n), "small letters are no function");
    ok(!lm_name_number(LM_NAME_VARIABLE, "A", 1, &n), "capital letters no variable");
    ok(!lm_name_number(LM_NAME_GLOBAL, "G", 1, &n), "a prefix alone is no global");
    ok(lm_name_number(LM_NAME_MEMBER, "fa", 2, &n) && n == 0, "fa is a member");
    ok(lm_name_number(LM_NAME_VARIABLE, "fa", 2, &n) && n > 26, "and a variable");
    ok(!lm_name_number(LM_NAME_VARIABLE, "a1", 2, &n), "digits are not canonical");
    ok(!lm_name_number(LM_NAME_VARIABLE, "", 0, &n), "nothing is no name");
    ok(!lm_name_number(LM_NAME_VARIABLE, "abcde", 5, &n), "five letters are too many");
}

int main(void)
{
    test_first_names();
    for (int kind = 0; kind < LM_NAME_KINDS; kind++)
        test_round_trip((enum lm_name_kind)kind, 20000);
    test_keywords();
    test_kinds();
    return tap_done();
}
