"""Texts of a model that mean numbers and dates: defaults and bounds, as Xcode writes them and as it leaves them behind when the
type of an attribute changes."""

import datetime
import decimal
import math
import re
import struct

INTEGER_BITS = {"Integer 16": 16, "Integer 32": 32, "Integer 64": 64}
REALS = {"Double", "Float", "Date"}
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DATE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})-([0-9]{1,4}) ([0-9]{1,4}):([0-9]{1,4}):([0-9]{1,4}) \+0000")


def number(text):
    """The decimal number of a text, where `YES` and `NO` are 1 and 0; None for any other text."""
    if text in ("YES", "NO"):
        return decimal.Decimal(text == "YES")
    return decimal.Decimal(text) if _NUMBER.fullmatch(text) else None


def integer(text, bits=64):
    """The integer of a text, which may have a fraction of zeros; None where it does not fit into the bits."""
    found = number(text)
    # A large exponent would create a number with as many digits.
    if found is None or found.adjusted() > 20 or found != found.to_integral_value():
        return None
    value = int(found)
    return value if -(2 ** (bits - 1)) <= value < 2 ** (bits - 1) else None


def boolean(text):
    """Returns the Boolean of a text: any number other than zero is true."""
    if text in ("YES", "true", "NO", "false"):
        return text in ("YES", "true")
    found = number(text)
    return None if found is None else found != 0


def real(text, is_single=False):
    """The floating-point number of a text, rounded as a Float where it is one; None where it has no finite value."""
    found = number(text)
    value = None if found is None else float(found)
    if value is None or not math.isfinite(value):
        return None
    return single(value) if is_single else value


def single(value):
    """A number as a Float keeps it; None where it is too large."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return None


def date(element, role):
    """The seconds since 2001 of a default (`default`) or a bound (`min`, `max`); None where there are none.

    The interval counts. The text beside it is for people, in the language of the Mac, except in old files that have no interval.
    """
    interval = element.get(f"{role}DateTimeInterval")
    if interval is not None:
        found = real(interval) if interval not in ("YES", "NO") else None
        if found is not None:
            return found
    text = element.get("defaultValueString" if role == "default" else f"{role}ValueString")
    return None if text is None else date_of_text(text)


def date_of_text(text):
    """The seconds since 2001 of the only form of a date that is the same on every Mac: `2013-04-23 12:00:00 +0000`."""
    match = _DATE.fullmatch(text)
    if not match:
        return None
    try:
        moment = datetime.datetime(*map(int, match.groups()))
    except ValueError:
        return None
    return (moment - datetime.datetime(2001, 1, 1)).total_seconds()


def bound(element, role):
    """The minimum (`min`) or maximum (`max`) of an attribute; None where there is none that can be compared with a value.

    It is a length for a String, an int, float or Decimal for a number, and seconds since 2001 for a date.
    """
    kind = element.get("attributeType")
    if kind == "Date":
        return date(element, role)
    text = element.get(f"{role}ValueString")
    if text is None:
        return None
    if kind == "String":
        return integer(text)
    if kind in INTEGER_BITS:
        return integer(text, INTEGER_BITS[kind])
    if kind == "Decimal":
        return number(text)
    if kind in REALS:
        return real(text, kind == "Float")
    # Core Data has bounds only for numbers, dates and texts.
    return None


def bounds(element):
    """The minimum and the maximum of an attribute."""
    return bound(element, "min"), bound(element, "max")


def size(kind, text):
    """Returns the quantity of a value in the text of a plan that bounds limit: its length, number or seconds."""
    if kind == "String":
        # Core Data counts UTF-16 code units.
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    if kind in INTEGER_BITS:
        return int(text)
    if kind == "Decimal":
        return decimal.Decimal(text)
    return single(float(text)) if kind == "Float" else float(text)


def allow(element, text):
    """Returns whether a value in the text of a plan is within the bounds of an attribute."""
    low, high = bounds(element)
    if low is None and high is None:
        return True
    value = size(element.get("attributeType"), text)
    return (low is None or value >= low) and (high is None or value <= high)
