import contextlib
import io
import os
import sys
import tempfile
import unittest
from unittest import mock

from load import load

structure = load("structure")


class StructureTests(unittest.TestCase):
    def check(self, files):
        files = {"Context/C.swift": "class ManagedObjectContext {\n    var name = 0\n}\n", **files}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            output = io.StringIO()
            with mock.patch.object(sys, "argv", ["structure", "--check", folder]), contextlib.redirect_stdout(output):
                with self.assertRaises(SystemExit) as ended:
                    structure.main()
            return ended.exception.code, output.getvalue()

    def test_a_cycle_of_files(self):
        def ring(count):
            return {
                f"T+{i}.swift": f"extension T {{\n    func f{i}() {{\n        f{(i + 1) % count}()\n    }}\n}}\n"
                for i in range(count)
            }

        self.assertEqual(self.check(ring(6)), (0, ""))
        code, output = self.check(ring(7))
        self.assertEqual(code, 1)
        self.assertIn("'T' has a cycle of 7 files, more than 6", output)

    def test_names_of_variables_are_no_calls(self):
        source = "extension T {{\n    func f{0}() {{\n        let f{1} = 1\n        for (f{1}, _) in all {{ g {{ f{1} in f{1} }} }}\n    }}\n}}\n"
        self.assertEqual(self.check({f"T+{i}.swift": source.format(i, (i + 1) % 7) for i in range(7)}), (0, ""))

    def test_stored_properties_of_the_context(self):
        def context(count):
            return {"Context/C.swift": "class ManagedObjectContext {\n" + "".join(f"    var p{i} = 0\n" for i in range(count)) + "}\n"}

        self.assertEqual(self.check(context(15))[0], 0)
        code, output = self.check(context(16))
        self.assertEqual(code, 1)
        self.assertIn("'ManagedObjectContext' has 16 stored properties, more than 15", output)

    def test_a_folder_without_the_context(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("has no type 'ManagedObjectContext'", list(structure.check(structure.pathlib.Path(folder), []))[0])

    def test_writes_outside_of_the_gate(self):
        for line in [
            "object.state = .clean", "object.changes = nil", "known.detachmentReason = .deletion",
            "object.toOneReference(field).pointee.key = 0", "reference.pointee.storage = nil",
            "reference.pointee.object = other", "(base + offset).assumingMemoryBound(to: ToOneSlot.self).pointee.object = nil",
            "object.changes?.unset.insert(1)", "object.changes?.changed.remove(1)", "address.assumingMemoryBound(to: ToOneSlot.self).pointee = ToOneSlot()",
        ]:
            source = f"func f() {{\n    {line}\n}}\n"
            code, output = self.check({"Saving/a.swift": source})
            self.assertEqual(code, 1, line)
            self.assertIn(f"Saving/a.swift:2: '{line}' writes the state of an object", output)
            self.assertEqual(self.check({"Graph/RemoteState.swift": source})[0], 1, line)
            self.assertEqual(self.check({"Graph/ObjectEditor+A.swift": source})[0], 0, line)
        for line in ["if object.state == .clean {}", "row.changes = nil", "// object.state = .clean", 'print("a.state = 1")']:
            self.assertEqual(self.check({"Saving/a.swift": f"func f() {{\n    {line}\n}}\n"})[0], 0, line)

    def test_the_lists_have_no_unneeded_entries(self):
        sources = structure.pathlib.Path(__file__).parents[3] / "Sources/Chordata"
        for entries, pattern in [(structure.GATE, structure.STATE_WRITES), (structure.CONNECTION_USERS, structure.CONNECTION)]:
            for entry in entries:
                files = list(sources.glob(entry if entry.endswith(".swift") else entry + "*.swift"))
                self.assertTrue(any(pattern.search(structure.without_text(file.read_text())) for file in files), entry)

    def test_components_do_not_know_the_context(self):
        code, output = self.check({"Saving/S.swift": "struct S {\n    let context: ManagedObjectContext\n}\n"})
        self.assertEqual(code, 1)
        self.assertIn("names the context; components do not know it", output)
        self.assertEqual(self.check({"Saving/S.swift": "// Of a ManagedObjectContext.\n"}), (0, ""))
        self.assertEqual(self.check({"Results/R.swift": "struct S {\n    let context: ManagedObjectContext\n}\n"}), (0, ""))

    def test_sql_and_result_codes_outside_of_the_store(self):
        for line in [
            'let sql = "SELECT a FROM b WHERE c = ?"', 'let sql = "SELECT 1 FROM b WHERE \\"_id\\" = ?"', "sqlite3_interrupt(handle)",
            "UPDATE b SET c = NULL WHERE d IN (SELECT value FROM json_each(?))", 'let sql = "PRAGMA user_version"', 'let sql = "SELECT name FROM sqlite_schema"',
            "guard error.sqliteCode == 0 else { return }",
        ]:
            code, output = self.check({"Reading/R.swift": f"func f() {{\n    {line}\n}}\n"})
            self.assertEqual(code, 1, line)
            self.assertIn("R.swift:2", output)
            self.assertEqual(self.check({"SQLite/R.swift": f"func f() {{\n    {line}\n}}\n"}), (0, ""))
        self.assertEqual(self.check({"Reading/R.swift": 'let sql = "SELECT a FROM b WHERE c = \\(dialect.parameters(1...1))"\n'}), (0, ""))

    def test_writes_of_the_graph(self):
        for line in ["graph.event.refreshed.append(object)", "graph.remote.hasMerged = true", "graph.event.refreshed += all",
                     "graph.remote.deferred[key] = row", "let all = graph.unsaved.takeObjects()"]:
            code, output = self.check({"Merging/M.swift": f"func f() {{\n    {line}\n}}\n"})
            self.assertEqual(code, 1, line)
            self.assertIn("writes the state of the object graph", output)
            self.assertEqual(self.check({"Graph/ObjectGraph+M.swift": f"func f() {{\n    {line}\n}}\n"}), (0, ""))
        for line in ["if graph.event.isEmpty == true { return }", "let all = graph.event.refreshed.count", "if graph.remote.changed.contains(object) { return }"]:
            self.assertEqual(self.check({"Merging/M.swift": f"func f() {{\n    {line}\n}}\n"}), (0, ""), line)

    def test_walks(self):
        files = {f"F{i}/A.swift": "" for i in range(10)}

        def walk(count):
            lines = "".join(f"{i + 1}. `F{i}/A.swift`: text\n" for i in range(count))
            return {**files, "Chordata.docc/Architecture.md": f"# A\n\n## A walk\n\n{lines}"}

        self.assertEqual(self.check(walk(9)), (0, ""))
        code, output = self.check(walk(10))
        self.assertEqual(code, 1)
        self.assertIn("the walk 'A walk' changes the folder 9 times, more than 8", output)
        code, output = self.check({"Chordata.docc/Architecture.md": "## B\n\n1. `F/A.swift`: text\n"})
        self.assertIn("names 'F/A.swift', which does not exist", output)

    def test_lines_of_the_context(self):
        body = "".join("        f()\n" for _ in range(1001))
        code, output = self.check({"Context/C.swift": f"class ManagedObjectContext {{\n    func g() {{\n{body}    }}\n}}\n"})
        self.assertEqual(code, 1)
        self.assertIn("move them to a component", output)


if __name__ == "__main__":
    unittest.main()
