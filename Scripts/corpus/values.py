"""The values that attributes get: the ends of their types and odd ones first, then others that are all different.
As texts, which `PlanValue` reads."""

import base64
import decimal
import json
import re
import unicodedata

import xmlmodel

INTEGER_BITS = {"Integer 16": 16, "Integer 32": 32, "Integer 64": 64}
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


def bound(attribute, end):
    """A limit that the model sets, if it sets one."""
    value = attribute.get(f"{end}ValueString") or attribute.get(f"{end}DateTimeInterval")
    return None if value is None else float(value)


def value(attribute, number):
    """The value of a number: each number has another one, as far as the type has as many."""
    kind = attribute.get("attributeType")
    user = xmlmodel.user_type(attribute)
    if user and user[1] in ("Codable", "Strings"):
        text = value_of_kind("String", number)
        # As Foundation writes it, because bytes are compared too.
        return json.dumps({"text": text} if user[1] == "Codable" else [text], ensure_ascii=False, separators=(",", ":"))
    if user:
        values = xmlmodel.RAW_VALUES[user[1]]
        return values[number % len(values)]
    minimum, maximum = bound(attribute, "min"), bound(attribute, "max")
    if minimum is not None or maximum is not None:
        return limited(kind, number, minimum, maximum)
    return value_of_kind(kind, number)


def limited(kind, number, minimum, maximum):
    if kind == "String":
        text = f"{number}-".ljust(int(minimum or 0), "x")
        return text if maximum is None else text[: int(maximum)]
    low = minimum if minimum is not None else maximum - 1000
    high = maximum if maximum is not None else minimum + 1000
    chosen = min(high, low + number)
    return str(int(chosen)) if kind in INTEGER_BITS else str(chosen)


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
    """The model's default as such a text; None where there is none."""
    if attribute.get("attributeType") == "Date":
        seconds = attribute.get("defaultDateTimeInterval")
        return None if seconds is None else str(float(seconds))
    text = attribute.get("defaultValueString")
    if text is None:
        return None
    kind = attribute.get("attributeType")
    if kind == "Boolean":
        return "true" if text in ("YES", "1", "true") else "false"
    if kind in INTEGER_BITS:
        return str(int(decimal.Decimal(text)))
    if kind == "UUID" and not re.fullmatch(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", text):
        return None
    # Xcode has no editor for bytes, and writes an empty text where there is none.
    return None if kind in ("Binary", "Transformable") and not text else text


def canonical(text):
    """Without case and accents, as `canonical:` has it."""
    plain = unicodedata.normalize("NFD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
