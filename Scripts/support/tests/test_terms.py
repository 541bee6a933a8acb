import contextlib
import io
import os
import tempfile
import unittest

from load import load

terms = load("terms")


class TermsTests(unittest.TestCase):
    def run_on(self, files, *arguments):
        """The exit code and the output for a folder with some files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                code = terms.main([folder, *arguments])
            return code, output.getvalue()

    def test_plain_prose_passes(self):
        code, output = self.run_on({"README.md": "The store is locked by another process.\n"})
        self.assertEqual(code, 0)
        self.assertIn("over 3 per 10,000: none", output)

    def test_each_term_is_found(self):
        samples = {
            "lead/led": "it leads to",
            "tell/told": "it was told",
            "hear/heard": "it hears",
            "mend": "mend it",
            "anew": "anew",
            "somebody/nobody/whoever": "nobody",
            "stand/stood": "it stood",
            "is none": "that is none",
            "for ever": "for ever",
            "by turns": "by turns",
            "alike": "alike",
            "for want of": "for want of",
            "gone": "gone",
            "meanwhile": "meanwhile",
            "at once": "at once",
            "as far as": "as far as",
        }
        self.assertEqual(samples.keys(), terms.TERMS.keys())
        for term, sample in samples.items():
            code, output = self.run_on({"a.md": f"{sample} x\n"}, "--list", term)
            self.assertEqual(code, 1, term)
            self.assertIn("a.md:1: ", output)

    def test_zeros_may_lead(self):
        self.assertEqual(self.run_on({"a.md": "a number without leading zeros\n"})[0], 0)

    def test_a_term_below_the_limit_passes(self):
        words = "word " * 10_000
        self.assertEqual(self.run_on({"a.md": words + "anew anew anew\n"})[0], 0)
        self.assertEqual(self.run_on({"a.md": words + "anew anew anew anew\n"})[0], 1)

    def test_where_prose_is(self):
        for name, text in [
            ("a.swift", "/// It is told.\nstruct A {}\n"),
            ("a.swift", 'let a = "three words and told"\n'),
            ("a.c", "int a; // told\n"),
            ("a.py", "x = 1  # told\n"),
            ("Scripts/run", "# told\n"),
        ]:
            self.assertEqual(self.run_on({name: text})[0], 1, text)
        for name, text in [
            ("a.md", "A word.\n```\ntold\n```\n"),
            ("a.md", "A word and `told`.\n"),
            ("a.swift", "// A word.\nlet told = 1\n"),
            ("a.swift", '// A word.\nlet a = "told"\n'),
        ]:
            self.assertEqual(self.run_on({name: text})[0], 0, text)

    def test_summaries_need_a_subject(self):
        text = "/// Whether it is open.\n@frozen public struct A {}\n"
        code, output = self.run_on({"Sources/A/a.swift": text}, "--list", "summaries")
        self.assertEqual(code, 1)
        self.assertIn("a.swift:1: Whether it is open.", output)
        for fine in [
            "/// A Boolean value that indicates whether it is open.\npublic struct A {}\n",
            "/// A list.\n///\n/// Whether it is open is unknown.\npublic struct A {}\n",
        ]:
            self.assertEqual(self.run_on({"Sources/A/a.swift": fine})[0], 0, fine)
        self.assertEqual(self.run_on({"Tests/A/a.swift": text})[0], 0)
        internal = "/// Whether it is open.\nstruct A {}\n"
        self.assertEqual(self.run_on({"Sources/A/a.swift": internal})[0], 1)
        self.assertEqual(self.run_on({"Tests/A/Sources/A/a.swift": internal})[0], 0)

    def test_comments_have_120_columns(self):
        line = "/// " + "x" * 116 + "\n"
        self.assertEqual(self.run_on({"a.swift": line})[0], 0)
        self.assertEqual(self.run_on({"a.swift": " " + line}, "--list", "columns")[0], 1)
        self.assertEqual(self.run_on({"a.swift": "/// https://" + "x" * 120 + "\n"})[0], 0)
        self.assertEqual(self.run_on({"a.py": "#" + line}, "--list", "columns")[0], 1)
        self.assertEqual(self.run_on({"a.swift": "// One.\n#\"" + "x" * 120 + "\"#\n"})[0], 0)

    def test_a_folder_without_prose_is_an_error(self):
        with self.assertRaises(SystemExit):
            self.run_on({"a.txt": "told\n"})


if __name__ == "__main__":
    unittest.main()
