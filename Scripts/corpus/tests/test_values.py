import json
import re
import unittest

import limits
import patterns
import usertypes
import values
from forms import Impossible, UnknownForm
from small import attribute


class Defaults(unittest.TestCase):
    def check(self, expected, kind, text, **more):
        self.assertEqual(values.default(attribute(kind, defaultValueString=text, **more)), expected, (kind, text))

    def test_texts_of_other_types(self):
        self.check("true", "Boolean", "100")
        self.check("false", "Boolean", "0.0")
        self.check(None, "Boolean", "yes")
        self.check("0", "Integer 32", "NO")
        self.check("1", "Integer 64", "YES")
        self.check("0", "Integer 16", "0.0")
        self.check(None, "Integer 16", "70000")
        self.check("1.0", "Double", "YES")
        self.check(None, "Double", "abc")
        self.check("0.10000000149011612", "Float", "0.1")
        self.check(None, "UUID", "empy")
        self.check("00000000-0000-0000-0000-000000000000", "UUID", "00000000-0000-0000-0000-000000000000")
        self.check("", "String", "")
        for kind in ("Binary", "Transformable", "Undefined", None):
            self.check(None, kind, "x")

    def test_urls(self):
        self.check(None, "URI", "")
        self.check("https://example.org/?q=1", "URI", "https://example.org/?q=1")
        with self.assertRaises(UnknownForm):
            self.check(None, "URI", "a b")

    def test_dates(self):
        self.check("60.0", "Date", "2001-01-01 00:01:00 +0000")
        self.check("5.0", "Date", "12/4/2013", defaultDateTimeInterval="5")
        self.check(None, "Date", "12/4/2013")

    def test_decimals(self):
        self.check("0.1", "Decimal", "0.1")
        with self.assertRaises(UnknownForm):
            self.check(None, "Decimal", "1" * 40)


class Values(unittest.TestCase):
    def many(self, found, count=60, is_unique=False):
        user = usertypes.user_type(found)
        return [values.value(found, number, user, is_unique) for number in range(count)]

    def test_values_without_bounds_differ(self):
        for kind in ("Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal", "Date", "String", "UUID", "URI",
                     "Binary", "Transformable"):
            self.assertEqual(len(set(self.many(attribute(kind)))), 60, kind)

    def test_values_are_within_bounds(self):
        for kind, low, high in [
            ("Integer 16", "10", "12"), ("Integer 16", "-3", None), ("Integer 64", "45", None), ("Integer 32", None, "-5"),
            ("Integer 16", None, "-32767"), ("Float", "-2.5", "2.5"), ("Float", "0", None), ("Double", "0", "1000"),
            ("Double", None, "-3.5"), ("Double", "-1e308", "1e308"), ("Decimal", "-4", "4"), ("Decimal", "0.1", None),
            ("Decimal", None, "100"), ("String", "0", None), ("String", "1", "1"), ("String", None, "0"), ("String", "3", "1000"),
            ("String", "10", None), ("Integer 32", "NO", "5.0"), ("Date", "12/4/2013", "12/5/2014"),
            ("Date", "2010-01-01 00:00:00 +0000", "2010-01-01 00:00:01 +0000"),
        ]:
            found = attribute(kind, **{key: text for key, text in [("minValueString", low), ("maxValueString", high)] if text})
            for text in self.many(found, 300):
                self.assertTrue(limits.allow(found, text), (kind, low, high, text))

    def test_bounded_values_differ_while_there_are_some(self):
        self.assertEqual(len(set(self.many(attribute("Integer 16", minValueString="10", maxValueString="50"), 41))), 41)
        self.assertEqual(len(set(self.many(attribute("Integer 32", maxValueString="-5")))), 60)
        self.assertEqual(len(set(self.many(attribute("String", maxValueString="2"), 50))), 50)
        self.assertEqual(len(set(self.many(attribute("Double", minValueString="0", maxValueString="1")))), 60)

    def test_the_ends_are_tried(self):
        self.assertLessEqual({"10", "12"}, set(self.many(attribute("Integer 16", minValueString="10", maxValueString="12"))))
        self.assertIn("-2.5", self.many(attribute("Float", minValueString="-2.5")))

    def test_contradictions(self):
        for kind, low, high in [("Integer 32", "10", "5"), ("Double", "1", "0"), ("Integer 16", "5", "4")]:
            with self.assertRaises(Impossible):
                values.value(attribute(kind, minValueString=low, maxValueString=high), 0)
        with self.assertRaises(Impossible):
            values.value(attribute("String", maxValueString="-1"), 9)

    def test_enumerations(self):
        found = attribute("Integer 32", notes={"RawType": "Kind"}, minValueString="3", maxValueString="5")
        self.assertEqual(set(self.many(found)), {"3", "4", "5"})
        plain = attribute("Integer 16", notes={"RawType": "Kind"})
        self.assertEqual(set(self.many(plain)), {"-7", "0", "32000"})
        self.assertEqual(len(set(self.many(plain, 50, is_unique=True))), 50)

    def test_integers_of_another_size(self):
        found = attribute("Integer 64", notes={"attributeValueScalarType": "UInt8"})
        self.assertTrue(all(0 <= int(text) <= 255 for text in self.many(found, 300)))
        found = attribute("Integer 16", notes={"RawType": "UInt64"})
        self.assertTrue(all(0 <= int(text) <= 32767 for text in self.many(found)))

    def test_coded_values(self):
        for cls, expected in [("X", {"text": "text 3 \u00e9\U0001f600"}), ("[Int64]", [3]), ("Set<Bool>", [False]),
                              ("[String: [Int]]", {"text 3 \u00e9\U0001f600": [3]}), ("[X?]", [{"text": "text 3 \u00e9\U0001f600"}]),
                              ("Date", 3.5), ("[Date: X]", [3.5, {"text": "text 3 \u00e9\U0001f600"}])]:
            found = attribute("Transformable", customClassName=cls)
            self.assertEqual(json.loads(values.value(found, 3, usertypes.user_type(found))), expected, cls)
        with self.assertRaises(UnknownForm):
            found = attribute("Transformable", customClassName="IndexPath")
            values.value(found, 0, usertypes.user_type(found))


class Patterns(unittest.TestCase):
    def test_texts_match(self):
        for pattern in (r"[0-9]{4}", r"\A[^@]+@([^@\.]+\.)+[^@\.]+\z", r"^(?!foo)\w+$", r"(a|b)c\1", r"[A-Z]{2}(-[a-z]{2,3})?",
                        r"\+?[0-9 ()-]{5,20}", ".{8,}", r"[^\s]+", r"\d+(\.\d{1,2})?"):
            found = patterns.matching(pattern)
            self.assertTrue(found, pattern)
            for text in found:
                self.assertTrue(re.fullmatch(pattern.replace(r"\z", r"\Z"), text), (pattern, text))

    def test_assertions(self):
        self.assertEqual(set(patterns.matching("(?!a)[a-c]")), {"b", "c"})

    def test_classes_of_characters(self):
        self.assertTrue(all(re.fullmatch("[A-Z][A-Za-z]*", text) for text in patterns.matching(r"\p{Lu}\p{L}*")))
        self.assertTrue(all(text.isalpha() for text in patterns.matching("[[:alpha:]]+")))

    def test_unknown_patterns(self):
        for pattern in (r"\p{Greek}+", r"[^\p{L}]", "(", r"\Qa\E", "[a-z&&[^b]]", r"\p{^L}"):
            with self.assertRaises(patterns.UnknownPattern, msg=pattern):
                patterns.matching(pattern)

    def test_values(self):
        found = attribute("String", regularExpressionString="[a-z]+", minValueString="6", maxValueString="8")
        texts = {values.value(found, number) for number in range(50)}
        self.assertTrue(all(re.fullmatch("[a-z]{6,8}", text) for text in texts), texts)
        self.assertEqual(len(texts), 50)
        with self.assertRaisesRegex(UnknownForm, 'name="x" regularExpressionString='):
            values.value(attribute("String", regularExpressionString=r"\p{Greek}"), 0)
        with self.assertRaises(UnknownForm):
            values.value(attribute("String", regularExpressionString="a", minValueString="2"), 0)

    def test_allowed(self):
        self.assertFalse(values.is_allowed(attribute("String", regularExpressionString="[0-9]"), "a"))
        self.assertTrue(values.is_allowed(attribute("String", regularExpressionString="[0-9]"), "7"))
        self.assertFalse(values.is_allowed(attribute("Integer 32", minValueString="10"), "0"))
