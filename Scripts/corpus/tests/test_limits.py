import unittest

import limits
from small import attribute


class Texts(unittest.TestCase):
    def test_integers_of_other_types(self):
        for text, expected in [("12", 12), ("-1", -1), ("0.0", 0), ("NO", 0), ("YES", 1), ("1.5", None), ("", None),
                               ("12abc", None), ("1e3", 1000), ("1e400", None), ("9223372036854775808", None)]:
            self.assertEqual(limits.integer(text), expected, text)
        self.assertEqual(limits.integer("32767", 16), 32767)
        self.assertIsNone(limits.integer("70000", 16))

    def test_booleans(self):
        for text, expected in [("YES", True), ("NO", False), ("1", True), ("0", False), ("100", True), ("0.0", False),
                               ("-1", True), ("maybe", None), ("", None)]:
            self.assertIs(limits.boolean(text), expected, text)

    def test_reals(self):
        self.assertEqual(limits.real("0.1"), 0.1)
        self.assertNotEqual(limits.real("0.1", is_single=True), 0.1)
        for text in ("inf", "nan", "1e999", "0x10", "abc"):
            self.assertIsNone(limits.real(text), text)
        self.assertIsNone(limits.real("1e300", is_single=True))

    def test_dates(self):
        self.assertEqual(limits.date_of_text("2001-01-02 00:00:01 +0000"), 86401)
        for text in ("12/4/2013", "2010-01-01 01:00:00", "2020-02-03 04:00", "2013-02-30 00:00:00 +0000", ""):
            self.assertIsNone(limits.date_of_text(text), text)


class Bounds(unittest.TestCase):
    def test_the_interval_of_a_date_counts(self):
        found = attribute("Date", minValueString="12/4/2013", minDateTimeInterval="407847600", maxValueString="12/5/2014")
        self.assertEqual(limits.bounds(found), (407847600, None))
        self.assertEqual(limits.bound(attribute("Date", minDateTimeInterval="x", minValueString="2001-01-01 00:00:00 +0000"), "min"), 0)

    def test_kinds(self):
        self.assertEqual(limits.bounds(attribute("String", minValueString="0", maxValueString="10")), (0, 10))
        self.assertEqual(limits.bounds(attribute("Integer 16", minValueString="-3", maxValueString="100000")), (-3, None))
        self.assertEqual(str(limits.bound(attribute("Decimal", minValueString="0.1"), "min")), "0.1")
        self.assertEqual(limits.bounds(attribute("Boolean", minValueString="0", maxValueString="1")), (None, None))
        self.assertEqual(limits.bounds(attribute("Double", minValueString="abc")), (None, None))

    def test_lengths_are_utf16(self):
        found = attribute("String", maxValueString="2")
        self.assertTrue(limits.allow(found, "\U0001f600"))
        self.assertFalse(limits.allow(found, "\U0001f600x"))

    def test_allow(self):
        self.assertTrue(limits.allow(attribute("Integer 32", minValueString="10"), "10"))
        self.assertFalse(limits.allow(attribute("Integer 32", minValueString="10"), "9"))
        self.assertFalse(limits.allow(attribute("Decimal", maxValueString="0.1"), "0.11"))
