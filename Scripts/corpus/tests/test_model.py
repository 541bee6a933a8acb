import os

import bundlefiles
import swiftnames
import xmlmodel
from forms import UnknownForm
from small import FolderTest, element


class Models(FolderTest):
    def test_class_names(self):
        found = self.model(
            '<entity name="A" representedClassName="Module.Foo"/><entity name="B" representedClassName=".Bar"/>'
            '<entity name="C" representedClassName="."/><entity name="D" representedClassName="Module."/>'
            '<entity name="E" representedClassName="Same"/><entity name="F" representedClassName="App.Same"/>'
            '<entity name="G" representedClassName="CoreData.NSManagedObject"/><entity name="H" representedClassName="a b"/>'
            '<entity name="I" representedClassName="extension"/><entity name="J"/>').classes
        self.assertEqual(found, {"A": "Foo", "B": "Bar", "C": "C", "D": "D", "E": "E", "F": "F", "G": "G", "H": "H",
                                 "I": "`extension`", "J": "J"})

    def test_flags_and_counts(self):
        for text, expected in [("YES", True), ("true", True), ("1", True), ("NO", False), ("maybe", False)]:
            self.assertIs(xmlmodel.yes(element(f'<a x="{text}"/>'), "x"), expected, text)
        self.assertIsNone(xmlmodel.count(element('<a x="many"/>'), "x"))
        for text, expected in [('toMany="YES"', True), ('maxCount="1"', False), ('maxCount="10"', True), ("", False),
                               ('maxCount="0"', True)]:
            self.assertIs(xmlmodel.is_to_many(element(f"<relationship {text}/>")), expected, text)
        self.assertFalse(xmlmodel.is_ordered(element('<relationship maxCount="1" ordered="YES"/>')))

    def test_redeclared_properties_are_one(self):
        found = self.model(
            '<entity name="Child" parentEntity="Parent"><attribute name="x" attributeType="String"/>'
            '<attribute name="y" attributeType="String"/></entity>'
            '<entity name="Parent"><attribute name="x" attributeType="String"/></entity>')
        self.assertEqual(found.counts(), (2, 2, 0))
        self.assertEqual([a.get("name") for a in found.attributes(found.by_name["Child"])], ["x", "y"])

    def test_parents_that_do_not_work(self):
        for body in ('<entity name="A" parentEntity="B"/>', '<entity name="A" parentEntity="A"/>',
                     '<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>', "<entity/>"):
            with self.assertRaises(UnknownForm):
                self.model(body)

    def test_composites(self):
        body = ('<entity name="A"><attribute name="a" attributeType="Composite" composite="One"/></entity><composite name="One">'
                '<attribute name="b" attributeType="Composite" composite="{}"/><attribute name="c" attributeType="String"/></composite>'
                '<composite name="None_"/>')
        self.assertEqual(self.model(body.format("None_")).counts(), (1, 1, 0))
        with self.assertRaisesRegex(UnknownForm, "contains itself"):
            self.model(body.format("One")).counts()
        with self.assertRaisesRegex(UnknownForm, "no such composite"):
            self.model(body.format("Missing")).counts()

    def test_inverses(self):
        found = self.model(
            '<entity name="A"><relationship name="b" destinationEntity="B" inverseName="as"/>'
            '<relationship name="other" destinationEntity="B" inverseName="as"/>'
            '<relationship name="none" destinationEntity="B" inverseName="nothing"/></entity>'
            '<entity name="B"><relationship name="as" toMany="YES" destinationEntity="A" inverseName="b"/></entity>')
        a, b = found.entities
        self.assertIs(found.inverse(a, a.relationships[0]), b.relationships[0])
        self.assertIsNone(found.inverse(a, a.relationships[1]))
        self.assertIsNone(found.inverse(a, a.relationships[2]))
        self.assertEqual(self.model("").counts(), (0, 0, 0))

    def test_names(self):
        self.assertEqual(swiftnames.model_type("a/Gr\u00f6\u00dfe.1.xcdatamodeld"), "Gr__e_1Model")
        self.assertEqual(swiftnames.model_type("a/e\u0301.xcdatamodeld"), "_Model")
        self.assertEqual(swiftnames.function_name("All Items"), "all_Items")
        self.assertEqual(swiftnames.function_name("2nd"), "_2nd")
        self.assertEqual(swiftnames.property_name("isFault"), "isFault_")
        self.assertEqual(swiftnames.property_name("private"), "`private`")


class Bundles(FolderTest):
    def bundle(self, *versions, current=None):
        for name in versions:
            self.contents("", f"M.xcdatamodeld/{name}.xcdatamodel/contents")
        if current is not None:
            self.write("M.xcdatamodeld/.xccurrentversion", current)
        return os.path.join(self.folder, "M.xcdatamodeld")

    def test_natural_order(self):
        names = ["M 10", "M 2", "M", "M 02", "M a", "L", "M 2b"]
        self.assertEqual(sorted(names, key=bundlefiles.natural), ["L", "M", "M 02", "M 2", "M 2b", "M 10", "M a"])
        sorted(["1a", "a1", "\u00b2", "", "2"], key=bundlefiles.natural)

    def test_current(self):
        plist = "<plist><dict><key>_XCCurrentVersionName</key><string>{}</string></dict></plist>"
        for text, expected in [(None, "M 10"), (plist.format("M.xcdatamodel"), "M"), (plist.format("Nothing.xcdatamodel"), "M 10"),
                               ("<plist><dict/></plist>", "M 10"), ("garbage", "M 10"), (plist.format(""), "M 10")]:
            self.assertEqual(bundlefiles.current(self.bundle("M", "M 2", "M 10", current=text)), expected, text)

    def test_names_with_entities(self):
        bundle = self.bundle("A & B", "Z", current="<plist><dict><key>_XCCurrentVersionName</key>"
                                                   "<string>A &amp; B.xcdatamodel</string></dict></plist>")
        self.assertEqual(bundlefiles.current(bundle), "A & B")

    def test_formats(self):
        bundle = self.bundle("M")
        self.write("M.xcdatamodeld/Old.xcdatamodel/elements", b"bplist00")
        self.write("M.xcdatamodeld/None.xcdatamodel/readme")
        self.write("M.xcdatamodeld/Binary.xcdatamodel/contents", b"bplist00")
        self.write("M.xcdatamodeld/._M.xcdatamodel")
        self.assertEqual(list(bundlefiles.versions(bundle)), ["M"])
        self.assertEqual(set(bundlefiles.unreadable(bundle)), {"Old", "None", "Binary"})
        self.assertIn("Xcode 3", bundlefiles.unreadable(bundle)["Old"])

    def test_empty_bundle(self):
        self.write("E.xcdatamodeld/readme")
        bundle = os.path.join(self.folder, "E.xcdatamodeld")
        self.assertEqual(bundlefiles.bundles(self.folder), [bundle])
        with self.assertRaises(UnknownForm):
            bundlefiles.current(bundle)

    def test_copies_can_be_changed(self):
        bundle = self.bundle("M")
        os.chmod(os.path.join(bundle, "M.xcdatamodel", "contents"), 0o444)
        os.chmod(bundle, 0o555)
        copy = os.path.join(self.folder, "copy")
        bundlefiles.copy(bundle, copy)
        os.chmod(bundle, 0o755)
        self.assertTrue(os.stat(copy).st_mode & 0o200)
        self.assertTrue(os.stat(os.path.join(copy, "M.xcdatamodel", "contents")).st_mode & 0o200)
