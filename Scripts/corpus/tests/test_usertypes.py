import unittest

import swifttypes
import usertypes
from forms import UnknownForm
from small import attribute


def coded(cls, generated="", **notes):
    """The type of a Transformable attribute as text; None where it is bytes."""
    found = usertypes.user_type(attribute("Transformable", customClassName=cls, notes=notes), generated)
    return found and swifttypes.plain_text(found.type)


class CustomClasses(unittest.TestCase):
    def test_forms(self):
        for cls, expected in [
            ("X", "X"), ("[X]", "Array<X>"), ("Array<X>", "Array<X>"), ("[String]", "Array<String>"), ("String", "String"),
            ("Swift.String", "String"), ("Foundation.Date", "Date"), ("[String: X]", "Dictionary<String, X>"),
            ("Module.X", "Module.X"), (".X", "X"), ("Box<String>", "Box<String>"), (" [ X ] ", "Array<X>"),
            ("[X?]", "Array<Optional<X>>"),
        ]:
            self.assertEqual(coded(cls), expected, cls)

    def test_no_class(self):
        for cls in ("", ".", "Module.", "Any", "[Any]", "[String: Any]", "AnyObject", "X?", "NSArray *", "a b", "[.X]", "(Int, Int)",
                    "inout", "\u00c4pfel", "..X"):
            self.assertIsNone(coded(cls), cls)

    def test_capitals_are_not_apples(self):
        self.assertEqual(coded("UID"), "UID")
        for cls in ("UIColor", "NSArray", "NSURL", "NSUUID", "CLLocation", "UIKit.UIColor"):
            self.assertIsNone(coded(cls), cls)

    def test_generated_code_decides_names_that_do_not(self):
        self.assertIsNone(coded("UICustomThing"))
        self.assertEqual(coded("UICustomThing", "    var x: UICustomThing? {"), "UICustomThing")
        self.assertIsNone(coded("[UIColor]", "    var x: Foundation.Data {"))
        self.assertEqual(coded("[UIColor]", "    var x: [UIColor] {"), "Array<UIColor>")
        # A class that is certainly Apple's remains one.
        self.assertIsNone(coded("UIColor", "    var x: UIColor {"))

    def test_notes_come_first(self):
        self.assertEqual(coded("NSArray", attributeValueClassName="Hue"), "Hue")
        self.assertIsNone(coded("Hue", attributeValueClassName="*Color"))

    def test_unknown_standard_types(self):
        with self.assertRaises(UnknownForm):
            coded("Foundation.NSPredicate")

    def test_other_kinds_have_no_class(self):
        self.assertIsNone(usertypes.user_type(attribute("Binary", customClassName="X")))


class RawTypes(unittest.TestCase):
    def test_kinds(self):
        for kind, text, expected in [
            ("Integer 16", "Kind", "Int"), ("String", "Word", "String"), ("Integer 32", "Module.Kind", "Int"),
            ("Integer 16", "Int", "Number"), ("Integer 64", "UInt8", "Number"), ("Integer 16", "Int16", None),
            ("Integer 16", "int", None), ("String", "Int", None), ("String", "[String]", None), ("Boolean", "Kind", None),
            ("Integer 16", "Any", None), ("Integer 16", "Kind?", None),
        ]:
            found = usertypes.user_type(attribute(kind, notes={"RawType": text}))
            self.assertEqual(found and found.kind, expected, (kind, text))

    def test_flags(self):
        self.assertIs(usertypes.flag(attribute("String", notes={"mogenerator.ignore": "YES"}), "mogenerator.ignore"), True)
        self.assertIs(usertypes.flag(attribute("String", notes={"ignore": "no"}), "mogenerator.ignore"), False)
        self.assertIsNone(usertypes.flag(attribute("String"), "mogenerator.ignore"))

    def test_types_of_properties(self):
        self.assertEqual(usertypes.property_type(attribute("Integer 16")), "Int16")
        self.assertEqual(usertypes.property_type(attribute("Transformable", customClassName=".")), "Data")
        self.assertEqual(usertypes.property_type(attribute("Transformable", customClassName=".Plan")), "Plan")
        self.assertIsNone(usertypes.property_type(attribute("Date")))


class Declarations(unittest.TestCase):
    def declared(self, *attributes, taken=()):
        found = usertypes.Declarations(taken)
        for item in attributes:
            found.add(item, usertypes.user_type(item), ["0"])
        return found.swift("public ")

    def test_modules(self):
        lines = self.declared(attribute("Transformable", customClassName="App.Owner"),
                              attribute("Integer 16", notes={"RawType": "App.Kind"}))
        self.assertEqual(lines[0], "public enum App {}")
        self.assertTrue(lines[1].startswith("extension App { public struct Owner:"), lines)
        self.assertTrue(lines[2].startswith("extension App { public enum Kind: Swift.Int"), lines)

    def test_generic_types(self):
        self.assertIn("struct Box<T0: ", "".join(self.declared(attribute("Transformable", customClassName="Box<Int>"))))

    def test_classes_are_not_declared_again(self):
        self.assertEqual(self.declared(attribute("Transformable", customClassName="User"), taken=["User"]), [])

    def test_one_name_of_two_kinds(self):
        with self.assertRaises(UnknownForm):
            self.declared(attribute("Integer 16", notes={"RawType": "Kind"}), attribute("String", notes={"RawType": "Kind"}))
