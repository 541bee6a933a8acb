import contextlib
import io
import os
import tempfile
import unittest

from load import load

rules = load("rules")

TABLE = "| code | rule | Chordata | test | under NS names |\n|---|---|---|---|---|\n"
LAYER_SUITE = """struct LayerTests {
    @Test func moves() {}
}
"""
SUITE = """@MainActor struct OtherTests {
    @Test func rests() {}
}

@Suite(.serialized) struct ListTests {
    struct Row {}
    @Test func moves() {}
}
"""


class RulesTests(unittest.TestCase):
    def run_on(self, table, source="/// F27: a move.\nstruct A {}\n"):
        with tempfile.TemporaryDirectory() as folder:
            files = {
                rules.CATALOGUE: TABLE + table,
                "Sources/A/a.swift": source,
                "Tests/t.swift": SUITE,
                "Tests/CoreDataTests/t.swift": LAYER_SUITE,
            }
            for name, text in files.items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                code = rules.main(folder)
            return code, output.getvalue()

    def test_a_defined_and_tested_rule(self):
        code, output = self.run_on("| F27 | moves | same | `ListTests/moves` | `LayerTests/moves` |\n")
        self.assertEqual(code, 0, output)
        self.assertIn("1 rules, 1 citations, 0 rules without a test: none", output)

    def test_a_code_that_is_not_defined(self):
        code, output = self.run_on("| F26 | moves | same | none | not tested |\n")
        self.assertEqual(code, 1)
        self.assertIn("Sources/A/a.swift:1: 'F27' is not defined", output)

    def test_a_test_that_does_not_exist(self):
        for test in ["`ListTests/stays`", "`OtherTests/moves`", "`ListTests/rests`", "somewhere"]:
            self.assertEqual(self.run_on(f"| F27 | moves | same | {test} | not tested |\n")[0], 1, test)

    def test_a_test_under_ns_names(self):
        for test in ["`LayerTests/stays`", "`ListTests/moves`", "somewhere"]:
            self.assertEqual(self.run_on(f"| F27 | moves | same | none | {test} |\n")[0], 1, test)
        code, output = self.run_on("| F27 | moves | same | none | not tested |\n")
        self.assertEqual(code, 0, output)
        self.assertIn("1 rules under NS names, 1 without a test: F27", output)

    def test_a_row_without_the_last_column(self):
        self.assertEqual(self.run_on("| F27 | moves | same | none |\n")[0], 1)

    def test_a_code_that_is_defined_twice(self):
        self.assertEqual(self.run_on("| F27 | moves | same | none | no names with NS |\n" * 2)[0], 1)

    def test_what_is_no_citation(self):
        fine = "| F27 | moves | same | none | no names with NS |\n"
        for source in ["let F99 = 1\n", "/// `F99` is code.\n", "/// G3 of the benchmark.\n", "/// See 1.F99 and /F99.\n"]:
            self.assertEqual(self.run_on(fine, source)[0], 0, source)
        self.assertEqual(self.run_on(fine, "/// As 5B step 7 asks.\n")[0], 1)


if __name__ == "__main__":
    unittest.main()
