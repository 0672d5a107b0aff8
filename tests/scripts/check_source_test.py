#!/usr/bin/env python3
"""Each rule of scripts/check-source fails on a tree that breaks it, and accepts one that does not."""

import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


check_source = load("check-source")
WORDS = check_source.read_words(SCRIPTS / "retired-words.txt")


def sample(pattern):
    """A short text that the regular expression matches."""
    def of(item):
        kind, value = str(item[0]), item[1]
        if kind == "LITERAL":
            return chr(value)
        if kind == "IN":
            return {"RANGE": lambda v: chr(v[0]), "LITERAL": chr, "CATEGORY": lambda v: "1"}[str(value[0][0])](value[0][1])
        if kind == "BRANCH":
            return every(value[1][0])
        if kind == "SUBPATTERN":
            return every(value[3])
        if kind == "MAX_REPEAT":
            return value[0] * every(value[2])
        return every(value[1]) if kind == "ASSERT" else ""  # a negative assertion or an edge takes no text

    def every(items):
        return "".join(of(item) for item in items)
    return every(importlib.import_module("re._parser" if hasattr(re, "_parser") else "sre_parse").parse(pattern))


class RuleCase(unittest.TestCase):
    def violations(self, rule, files):
        """"path:line message" of each violation of the rule in a tree of these files."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return [f"{path}:{line} {message}" for path, line, _, message in
                    check_source.check(folder, WORDS, [rule])]

    def assert_found(self, rule, files, *expected):
        found = self.violations(rule, files)
        self.assertEqual(len(found), len(expected), found)
        for violation, words in zip(found, expected):
            self.assertIn(words, violation)

    def assert_clean(self, rule, files):
        self.assertEqual(self.violations(rule, files), [])


class Words(RuleCase):
    def test_retired_words_are_found_in_code_comments_pages_and_paths(self):
        self.assert_found("words", {"cli/a.cpp": "int x;\nint told_once;  // as asked\n"}, "a.cpp:2 ", "a.cpp:2 ")
        self.assert_found("words", {"README.md": "The kernel\nsays so.\n"}, "README.md:2 retired word: says")
        self.assert_found("words", {"properties/wish.cpp": ""}, "wish.cpp:1 retired word in the path: wish")

    def test_the_replacement_is_part_of_the_message(self):
        self.assert_found("words", {"a.cpp": "double power;\n"}, "power; write sensitivity")

    def test_parts_of_other_words_are_accepted(self):
        self.assert_clean("words", {"a.cpp": "powf(x); task(); essays; a power of two; masked; unasked2();\n"})

    def test_a_type_is_found_only_where_it_is_used_as_one(self):
        self.assert_found("words", {"a.cpp": "// Past the end. Setting the value is enough.\nPast past;\nf(Setting& s);\n"},
                          "a.cpp:2 ", "a.cpp:3 ")

    def test_a_line_marked_as_a_retired_spelling_is_accepted(self):
        self.assert_clean("words", {"a.cpp": 'event["power"] = x;  // retired spelling\n'})
        self.assert_found("words", {"a.cpp": '// retired spelling\nevent["power"] = x;\n'}, "a.cpp:2 ")

    def test_only_the_first_column_of_the_changelog_holds_retired_words(self):
        self.assert_clean("words", {"CHANGELOG.md": "| `asked`, `power` | `in_domain` | console |\n"})
        self.assert_found("words", {"CHANGELOG.md": "| `in_domain` | `asked` | console |\n\nThe asked cases.\n"},
                          "CHANGELOG.md:1 ", "CHANGELOG.md:3 ")
        self.assert_found("words", {"README.md": "| `asked` | `in_domain` |\n"}, "README.md:1 ")

    def test_every_rule_of_the_table_matches_something(self):
        for regex, _, _ in WORDS:
            with self.subTest(regex.pattern):
                self.assertTrue(self.violations("words", {"a.cpp": f"int a; {sample(regex.pattern)}\n"}))


class Comments(RuleCase):
    def test_openings_that_lack_subject_and_verb_are_found(self):
        self.assert_found("comments", {"a.hpp": "/// What a launch takes.\nint a;  // Of the block.\n"},
                          "a.hpp:1 ", "a.hpp:2 ")
        self.assert_found("comments", {"CMakeLists.txt": "# Whether tests are built\n"}, "CMakeLists.txt:1 ")
        self.assert_found("comments", {"scripts/x": "#!/bin/bash\n# What it does\n"}, "scripts/x:2 ")
        self.assert_found("comments", {"a.hpp": "int a;  // of the block\n"}, "a.hpp:1 ")
        self.assert_found("comments", {"a.hpp": "int a;  // likewise\n"}, "a.hpp:1 ")
        self.assert_found("comments", {"a.py": '"' * 3 + 'What it does."\n'}, "a.py:1 ")

    def test_a_preposition_opens_no_comment_behind_code(self):
        self.assert_found("comments", {"a.hpp": "int a;  // in bytes\nint b;  // For errors\n"}, "a.hpp:1 ", "a.hpp:2 ")
        self.assert_found("comments", {"a.py": "a = 1  # by name\n"}, "a.py:1 ")
        self.assert_clean("comments", {"a.hpp": "// For each block, it counts.\nint a;  // index of the block\n"})
        self.assert_clean("comments", {"a.sh": "#!/bin/bash\ncase $# in\n"})

    def test_the_second_line_of_a_comment_is_no_opening(self):
        self.assert_clean("comments", {"a.cpp": "// The rows follow.\n// Of these, the first counts.\n"})
        self.assert_clean("comments", {"a.cpp": "int a;  // number of the rows\n        // of a block\n"})
        self.assert_clean("comments", {"a.cpp": "// Whatever. Offset.\n"})
        self.assert_clean("comments", {"a.cpp": 'print("// What follows");\n'})


class Names(RuleCase):
    def test_an_identifier_that_begins_with_of_is_found(self):
        self.assert_found("names", {"a.cpp": "int of_block(int x);\nbool of_row_ = f(x.of_kind);\n"},
                          "a.cpp:1 of_block ", "a.cpp:2 of_kind ", "a.cpp:2 of_row_ ")

    def test_other_words_comments_and_strings_are_accepted(self):
        self.assert_clean("names", {"a.cpp": "int size_of_row;  // of_row\nf(\"of_row\", R\"x(\"of_row\")x\");\n"})


class Sizes(RuleCase):
    def test_a_body_of_61_lines_is_too_long(self):
        for head in ("int f(int a = 1) {", "struct S {\n S(int a) : a_{a}, b_(a) {", "namespace {\nvoid S::f() const try {",
                     "template <class T>\nauto f() -> T {"):
            self.assert_clean("functions", {"base/a.cpp": head + "\n" * 61 + "}\n"})
            self.assert_found("functions", {"base/a.cpp": head + "\n" * 30 + "if (a) { g(); }" + "\n" * 32 + "}\n"},
                              "() has 61 lines; at most 60")
        self.assert_clean("functions", {"base/a.cpp": "const int a[] = {" + "\n" * 99 + "};\nstruct S {" + "\n" * 99 + "};\n",
                                        "tests/a.cpp": "void f() {" + "\n" * 99 + "}\n"})

    def test_an_exception_that_is_no_longer_needed_is_found(self):
        with unittest.mock.patch.dict(check_source.LONG_FUNCTIONS, {"base/a.cpp: f": "a table"}):
            self.assert_clean("functions", {"base/a.cpp": "void f() {" + "\n" * 99 + "}\n"})
            self.assert_found("functions", {"base/a.cpp": "void f() {}\n"}, "remove it from LONG_FUNCTIONS")

    def test_a_test_name_of_61_characters_is_too_long(self):
        self.assert_clean("test-names", {"a_test.cpp": "TEST(Suite, " + "N" * 54 + ") {}\n"})
        for macro in ("TEST", "TEST_F", "TEST_P", "RC_GTEST_PROP"):
            self.assert_found("test-names", {"a_test.cpp": f"\n{macro}(Suite,\n     " + "N" * 55 + ") {}\n"},
                              "a_test.cpp:2 Suite.NNN")


class Includes(RuleCase):
    def test_two_folders_that_include_each_other_are_a_cycle(self):
        files = {"one/a.hpp": '#include "two/b.hpp"\n', "two/b.hpp": "", "two/c.hpp": '\n#include "one/a.hpp"\n'}
        found = self.violations("cycles", files)
        self.assertEqual(len(found), 1, found)
        self.assertIn("one -> two (1 includes), two -> one (1 includes)", found[0])
        del files["two/c.hpp"]
        self.assert_clean("cycles", files)

    def test_a_cycle_over_three_folders_is_found(self):
        self.assert_found("cycles", {"a/a.hpp": '#include "b/b.hpp"\n', "b/b.hpp": '#include "b/c/c.hpp"\n',
                                     "b/c/c.hpp": '#include "a/a.hpp"\n'}, "a -> b (1 includes), b -> b/c")

    def test_a_room_that_includes_one_above_it_is_found(self):
        tree = {f"{room}/x.hpp": "" for room in ("base", "reference", "device", "contract", "report", "cli")}
        for path, above in (("reference/a.cpp", "device"), ("device/a.cpp", "reference"), ("contract/a.cpp", "device"),
                            ("campaign/case/a.cpp", "report"), ("workflows/fuzz/a.cpp", "cli"), ("base/a.cpp", "device"),
                            ("device/virtual/semantics/a.cpp", "contract")):
            self.assert_found("arrows", tree | {path: f'#include "{above}/x.hpp"\n'}, f"{path}:1 ")

    def test_a_room_of_the_virtual_device_includes_only_those_below_it(self):
        tree = {f"device/virtual/{room}/x.hpp": "" for room in ("semantics", "machine", "isa", "checks")}
        checks, isa = "device/virtual/checks/a.cpp", "device/virtual/isa/a.cpp"
        self.assert_found("arrows", tree | {checks: '#include "device/virtual/machine/x.hpp"\n'}, "is not below")
        self.assert_clean("arrows", tree | {isa: '#include "device/virtual/machine/x.hpp"\n'})
        self.assert_clean("arrows", tree | {"device/virtual/a.cpp": '#include "device/virtual/checks/x.hpp"\n'})

    def test_tests_include_every_room(self):
        self.assert_clean("arrows", {"base/a.hpp": "", "tests/base/a.cpp": '#include "base/a.hpp"\n'})


class Unused(RuleCase):
    HEADER = "namespace w {\n/// Not g().\nvoid f(int a);\nvoid g();\nstruct S {\n  void h() const;\n  int i() { return 1; }\n};\n}\n"
    SOURCE = "void w::f(int a) { g(); f(a); }\nvoid w::g() { f(1); }\nvoid w::S::h() const {}\n"

    def test_functions_that_no_other_source_names_are_found(self):
        self.assert_found("unused", {"base/a.hpp": self.HEADER, "base/a.cpp": self.SOURCE},
                          "base/a.hpp:3 no other source names f()", "base/a.hpp:4 no other source names g()",
                          "base/a.hpp:6 no other source names h()", "base/a.hpp:7 no other source names i()")

    def test_functions_that_another_source_names_are_accepted(self):
        self.assert_clean("unused", {"base/a.hpp": self.HEADER, "base/a.cpp": self.SOURCE,
                                     "tests/a_test.cpp": "TEST(A, B) { w::f(1); w::g(); S().h(); S().i(); }\n"})

    def test_members_may_be_used_by_their_own_source(self):
        self.assert_clean("unused", {"base/a.hpp": "struct S {\n  void f();\n  S();\n  int x_ = g(1);\n};\n",
                                     "base/a.cpp": "S::S() { f(); }\nvoid S::f() {}\n"})

    def test_functions_that_others_call_are_accepted(self):
        self.assert_clean("unused", {"library/include/a.hpp": "void f();\n", "runtime/a.hpp": "void __called_by_nvcc();\n",
                                     "base/a.hpp": "bool operator==(A, B);\nstruct T { operator int() const; };\n"})


class Namespaces(RuleCase):
    def test_a_namespace_of_another_room_is_found(self):
        self.assert_found("namespace", {"report/a.cpp": "namespace warpcheck::cli { void f() {} }\n"}, "report/a.cpp:1 ")
        self.assert_found("namespace", {"report/a.hpp": "namespace warpcheck::cli { void f(); }\n"}, "report/a.hpp:1 ")
        self.assert_found("namespace", {"properties/a.hpp": "int x;\n"}, "opens no namespace")

    def test_only_the_shared_vocabulary_opens_the_root_namespace(self):
        self.assert_clean("namespace", {"device/finding.hpp": "namespace warpcheck { struct Finding {}; }\n"})
        self.assert_found("namespace", {"device/job.hpp": "namespace warpcheck { struct Job {}; }\n"}, "device/job.hpp:1 ")

    def test_inner_namespaces_and_forward_declarations_are_accepted(self):
        self.assert_clean("namespace", {"report/html/a.hpp": "namespace warpcheck::properties { class Case; }\n"
                                        "namespace warpcheck::report::html { namespace detail { struct A {}; } }\n"
                                        "namespace std { template <> struct hash<int> {}; }\n"})


class Operations(RuleCase):
    def test_a_test_of_the_kind_of_an_operation_is_found(self):
        for test in ("if (contract.tensors != nullptr) return {};", "return contract_.tensors == nullptr;",
                     "if (nullptr != variant.contract.tensors) f();", "if (contract.tensors) f();",
                     "if (!joint.contract().tensors) f();", "const int a = contract->tensors ? 1 : 2;",
                     "return contract.tensors && b;", "const bool a = problem.operation.empty();",
                     "if (!problem.layouts.tensors.empty()) f();"):
            for path in ("campaign/run/a.cpp", "workflows/profile/a.cpp", "cli/commands/a.cpp", "library/a.cpp"):
                self.assert_found("operations", {path: f"\n{test}\n"}, f"{path}:2 tests the kind")

    def test_the_name_of_an_operation_is_found(self):
        for name in ('"softmax"', "Gemm product;", "is_gemm(contract)", "layer_norm()", "RmsNorm"):
            self.assert_found("operations", {"report/a.hpp": f"{name}\n"}, "report/a.hpp:1 names an operation")
        self.assert_found("operations", {"device/a.cpp": 'f("// gemm");\n'}, "device/a.cpp:1 ")

    def test_a_field_of_the_product_of_matrices_is_found(self):
        for use in ('problem.whole("k") == 0', 'failure->problem.number("m")', 'x.set_value("lda", 2)', 'line.value("batch")',
                    "Product(problem)", "const Product product(line)", "problem.alpha", 'name == "A"'):
            self.assert_found("operations", {"campaign/a.cpp": f"f({use});\n"},
                              "campaign/a.cpp:1 uses a field or an operand")
        self.assert_clean("operations", {
            "campaign/a.cpp": 'f(place.batch, problem.value("key"), x.alpha(), "a", "Am"); // problem.whole("k")\n',
            "campaign/matrices/a.cpp": 'f("gemm", Product(problem));\n',
            "device/a.cpp": "f(shape.m);\n",
            "library/a.cpp": 'extern "C" int f();\n'})

    def test_comments_members_and_other_rooms_are_accepted(self):
        self.assert_clean("operations", {
            "campaign/a.cpp": "// sgemm, softmax\nfor (auto& t : contract.tensors->tensors) f(t); /* gemm */\n",
            "report/a.cpp": "for (const auto& tensor : contract.tensors) f(values.tensors);\n",
            "contract/a.cpp": "if (contract.tensors == nullptr) gemm();\n",
            "campaign/matrices/a.cpp": 'f("gemm", Product(problem));\n'})

    def test_an_exception_that_nothing_needs_is_found(self):
        self.assert_found("operations", {"campaign/run/operands.hpp": "int a;\n"}, "remove it from OF_PRODUCTS")


class Types(RuleCase):
    def test_one_type_of_two_headers_is_found(self):
        self.assert_found("types", {"a/a.hpp": "namespace w::p {\nstruct J { int x; };\n}\n",
                                    "b/b.hpp": "namespace w {\nnamespace p {\n\nclass J final : public A {};\n}\n}\n"},
                          "b/b.hpp:4 defines w::p::J, which a/a.hpp:2 defines")

    def test_types_of_two_source_files_in_one_named_namespace_are_found(self):
        text = "namespace w {\n%s\n}\n"
        for kind in ("struct Local { int x; };", "enum class Local { a };", "template <class T> struct Local {};"):
            self.assert_found("types", {"a.cpp": text % kind, "b.cpp": text % kind}, "defines w::Local")

    def test_types_that_only_look_alike_are_accepted(self):
        self.assert_clean("types", {
            "a.cpp": "namespace w { namespace { struct A {}; } void f() { struct B {}; } struct C { struct D {}; }; }\n"
                     "namespace w { template <> struct S<int> {}; struct E f(struct A a) { return {}; } }\n",
            "b.cpp": "namespace w { namespace { struct A {}; } void g() { struct B {}; } struct F { struct D {}; }; }\n"
                     "namespace w { template <> struct S<long> {}; struct C; } // struct C {};\n"
                     "const char* text = \"namespace w { struct C {}; }\";\n"})


if __name__ == "__main__":
    unittest.main()
