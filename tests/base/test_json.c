/* JSON of texts that came from anywhere. */
#include "base/json.h"
#include "base/text.h"
#include "tap.h"

static void wrote(struct json *value, bool one_line, const char *wanted, const char *name)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    json_write(value, one_line, &out);
    is_str(out.s, wanted, "%s", name);
    strbuf_release(&out);
}

static void test_values(void)
{
    wrote(json_new("{s:i,s:I,s:b,s:n,s:s,s:s}", "i", -1, "I", INT64_MIN, "b", true, "n", "t", "x",
                   "none", NULL),
          true,
          "{\"i\":-1,\"I\":-9223372036854775808,\"b\":true,\"n\":null,\"t\":\"x\",\"none\":null}\n",
          "a member of each kind");
    wrote(json_new("[f,f,f,f]", 0.1, 2.0, 1e300, 0.0 / 0.0), true, "[0.1,2.0,1e+300,null]\n",
          "numbers are short, exact, and never no JSON");
    wrote(json_new("{s:{s:[i,i],s:{}},s:[]}", "a", "b", 1, 2, "c", "d"), false,
          "{\n  \"a\": {\n    \"b\": [\n      1,\n      2\n    ],\n    \"c\": {}\n  },\n"
          "  \"d\": []\n}\n",
          "indented");
    struct json *list = json_new("[]"), *object = json_new("{}");
    json_append(list, "i", 1);
    json_append(list, "{s:s}", "a", "{\"}");
    json_extend(object, "{s:o}", "list", list);
    json_extend(object, "{s:s,s:i}", "x", "y", "z", 3);
    wrote(object, true, "{\"list\":[1,{\"a\":\"{\\\"}\"}],\"x\":\"y\",\"z\":3}\n",
          "lists and objects grow");
    wrote(json_new("{s:s}", "a", "{[,:\\\"]}"), false, "{\n  \"a\": \"{[,:\\\\\\\"]}\"\n}\n",
          "what is in a text is not indented");
}

static void test_texts(void)
{
    static const struct {
        struct bytes text;
        const char *wanted;
    } table[] = {
        {{"a\0r", 3}, "{\"x\":\"a\\u0000r\"}\n"},
        {{"\"\\\n\t\r", 5}, "{\"x\":\"\\\"\\\\\\n\\t\\r\"}\n"},
        {{"\x1b]0;x\a\x7f", 7}, "{\"x\":\"\\u001b]0;x\\u0007\\u007f\"}\n"},
        {{"\xc2\x9b\xe2\x80\xae", 5}, "{\"x\":\"\\u009b\\u202e\"}\n"},
        {{"\xc3\xa9\xf0\x9f\x98\x80", 6}, "{\"x\":\"\xc3\xa9\xf0\x9f\x98\x80\"}\n"},
        {{"\xff", 1}, "{\"x\":\"\xef\xbf\xbd\",\"x_base64\":\"/w==\"}\n"},
        {{"a\xff", 2}, "{\"x\":\"a\xef\xbf\xbd\",\"x_base64\":\"Yf8=\"}\n"},
        {{"a\0\xff", 3}, "{\"x\":\"a\\u0000\xef\xbf\xbd\",\"x_base64\":\"YQD/\"}\n"},
        {{"\xed\xa0\x80 ", 4},
         "{\"x\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \",\"x_base64\":\"7aCAIA==\"}\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        wrote(json_new("{s:y}", "x", table[i].text), true, table[i].wanted, "any bytes");
    wrote(json_new("{s:s}", "x", "\xff"), true, table[5].wanted, "  of a string as well");
    wrote(json_new("{s:Y}", "x", table[5].text), true, "{\"x\":\"\xef\xbf\xbd\"}\n",
          "  without a second member");
    wrote(json_new("[B,B]", table[7].text, bytes_of("")), true, "[\"YQD/\",\"\"]\n",
          "  or in base64 alone");
    wrote(json_new("{s:s,s:s}", "a\\", "\"", "", "\\"), false,
          "{\n  \"a\\\\\": \"\\\"\",\n  \"\": \"\\\\\"\n}\n", "  indented");
}

int main(void)
{
    test_values();
    test_texts();
    return tap_done();
}
