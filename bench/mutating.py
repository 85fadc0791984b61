"""Mutants of C and C++ sources: what could be wrong in a file, by libclang, and the file with all of it inside.

A *candidate* is one wrong expression or statement for a right one, of a kind of KINDS. A *site* is a place
in the text, with one or more candidates; sites do not overlap. Its new text asks at run time which of them
is on, and is the old text where none is (mutation/mutant.h):

    condition, free of side effects     (MUTANT_ANY ? <original and all candidates, by number> : (original))
    any other expression                (MUTANT (7) ? (wrong) : (original))
    a statement that is skipped         if (!MUTANT (7)) statement;

Only expressions that stand in the file as they are parsed become sites: what comes out of a macro is left
alone. Of a condition without side effects, a trace evaluates all candidates beside the original and notes which
would have differed. Whether a function that is called there has side effects is guessed from its name (PURE):
a wrong guess costs a wrong trace, and nothing when no trace is made."""
import ctypes, glob, os, re, sys

# -- kinds --------------------------------------------------------------------------------------

# kind: (weight in the draw, what it is like in real bug reports)
KINDS = {
    "conjunct": (6, "a conjunct or disjunct of a guard left out"),
    "negated": (2, "a condition negated"),
    "early": (5, "an early way out not taken: `if (...) return false;` and the like"),
    "equal": (3, "`<` for `<=` or the other way round"),
    "bound": (4, "a bound or offset off by one"),
    "sign": (6, "a check of signedness, overflow, rounding or precision left out, negated, or of the other sign"),
    "code": (5, "another operation: of a tree, of RTL, a comparison"),
    "order": (4, "operands in the wrong order"),
    "kill": (6, "a kill, alias, escape or side effect not noticed"),
    "update": (4, "an update of what is known left out"),
}

# Operands of conditions whose words say more than that they are a guard.
TELLING = [
    ("kill", re.compile(r"clobber|kill|escape|alias|modif|side_effect|SIDE_EFFECT|volatile|VOLATILE|may_trap|could_trap|could_throw|"
                        r"depend|overlap|ADDRESSABLE|READONLY|abnormal|set_between|reg_set|reg_used|reg_overlap|live_", re.A)),
    ("sign", re.compile(r"UNSIGNED|unsigned|SIGN|OVERFLOW|overflow|WRAPS|SATURATING|HONOR|NAN|PRECISION|precision|nonneg|negative|"
                        r"_sgn|FLOAT_TYPE|INEXACT|tree_expr_nonzero|VT_FLOAT|VT_DOUBLE", re.A)),
]

# Enumerators of which one stands for the other.
PAIRS = [
    ("code", "PLUS_EXPR MINUS_EXPR"), ("code", "BIT_AND_EXPR BIT_IOR_EXPR"), ("code", "BIT_XOR_EXPR BIT_IOR_EXPR"),
    ("code", "LSHIFT_EXPR RSHIFT_EXPR"), ("code", "MIN_EXPR MAX_EXPR"), ("code", "LT_EXPR LE_EXPR"), ("code", "GT_EXPR GE_EXPR"),
    ("code", "EQ_EXPR NE_EXPR"), ("code", "TRUNC_DIV_EXPR FLOOR_DIV_EXPR"), ("code", "TRUNC_MOD_EXPR FLOOR_MOD_EXPR"),
    ("code", "TRUTH_AND_EXPR TRUTH_OR_EXPR"), ("code", "TRUTH_ANDIF_EXPR TRUTH_ORIF_EXPR"), ("code", "NEGATE_EXPR BIT_NOT_EXPR"),
    ("code", "LROTATE_EXPR RROTATE_EXPR"), ("code", "MULT_EXPR PLUS_EXPR"), ("code", "VEC_UNPACK_LO_EXPR VEC_UNPACK_HI_EXPR"),
    ("code", "PLUS MINUS"), ("code", "AND IOR"), ("code", "XOR IOR"), ("code", "ASHIFTRT LSHIFTRT"), ("code", "ASHIFT LSHIFTRT"),
    ("code", "LT LE"), ("code", "GT GE"), ("code", "EQ NE"), ("code", "LTU LEU"), ("code", "GTU GEU"), ("code", "SMIN SMAX"),
    ("code", "UMIN UMAX"), ("code", "ROTATE ROTATERT"), ("code", "NEG NOT"),
    ("sign", "SIGN_EXTEND ZERO_EXTEND"), ("sign", "LT LTU"), ("sign", "GT GTU"), ("sign", "SIGNED UNSIGNED"), ("sign", "DIV UDIV"),
    ("sign", "SS_PLUS US_PLUS"), ("sign", "SMIN UMIN"), ("sign", "SMAX UMAX"),
]

# Functions with two arguments, from 0, that have an order.
ORDERED = {
    "fold_build2": (2, 3), "fold_build2_loc": (3, 4), "build2": (2, 3), "build2_loc": (3, 4), "const_binop": (2, 3),
    "int_const_binop": (1, 2), "size_binop": (1, 2), "size_binop_loc": (2, 3), "size_diffop": (0, 1), "gimple_build": (3, 4),
    "gimple_build_assign": (2, 3), "simplify_gen_binary": (2, 3), "simplify_gen_relational": (3, 4), "expand_binop": (2, 3),
    "expand_simple_binop": (2, 3), "emit_store_flag": (2, 3), "emit_store_flag_force": (2, 3), "simplify_binary_operation": (2, 3),
    "simplify_relational_operation": (3, 4), "gen_rtx_fmt_ee_stat": (2, 3), "tree_int_cst_lt": (0, 1), "tree_int_cst_le": (0, 1),
    "compare_values": (0, 1), "emit_conditional_move": (2, 3), "do_compare_rtx_and_jump": (0, 1), "ix86_expand_vector_init": (0, 1),
    "gen_op": (0, 1),
}

# Calls that are statements, and what it is when they are left out.
SKIPPED = [
    ("kill", re.compile(r"clobber|kill|invalidate|escape|^note_store|forget|_flush|save_regs|conflict", re.A)),
    ("update", re.compile(r"^(bitmap_(set|clear|ior|and)|mark_|update_|df_(set|insn|ref)|reset_|set_|record_|remove_|delete_|clear_|note_|"
                          r"SET_|add_|release_|propagate_|adjust_|rewrite_|duplicate_|copy_|gimple_(set|assign_set|cond_set|call_set)|"
                          r"maybe_|unshare_|clean_|vset|move_reg|gen_assign)", re.A)),
]

# Functions that can be called once more than the program would.
PURE = re.compile(
    r"(_p|_code|_mode|_type|_precision|_bitsize|_bits|_size|_rank|_sign|_sgn|_bb|_loop|_father|_stmt|_rhs\d?|_lhs|_op\d?|_op_n|_arg|"
    r"_decl|_flags?|_def|_uid|_regno?|_class|_ptr|_base|_depth|_edge|_length|_cost|_value|_index|_number|_offset|_align|_unit)$|"
    r"^(is_|has_|integer_|real_|initializer_|tree_(fits|to|int|expr)|gimple_(?!build|set)|known_|maybe_(eq|ne|lt|le|gt|ge|in)|may_|can_(?!duplicate)|"
    r"must_|any_|only_|useless_|single_|last_|first_|next_|prev_|bitmap_(?!set|clear|ior|and)|optimize_|operand_|count_|exact_|"
    r"floor_|ceil_|abs_|least_|wi_|element_|vector_|const_|rtx_equal|reg_|refers_|find_|contains_|test_|HONOR|GET_|TREE_|"
    r"num_|types_|side_effects|volatile_|dominated_|flow_|loop_(?!op)|tree_|SUBREG_|REG_|stmt_|ref_|ptr_|type_|size_|mode_|get_(?!or|identifier|alias_set))|"
    r"^(eq|ne|lt|le|gt|ge|cmp|ltu|lts|gtu|gts|leu|les|geu|ges|sub|add|length|is_empty|exists|iterate|to_wide|to_offset|abs|neg|"
    r"min_value|max_value|popcount|clz|ctz|strcmp|strncmp|memcmp|strlen)(_p)?$", re.A)

# -- libclang -----------------------------------------------------------------------------------

LIBRARIES = ["libclang-19.so.19", "libclang-19.so.1", "libclang-19.so", "libclang.so"] + sorted(
    glob.glob("/usr/lib/llvm-*/lib/libclang*.so*"), reverse=True)

FUNCTION, METHOD, CONSTRUCTOR, DESTRUCTOR, STRUCT, CLASS, NAMESPACE, LINKAGE = 8, 21, 24, 25, 2, 4, 22, 23
VARIABLE, PARAMETER, ENUMERATOR = 9, 10, 7
UNEXPOSED, DECL_REF, MEMBER_REF, CALL, INTEGER, PAREN, UNARY, BINARY, COMPOUND_ASSIGN, TERNARY = (
    100, 101, 102, 103, 106, 111, 112, 114, 115, 116)
STATEMENT_EXPR, NEW, DELETE, LAMBDA = 121, 134, 135, 144
BLOCK, CASE, IF, SWITCH, WHILE, DO, FOR, GOTO, CONTINUE, BREAK, RETURN, DECLARATIONS = (
    202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 231)
COMPARISONS = {11: "<", 12: ">", 13: "<=", 14: ">=", 15: "==", 16: "!="}
OPERATORS = set(COMPARISONS.values())
AND, OR, ADD, SUB, ASSIGN = 20, 21, 6, 7, 22
NOT, ADDRESS, STEPS = 10, 5, (1, 2, 3, 4)
STATIC = 3
INTEGRAL = range(3, 21)  # of the kinds of types: bool to __int128
SCALARS = set(range(3, 25)) | {101, 106}


class Cursor(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("x", ctypes.c_int), ("data", ctypes.c_void_p * 3)]


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("flags", ctypes.c_uint)]


class Location(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p * 2), ("number", ctypes.c_uint)]


class Range(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p * 2), ("begin", ctypes.c_uint), ("end", ctypes.c_uint)]


class Type(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("data", ctypes.c_void_p * 2)]


VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, Cursor, Cursor, ctypes.c_void_p)


class Clang:
    """The few functions of libclang that are needed, by ctypes: Python's own bindings are another package."""

    def __init__(self):
        for name in LIBRARIES:
            try:
                self.lib = ctypes.CDLL(name)
                break
            except OSError:
                continue
        else:
            sys.exit("mutants: libclang is missing (apt-get install libclang-19-dev)")
        p, u, i, s = ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_char_p
        out = ctypes.POINTER
        for name, result, *arguments in (
                ("createIndex", p, i, i), ("parseTranslationUnit", p, p, s, out(s), i, p, u, u), ("disposeTranslationUnit", None, p),
                ("getTranslationUnitCursor", Cursor, p), ("visitChildren", u, Cursor, VISITOR, p), ("getCursorExtent", Range, Cursor),
                ("getRangeStart", Location, Range), ("getRangeEnd", Location, Range),
                ("getExpansionLocation", None, Location, out(p), out(u), out(u), out(u)),
                ("getPresumedLocation", None, Location, out(Text), out(u), out(u)),
                ("getFile", p, p, s), ("getCursorSpelling", Text, Cursor), ("getCString", s, Text), ("disposeString", None, Text),
                ("getCursorReferenced", Cursor, Cursor), ("getCursorType", Type, Cursor), ("getCanonicalType", Type, Type),
                ("getNumDiagnostics", u, p), ("getDiagnostic", p, p, u), ("getDiagnosticSeverity", i, p), ("formatDiagnostic", Text, p, u),
                ("isCursorDefinition", u, Cursor), ("Cursor_getStorageClass", i, Cursor), ("getCursorLinkage", i, Cursor),
                ("CXXMethod_isConst", u, Cursor), ("getCursorBinaryOperatorKind", i, Cursor),
                ("getCursorUnaryOperatorKind", i, Cursor)):
            function = getattr(self.lib, "clang_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.index = self.createIndex(0, 0)

    def text(self, value):
        result = self.getCString(value)
        self.disposeString(value)
        return result.decode(errors="replace") if result else ""

    def name(self, cursor):
        return self.text(self.getCursorSpelling(cursor))

    def children(self, cursor):
        found = []

        def visit(child, parent, data):
            found.append(child)
            return 1

        self.visitChildren(cursor, VISITOR(visit), None)
        return found

    def place(self, location):
        """(file, line, offset) of where it stands in the text, macros being where they are used."""
        file, line, column, offset = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        self.getExpansionLocation(location, file, line, column, offset)
        return file.value, line.value, offset.value

    def presumed(self, cursor):
        """(file, line) as messages say it: of what was generated, where it came from."""
        name, line, column = Text(), ctypes.c_uint(), ctypes.c_uint()
        self.getPresumedLocation(self.getRangeStart(self.getCursorExtent(cursor)), name, line, column)
        return self.text(name), line.value


# -- candidates ---------------------------------------------------------------------------------

class Candidate:
    """The original text of bytes begin to end of the file becomes `new`."""

    def __init__(self, kind, begin, end, new):
        self.kind, self.begin, self.end, self.new = kind, begin, end, new
        self.number = 0


class Site:
    """form: "condition", "expression" or "statement". captured: what a function object must hold by reference."""

    def __init__(self, form, begin, end, where, candidates, captured=()):
        self.form, self.begin, self.end, self.where = form, begin, end, where
        self.candidates, self.captured = candidates, sorted(captured)


class Source:
    """A parsed file. Sites of one function at a time: functions(), then sites(). `noise`: words of conditions that are
    left alone, such as those of messages."""

    def __init__(self, clang, path, flags, noise=""):
        self.clang, self.path, self.noise = clang, path, noise
        with open(path, "rb") as f:
            self.bytes = f.read()
        flags = [flag.encode() for flag in flags]
        array = (ctypes.c_char_p * len(flags))(*flags)
        self.unit = clang.parseTranslationUnit(clang.index, path.encode(), array, len(flags), None, 0, 0)
        if not self.unit:
            raise ValueError("%s cannot be parsed" % path)
        self.file = clang.getFile(self.unit, path.encode())
        self.is_cxx = not path.endswith(".c")
        self.found = []

    def close(self):
        self.clang.disposeTranslationUnit(self.unit)

    def errors(self):
        c, found = self.clang, []
        for i in range(c.getNumDiagnostics(self.unit)):
            diagnostic = c.getDiagnostic(self.unit, i)
            if c.getDiagnosticSeverity(diagnostic) >= 3:
                found.append(c.text(c.formatDiagnostic(diagnostic, 1)))
        return found

    def functions(self):
        """[(name, body)] of the functions that are defined in the file itself; not of templates."""
        bodies = []

        def look(cursor):
            for child in self.clang.children(cursor):
                if child.kind not in (FUNCTION, METHOD, CONSTRUCTOR, STRUCT, CLASS, NAMESPACE, LINKAGE) or not self.extent(child):
                    continue
                if child.kind in (STRUCT, CLASS, NAMESPACE, LINKAGE):
                    look(child)
                elif self.clang.isCursorDefinition(child):
                    bodies.extend((self.clang.name(child), grand) for grand in self.clang.children(child) if grand.kind == BLOCK)

        look(self.clang.getTranslationUnitCursor(self.unit))
        return bodies

    # places and texts

    def extent(self, cursor):
        """(begin, end) in bytes; None: not in this file."""
        range_ = self.clang.getCursorExtent(cursor)
        file, _, begin = self.clang.place(self.clang.getRangeStart(range_))
        if file != self.file:
            return None
        file, _, end = self.clang.place(self.clang.getRangeEnd(range_))
        return (begin, end) if file == self.file and end > begin else None

    def text(self, begin, end):
        return self.bytes[begin:end].decode("latin-1")

    def between(self, left, right):
        """What stands between two expressions, without comments."""
        return re.sub(r"/\*.*?\*/|//[^\n]*", " ", self.text(left[1], right[0]), flags=re.S).strip()

    def behind(self, end):
        return re.sub(r"^(\s|/\*.*?\*/|//[^\n]*\n)+", "", self.text(end, end + 200), flags=re.S)

    def before(self, begin):
        return self.text(max(0, begin - 40), begin).rstrip()

    def is_whole(self, begin, end):
        """No directive inside, brackets that match, and nothing behind it that belongs to it: a macro that has
        its own name in it is parsed as if it began or ended elsewhere."""
        text = without_comments(self.text(begin, end))
        return (not re.search(r"^\s*#", self.text(begin, end), re.M) and
                all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}")) and
                not re.match(r"[\w(.]|->", self.behind(end)) and not re.search(r"(\w\s*|->|\.)$", self.before(begin)[-2:].rstrip())
                or self.before(begin).endswith("return"))

    # the walk

    def sites(self, body):
        self.found = []
        self.walk(body)
        return self.found

    def walk(self, cursor):
        kind = cursor.kind
        if kind in (LAMBDA, STATEMENT_EXPR):
            return
        children = self.clang.children(cursor)
        if kind == BLOCK:
            for child in children:
                self.statement(child)
        if kind == DECLARATIONS:
            for child in children:
                if child.kind == VARIABLE and self.clang.Cursor_getStorageClass(child) != STATIC and self.type_kind(child) != 112:
                    for grand in self.clang.children(child):
                        self.expression(grand)
            return
        if kind == CASE:  # its value is constant
            children = children[1:]
        condition = None
        if kind in (IF, WHILE, SWITCH) and children:
            condition = children[0]
        elif kind == DO and children:
            condition = children[-1]
        elif kind == FOR:
            condition = self.for_condition(cursor, children)
        for child in children:
            if condition is not None and child is condition and kind != SWITCH:
                self.condition(child, kind, children)
            elif child.kind < 200:
                self.expression(child)
            else:
                self.walk(child)

    def for_condition(self, cursor, children):
        """Of up to four children the one that stands between two semicolons."""
        for child in children[:-1]:
            at = self.extent(child)
            if at and self.before(at[0]).endswith(";") and self.behind(at[1]).startswith(";"):
                return child
        return None

    def expression(self, cursor, captured=None):
        """Sites inside an expression that is no condition."""
        kind = cursor.kind
        if kind in (LAMBDA, STATEMENT_EXPR, ENUMERATOR) or kind >= 300:
            return
        at = self.extent(cursor)
        if kind == BINARY:
            op = self.clang.getCursorBinaryOperatorKind(cursor)
            if at and (op in (AND, OR) or op in COMPARISONS) and self.operator(cursor):
                self.boolean_site(cursor, at, [])
                return
            if at and op in (ADD, SUB):
                self.offset(cursor)
        children = self.clang.children(cursor)
        if kind == TERNARY and children:
            inner = self.extent(children[0])
            if inner and self.behind(inner[1]).startswith("?"):
                self.boolean_site(children[0], inner, [])
                children = children[1:]
        if kind == CALL:
            self.call(cursor, children)
        if kind == DECL_REF and at:
            for name, new in self.enumerators(cursor, at):
                self.add("expression", at, cursor, [Candidate(name, *at, new)])
                return
        for child in children:
            if child.kind < 200:
                self.expression(child)
            else:
                self.walk(child)

    def add(self, form, at, cursor, candidates, captured=()):
        """Two sites never overlap, but for a statement, whose own text stays."""
        candidates = [c for c in candidates if c.new in OPERATORS or self.is_whole(c.begin, c.end)]
        if not candidates or not self.is_whole(*at) or self.noise and re.search(self.noise, self.text(*at)):
            return
        if form != "statement" and any(site.form != "statement" and at[0] < site.end and site.begin < at[1] for site in self.found):
            return
        self.found.append(Site(form, *at, self.clang.presumed(cursor), candidates, captured))

    # statements

    def statement(self, cursor):
        """A call, or the assignment of a truth value, that could be forgotten."""
        inner = self.bare(cursor)
        at = self.extent(cursor)
        if not at or not self.behind(at[1]).startswith(";") or self.before(at[0])[-1:] not in (";", "{", "}", "/"):
            return
        kind = None
        if inner.kind == CALL:
            name = self.clang.name(inner)
            if re.match(r"\w+(<[^;]*>)?\s*\(|[\w.>()\[\]-]+(->|\.)%s\s*\(" % re.escape(name), self.text(*at)):
                kind = next((kind for kind, words in SKIPPED if words.search(name)), None)
        elif inner.kind == BINARY and self.clang.getCursorBinaryOperatorKind(inner) == ASSIGN:
            if re.fullmatch(r"[\w.>\[\]()\s-]*[\w\])]\s*=\s*(true|false|NULL|NULL_TREE|NULL_RTX)", self.text(*at)):
                kind = "update"
        elif inner.kind == COMPOUND_ASSIGN and re.match(r"[\w.>\[\]()\s-]*\|=", self.text(*at)):
            kind = "update"
        if kind:
            self.add("statement", at, cursor, [Candidate(kind, *at, "")])

    # conditions

    def bare(self, cursor):
        """Without what the compiler put around it."""
        while cursor.kind == UNEXPOSED:
            children = self.clang.children(cursor)
            if len(children) != 1:
                break
            cursor = children[0]
        return cursor

    def operator(self, cursor):
        """The extents of both operands of an operator that stands in the text between them."""
        children = self.clang.children(cursor)
        if len(children) != 2:
            return None
        left, right = self.extent(children[0]), self.extent(children[1])
        if not left or not right or left[1] > right[0]:
            return None
        text = self.between(left, right)
        return (left, right, text) if re.fullmatch(r"[-+&|<>=!]{1,2}", text) else None

    def condition(self, cursor, kind, children):
        at = self.extent(cursor)
        if not at:
            return
        before, behind = self.before(at[0]), self.behind(at[1])
        if kind == FOR:
            good = before.endswith(";") and behind.startswith(";")
        else:
            good = before.endswith("(") and behind.startswith(")") and re.search(r"\b(if|while)\s*\($", before)
        if not good:
            self.expression(cursor)
            return
        whole = []
        if kind == IF and len(children) > 1 and self.is_way_out(children[1]):
            text = self.text(*at)
            name = next((name for name, words in TELLING if words.search(text)), "early")
            whole = [Candidate(name if name == "kill" else "early", *at, self.word(False))]
        self.boolean_site(cursor, at, whole, loop=kind in (FOR, WHILE, DO))

    def is_way_out(self, cursor):
        if cursor.kind == BLOCK:
            children = self.clang.children(cursor)
            if len(children) != 1:
                return False
            cursor = children[0]
        return cursor.kind in (RETURN, CONTINUE, BREAK, GOTO)

    def boolean_site(self, cursor, at, whole, loop=False):
        captured = set()
        if self.is_pure(cursor, captured):
            found = whole + self.boolean(cursor, loop, top=True)
            self.add("condition", at, cursor, found, captured)
            return
        inner = self.bare(cursor)
        pair = self.operator(inner) if inner.kind == BINARY else None
        if pair and pair[2] in ("&&", "||"):
            for child in self.clang.children(inner):
                self.boolean_site(child, self.extent(child), [])
            if whole:
                self.add("expression", at, cursor, whole)
            return
        if not loop:
            self.add("expression", at, cursor, whole or self.leaf(inner, at)[:1])
        for child in self.clang.children(inner):
            self.expression(child)

    def word(self, value):
        return ("true" if value else "false") if self.is_cxx else "01"[value]

    def boolean(self, cursor, loop=False, top=False):
        """Candidates inside a condition without side effects."""
        cursor = self.bare(cursor)
        at = self.extent(cursor)
        if not at:
            return []
        if cursor.kind == PAREN:
            children = self.clang.children(cursor)
            inner = self.extent(children[0]) if children else None
            if inner and inner[0] > at[0] and inner[1] < at[1]:
                return self.boolean(children[0], loop)
            return self.leaf(cursor, at)
        if cursor.kind == UNARY and self.clang.getCursorUnaryOperatorKind(cursor) == NOT and self.text(*at).startswith("!"):
            children = self.clang.children(cursor)
            inner = self.extent(children[0]) if children else None
            if inner and inner[0] > at[0]:
                return [Candidate(self.kind_of(at, "negated"), *at, "(%s)" % self.text(*inner))]
        pair = self.operator(cursor) if cursor.kind == BINARY else None
        if pair and pair[2] in ("&&", "||"):
            found = []
            for child, place in zip(self.clang.children(cursor), pair[:2]):
                inner = self.bare(child)
                chain = inner.kind == BINARY and (self.operator(inner) or " ")[-1] == pair[2]
                if chain or not self.is_null_check(child, place):
                    found += [] if chain else [Candidate(self.kind_of(place, "conjunct"), *place, self.word(pair[2] == "&&"))]
                    found += self.boolean(child, loop)
            return found
        if pair and pair[2] in COMPARISONS.values():
            return self.comparison(cursor, at, pair, loop, top)
        return [] if loop and top else self.leaf(cursor, at)

    def comparison(self, cursor, at, pair, loop, top):
        left, right, op = pair
        found = []
        symbol = (left[1] + self.text(left[1], right[0]).index(op), 0)
        symbol = (symbol[0], symbol[0] + len(op))
        children = self.clang.children(cursor)
        integral = all(self.type_kind(child) in INTEGRAL for child in children)
        if integral and op in ("<", "<=", ">", ">="):
            # one is wider and the other narrower; a loop that goes one too far only crashes the program
            is_strict = op in ("<", ">")
            if not (loop and is_strict):
                found.append(Candidate("equal", *symbol, {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[op]))
            if not loop or is_strict:
                found.append(Candidate("bound", *right, "(%s) %s 1" % (self.text(*right), "-" if op in ("<", ">=") else "+")))
        elif op in ("==", "!=") and not loop:
            found.append(Candidate(self.kind_of(at, "negated"), *symbol, "!=" if op == "==" else "=="))
        for child, place in zip(children, (left, right)):
            inner = self.bare(child)
            if inner.kind == DECL_REF:
                found += [Candidate(kind, *place, new) for kind, new in self.enumerators(inner, place)]
        return found

    def leaf(self, cursor, at):
        """A condition that is none of the operators: its negation, and arguments in the wrong order."""
        if self.is_null_check(cursor, at):
            return []
        text = self.text(*at)
        found = [Candidate(self.kind_of(at, "negated"), *at, "!(%s)" % text)]
        if cursor.kind == CALL:
            pair = self.swapped(cursor)
            if pair:
                found.append(Candidate("order", *at, text[:pair[0][0] - at[0]] + self.text(*pair[1]) +
                                       self.text(pair[0][1], pair[1][0]) + self.text(*pair[0]) + text[pair[1][1] - at[0]:]))
        return found

    def kind_of(self, at, otherwise):
        text = self.text(*at)
        return next((kind for kind, words in TELLING if words.search(text)), otherwise)

    def is_null_check(self, cursor, at):
        """A pointer alone: without the check, the next access crashes, which says nothing of optimisations."""
        inner = self.bare(cursor)
        return inner.kind in (DECL_REF, MEMBER_REF) and self.type_kind(inner) == 101 or bool(
            re.search(r"[!=]=\s*(NULL|NULL_TREE|NULL_RTX|nullptr)$", self.text(*at)))

    def type_kind(self, cursor):
        return self.clang.getCanonicalType(self.clang.getCursorType(cursor)).kind

    # values

    def enumerators(self, cursor, at):
        """(kind, the other one)"""
        text = self.text(*at)
        for kind, pair in PAIRS:
            pair = pair.split()
            if text in pair and self.clang.getCursorReferenced(cursor).kind == ENUMERATOR:
                yield kind, pair[1 - pair.index(text)]

    def offset(self, cursor):
        """x - 1 without the 1."""
        pair = self.operator(cursor)
        if not pair or pair[2] not in ("+", "-") or self.text(*pair[1]) not in ("1", "2"):
            return
        if self.clang.children(cursor)[1].kind in (INTEGER, UNEXPOSED) and self.type_kind(cursor) in INTEGRAL:
            new = {"1": "0", "2": "1"}[self.text(*pair[1])]
            self.add("expression", pair[1], cursor, [Candidate("bound", *pair[1], new)])

    def swapped(self, cursor):
        """The places of two arguments of a call that have an order, with no side effects."""
        numbers = ORDERED.get(self.clang.name(cursor))
        children = self.clang.children(cursor)[1:]  # the first is the function
        if not numbers or len(children) <= numbers[1]:
            return None
        arguments = [children[n] for n in numbers]
        places = [self.extent(argument) for argument in arguments]
        if not all(places) or places[0][1] > places[1][0] or self.between(*places) != ",":
            return None
        if self.text(*places[0]) == self.text(*places[1]) or not all(self.is_pure(argument, set()) for argument in arguments):
            return None
        kinds = [self.clang.getCanonicalType(self.clang.getCursorType(argument)).kind for argument in arguments]
        return places if kinds[0] == kinds[1] else None

    def call(self, cursor, children):
        pair = self.swapped(cursor)
        if pair:
            (a, b), (c, d) = pair
            text = self.text(a, b), self.text(b, c), self.text(c, d)
            # two sites with one number
            candidate = Candidate("order", a, d, text[2] + text[1] + text[0])
            candidate.first, candidate.second = (a, b, text[2]), (c, d, text[0])
            self.add("swap", (a, d), cursor, [candidate])

    # side effects

    def is_pure(self, cursor, captured):
        kind = cursor.kind
        if kind in (COMPOUND_ASSIGN, STATEMENT_EXPR, NEW, DELETE, LAMBDA) or kind >= 200:
            return False
        if kind == BINARY and self.clang.getCursorBinaryOperatorKind(cursor) == ASSIGN:
            return False
        if kind == UNARY:
            op = self.clang.getCursorUnaryOperatorKind(cursor)
            if op in STEPS:
                return False
            children = self.clang.children(cursor)
            if op == ADDRESS and children and self.is_local(self.bare(children[0])):
                return False
        if kind == CALL and not self.is_pure_call(cursor):
            return False
        if kind == DECL_REF:
            self.capture(cursor, captured)
        return all(self.is_pure(child, captured) for child in self.clang.children(cursor))

    def is_local(self, cursor):
        if cursor.kind != DECL_REF:
            return False
        return self.clang.getCursorLinkage(self.clang.getCursorReferenced(cursor)) == 1

    def is_pure_call(self, cursor):
        callee = self.clang.getCursorReferenced(cursor)
        name = self.clang.name(cursor)
        if callee.kind in (METHOD, CONSTRUCTOR):
            return callee.kind == CONSTRUCTOR or bool(self.clang.CXXMethod_isConst(callee)) or bool(PURE.search(name))
        if name.startswith("operator"):
            return bool(re.fullmatch(r"operator(==|!=|<=?|>=?|[-+*&|^~!\[\]]{1,2}|->)", name)) and name not in ("operator++", "operator--")
        return bool(PURE.search(name)) or name.isupper()

    def capture(self, cursor, captured):
        """Variables that a function object must not copy: those of no scalar type, and what is referred to."""
        variable = self.clang.getCursorReferenced(cursor)
        if variable.kind not in (VARIABLE, PARAMETER) or self.clang.getCursorLinkage(variable) != 1:
            return
        if self.clang.Cursor_getStorageClass(variable) == STATIC or self.type_kind(variable) in SCALARS:
            return
        captured.add(self.clang.name(variable))


# -- the changed text ---------------------------------------------------------------------------

def without_comments(text):
    """In one line: a // must not swallow what follows it."""
    text = re.sub(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')|/\*.*?\*/|//[^\n]*', lambda m: m.group(1) or " ", text, flags=re.S)
    return " ".join(text.split())


def edits_of(site, text, is_cxx):
    """[(begin, end, new text)]"""
    original = without_comments(text[site.begin:site.end])
    wrong = {c.number: without_comments(text[site.begin:c.begin] + c.new + text[c.end:site.end]) for c in site.candidates}
    if site.form == "statement":
        return [(site.begin, site.begin, "if (!MUTANT (%d)) " % site.candidates[0].number)]
    if site.form == "swap":
        (c,) = site.candidates
        return [(begin, end, "(MUTANT (%d) ? (%s) : (%s))" % (c.number, without_comments(new), without_comments(text[begin:end])))
                for begin, end, new in (c.first, c.second)]
    if site.form == "expression":
        new = "(%s)" % original
        for number, expression in wrong.items():
            new = "(MUTANT (%d) ? (%s) : %s)" % (number, expression, new)
        return [(site.begin, site.end, new)]
    first, count = min(wrong), len(wrong)
    choice = "".join("mutant_m == %d ? !!(%s) : " % item for item in wrong.items()) + "!!(%s)" % original
    if is_cxx:
        holds = "".join(", &" + name for name in site.captured)
        function = "mutant_site (%d, %d, [=%s] (unsigned mutant_m) -> bool { return %s; })" % (first, count, holds, choice)
    else:
        function = ("({ int mutant_f (const void *mutant_c, unsigned mutant_m) { (void) mutant_c; return %s; } "
                    "mutant_choose (%d, %d, mutant_f, 0); })" % (choice, first, count))
    return [(site.begin, site.end, "(MUTANT_ANY ? %s : !!(%s))" % (function, original))]


def apply(text, sites, is_cxx, header):
    """The changed text, and for each of its lines the sites there. Lines are those of the original, but for the first."""
    edits = sorted(((*edit, site) for site in sites for edit in edits_of(site, text, is_cxx)), key=lambda edit: edit[:2])
    parts, lines, at, line = ['#include "%s"\n' % header], {}, 0, 2
    for begin, end, new, site in edits:
        parts.append(text[at:begin])
        line += parts[-1].count("\n")
        lost = text[begin:end].count("\n")
        parts.append(new + "\n" * lost)  # a macro call may span lines, and so may its replacement
        for n in range(line, line + lost + 1):
            lines.setdefault(n, []).append(site)
        line += lost
        at = end
    parts.append(text[at:])
    return "".join(parts), lines


def before_and_after(site, candidate, text):
    """One line each, with as much around the change as tells where it is."""
    before, after = text[site.begin:site.end], text[site.begin:candidate.begin] + candidate.new + text[candidate.end:site.end]
    return without_comments(before), without_comments(after) or "(left out)"
