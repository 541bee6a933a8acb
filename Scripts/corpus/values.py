"""The values that attributes get: the ends of their types and odd ones first, then others that are all different.
They are texts, which `PlanValue` reads."""

import base64
import decimal
import json
import re
import unicodedata

import limits
import patterns
import usertypes
from forms import Impossible, UnknownForm
from limits import INTEGER_BITS

ODD = {
    "Double": ["1.7976931348623157e+308", "-5e-324", "-0.0", "0.30000000000000004"],
    "Float": ["3.4028234663852886e+38", "-1.401298464324817e-45", "-0.0", "0.10000000149011612"],
    "Decimal": ["99999999999999999999999999999999999999", "-12345678901234567890.123456789012345678", "-7e-100",
                "1e100"],
    "Boolean": ["true", "false"],
    "Date": ["757382400.000244140625", "-63114076800.75", "0.0", "64092211200.0"],
    "String": ["e\u0301 \u00e9 \u00df \U0001f469\u200d\U0001f469\u200d\U0001f467 \u05d0\u202e'\"\\;--%_\n\t", "",
               "behind\u0000nothing", "x" * 5000],
    "UUID": ["FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "00000000-0000-0000-0000-000000000000"],
    "URI": ["https://user@example.org:8080/%C3%A9?q=1&r#end", "mailto:someone@example.org", "file:///tmp/a%20b",
            "relative/path?x"],
    "Binary": [bytes(range(256)), b"", b"\0", b"\xff\x00" * 5000],
}
ODD["Transformable"] = ODD["Binary"]
# The first raw values of the user's enumerations.
RAW = {"Int": ["-7", "0", "32000"], "String": ["second 2", "", "\u00e9\U0001f600"]}
CASES = 3
# The number of values that the objects of one entity may need if the values must differ.
UNIQUE_CASES = 60
SCALARS = {
    "Bool": lambda n: n % 2 == 0, "String": lambda n: f"text {n} \u00e9\U0001f600", "URL": lambda n: f"relative-{n}",
    "UUID": lambda n: f"00000000-0000-4000-8000-{n:012X}", "Data": lambda n: base64.b64encode(b"bytes %d" % n).decode(),
    **{name: lambda n: n + 0.5 for name in ("Double", "Float", "TimeInterval", "Date", "Decimal")},
    **{f"{sign}Int{bits}": lambda n: n % 100 for sign in ("", "U") for bits in ("", "8", "16", "32", "64")},
}


def value(attribute, number, user=None, is_unique=False):
    """The value of a number: each number has another one, if the type has so many. `user` is the user's type."""
    if user and user.kind == "Coded":
        # This is the JSON format of the runtime, because bytes are compared too.
        return json.dumps(coded(user.type, number, attribute), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    if user and user.is_enumeration:
        found = cases(attribute, user, is_unique)
        return found[number % len(found)]
    return plain(attribute, number, user)


def coded(type_, number, attribute):
    """A value of a Codable type, as JSON has it."""
    if not type_.is_standard:
        return {"text": f"text {number} \u00e9\U0001f600"}
    if type_.base in SCALARS:
        return SCALARS[type_.base](number)
    inner = [coded(argument, number, attribute) for argument in type_.arguments]
    if type_.base in ("Array", "Set") and len(inner) == 1:
        return inner
    if type_.base == "Optional" and len(inner) == 1:
        return inner[0]
    if type_.base == "Dictionary" and len(inner) == 2:
        key = type_.arguments[0].base
        # Foundation encodes dictionaries with other keys as lists of keys and values.
        return {str(inner[0]): inner[1]} if key in ("String", "Int") else inner
    raise UnknownForm(attribute, "customClassName", f"how a value of '{type_.name}' is coded is not known here")


def cases(attribute, user, is_unique=False):
    """The raw values of an enumeration that an attribute can have."""
    low, high = (0, 0) if user.kind == "String" else usertypes.integer_range(attribute)
    first = [raw for raw in RAW[user.kind] if user.kind == "String" or low <= int(raw) <= high]
    if attribute.get("regularExpressionString"):
        first = []
    found = [raw for raw in first if limits.allow(attribute, raw)]
    number = len(ODD.get(attribute.get("attributeType"), []))
    wanted = UNIQUE_CASES if is_unique else CASES
    for _ in range(wanted * 4):
        if len(found) >= wanted:
            break
        text = plain(attribute, number)
        found += [text] if text not in found else []
        number += 1
    return found


def plain(attribute, number, user=None):
    """A value of the type that the store keeps, within the bounds of the model."""
    kind = attribute.get("attributeType")
    if kind == "String" and attribute.get("regularExpressionString"):
        return matched(attribute, number)
    low, high = limits.bounds(attribute)
    if low is not None and high is not None and low > high:
        raise Impossible(f"no value of '{attribute.get('name')}' is within its bounds")
    if kind in INTEGER_BITS:
        return integer(attribute, number, user)
    if low is None and high is None or kind not in ("String", "Decimal", "Double", "Float", "Date"):
        return value_of_kind(kind, number)
    odd = [text for text in ODD[kind] if limits.allow(attribute, text)]
    ends = [] if kind == "String" else [str(end) for end in (low, high) if end is not None]
    odd += [text for text in dict.fromkeys(ends) if text not in odd]
    if number < len(odd):
        return odd[number]
    if kind == "String":
        return text_of_length(number, max(low or 0, 0), high, attribute)
    return inside(kind, number, low, high)


def integer(attribute, number, user):
    """An integer within the bounds of the type and of the model; different for each number as long as there are
    enough."""
    kind = attribute.get("attributeType")
    least, greatest = usertypes.integer_range(attribute, user)
    low, high = limits.bounds(attribute)
    least, greatest = max(least, low if low is not None else least), min(greatest, high if high is not None else greatest)
    if least > greatest:
        raise Impossible(f"no value of '{attribute.get('name')}' is within its bounds and its type")
    odd = list(dict.fromkeys(n for n in (greatest, least, -1, 0) if least <= n <= greatest))
    if number < len(odd):
        return str(odd[number])
    wide = int(value_of_kind(kind, number))
    if least <= wide <= greatest and low is None and high is None and user is None:
        return str(wide)
    # The integers go up from the minimum, or down from the maximum if only the maximum is given, without those that
    # were used first.
    count = greatest - least + 1
    steps = (number - len(odd)) % max(count - len(odd), 1)
    rest = (n for n in (range(least, greatest + 1) if low is not None or high is None else range(greatest, least - 1, -1))
            if n not in odd)
    for _ in range(steps):
        next(rest, None)
    return str(next(rest, odd[number % len(odd)]))


def text_of_length(number, low, high, attribute):
    """A text with a length from `low` to `high`; different for each number as long as there are enough."""
    if high is not None and high < 0:
        raise Impossible(f"no length of '{attribute.get('name')}' is within its bounds")
    text = f"{number}-".ljust(low, "x")
    if high is None or len(text) <= high:
        return text
    return f"{number % 10 ** high:0{high}d}" if high else ""


def inside(kind, number, low, high):
    """A number or a date between bounds, at least one of which exists."""
    if kind == "Decimal":
        with decimal.localcontext(decimal.Context(prec=30)):
            if low is not None and high is not None:
                return f"{low + (high - low) * decimal.Decimal(number % 4095 + 1) / 4096:f}"
            return f"{low + number + decimal.Decimal('0.125') if low is not None else high - number - decimal.Decimal('0.125'):f}"
    if low is not None and high is not None:
        # The two ends are weighted separately, because their difference may be infinite.
        part = (number % 4095 + 1) / 4096
        found = low * (1 - part) + high * part
    else:
        found = low + number + 0.25 if low is not None else high - number - 0.25
    found = limits.single(found) if kind == "Float" else found
    if found is None or (low is not None and found < low) or (high is not None and found > high):
        found = low if low is not None else high
    return repr(found)


def matched(attribute, number):
    """A text that the regular expression of an attribute matches."""
    pattern = attribute.get("regularExpressionString")
    low, high = limits.bounds(attribute)
    try:
        found = patterns.matching(pattern, low, high)
    except patterns.UnknownPattern as reason:
        raise UnknownForm(attribute, "regularExpressionString", str(reason)) from reason
    if not found:
        raise UnknownForm(attribute, "regularExpressionString", "no text was found that matches it and is within the bounds")
    return found[number % len(found)]


def value_of_kind(kind, number):
    odd = ODD.get(kind or "", [])
    if kind in INTEGER_BITS:
        top = 2 ** (INTEGER_BITS[kind] - 1)
        odd = [str(top - 1), str(-top), "-1", "0"]
    if number < len(odd):
        chosen = odd[number]
        return base64.b64encode(chosen).decode() if isinstance(chosen, bytes) else chosen
    return {
        "Integer 16": str(number),
        "Integer 32": str(number * 1001),
        "Integer 64": str(number * 1000003),
        "Double": f"{number}.25",
        "Float": f"{number}.5",
        "Decimal": f"{number}.125",
        "Boolean": "true" if number % 2 else "false",
        "Date": f"{number}.000244140625",
        "String": f"text {number} \u00e9\U0001f600",
        "UUID": f"00000000-0000-4000-8000-{number:012X}",
        "URI": f"https://example.org/{number}",
        "Binary": base64.b64encode(b"bytes %d" % number).decode(),
        "Transformable": base64.b64encode(b"bytes %d" % number).decode(),
    }.get(kind or "", f"anything {number}")


def default(attribute):
    """The model's default as text; None if there is none, or if it does not fit the type."""
    kind = attribute.get("attributeType")
    if kind == "Date":
        seconds = limits.date(attribute, "default")
        return None if seconds is None else repr(seconds)
    text = attribute.get("defaultValueString")
    if text is None:
        return None
    if kind == "String":
        return text
    if kind == "Boolean":
        found = limits.boolean(text)
        return None if found is None else "true" if found else "false"
    if kind in INTEGER_BITS:
        found = limits.integer(text, INTEGER_BITS[kind])
        return None if found is None else str(found)
    if kind in ("Double", "Float"):
        found = limits.real(text, kind == "Float")
        return None if found is None else repr(found)
    if kind == "Decimal":
        found = limits.number(text)
        digits = "".join(map(str, found.as_tuple().digits)).strip("0") if found is not None else ""
        if len(digits) > 38 or (found and abs(found.adjusted()) > 120):
            raise UnknownForm(attribute, "defaultValueString", "more digits than a Decimal has")
        return None if found is None else f"{found}"
    if kind == "UUID":
        return text if re.fullmatch(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", text) else None
    if kind == "URI":
        # An empty text is not a URL. Foundation escapes some characters, and rejects others.
        if text and not re.fullmatch(r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+", text):
            raise UnknownForm(attribute, "defaultValueString", "what URL it becomes is not known here")
        return text or None
    # Xcode has no editor for a default of bytes, and writes an empty text if no default is set.
    return None


def is_allowed(attribute, text):
    """Returns whether an object can be saved with a value."""
    if not limits.allow(attribute, text):
        return False
    if attribute.get("attributeType") == "String" and attribute.get("regularExpressionString"):
        low, high = limits.bounds(attribute)
        try:
            return text in patterns.matching(attribute.get("regularExpressionString"), low, high)
        except patterns.UnknownPattern:
            return False
    return True


def canonical(text):
    """The text without case and accents, as `canonical:` returns it."""
    plain_text = unicodedata.normalize("NFD", text)
    return "".join(c for c in plain_text if not unicodedata.combining(c)).casefold()
