"""Texts that a regular expression of a model matches: enough different ones of the patterns that models have."""

import functools
import itertools
import re

try:
    from re import _constants as constants, _parser as parser
except ImportError:  # Before Python 3.11.
    import sre_constants as constants
    import sre_parse as parser

# Subsets of the character classes that Python does not have: a text that matches the subset also matches the class.
_PROPERTIES = {
    "L": "A-Za-z", "Letter": "A-Za-z", "Alphabetic": "A-Za-z", "Alpha": "A-Za-z", "Lu": "A-Z", "Upper": "A-Z", "Uppercase": "A-Z",
    "Ll": "a-z", "Lower": "a-z", "Lowercase": "a-z", "N": "0-9", "Nd": "0-9", "Digit": "0-9", "Alnum": "A-Za-z0-9", "P": "!,.?",
    "Punct": "!,.?", "Punctuation": "!,.?", "XDigit": "0-9A-Fa-f", "Space": " ", "IsAlphabetic": "A-Za-z",
}
ATTEMPTS = 3000
# More texts than the number of objects of one entity in a plan.
ENOUGH = 200


class UnknownPattern(Exception):
    """A pattern whose language the scripts do not know."""


def translated(pattern):
    """Converts an ICU expression, as Core Data uses them, to Python's syntax."""
    if re.search(r"\[\^[^\]]*(\\[pP]|\[:)", pattern):
        raise UnknownPattern("a negated set of a class of characters")

    def property_(name):
        for found, text in _PROPERTIES.items():
            if found.lower() == name.lower():
                return text
        raise UnknownPattern(f"the class of characters '{name}'")

    out, inside, place = [], False, 0
    while place < len(pattern):
        rest = pattern[place:]
        if match := re.match(r"\\p\{([A-Za-z_]+)\}|\\p([A-Z])", rest):
            text = property_(match.group(1) or match.group(2))
            out.append(text if inside else f"[{text}]")
        elif match := re.match(r"\[:([a-zA-Z]+):\]", rest):
            # ICU also treats `[:alpha:]` alone as a set.
            text = property_(match.group(1))
            out.append(text if inside else f"[{text}]")
        elif rest.startswith(("\\p", "\\P", "\\h", "\\H", "\\X", "\\Q", "\\G", "\\N", "&&", "\\R")):
            raise UnknownPattern(f"'{rest[:2]}'")
        elif match := re.match(r"\\[zZ]", rest):
            out.append("\\Z")
        elif match := re.match(r"\\x\{([0-9A-Fa-f]+)\}", rest):
            out.append(re.escape(chr(int(match.group(1), 16))))
        elif match := re.match(r"\\.|.", rest, re.DOTALL):
            inside = (inside or match.group() == "[") and match.group() != "]"
            out.append(match.group())
        place += match.end()
    return "".join(out)


class _Writer:
    """Writes a text of an expression; the digits of a number decide each choice, so that numbers give different texts."""

    def __init__(self, seed, stretch):
        self.seed = seed
        # The number by which a repetition may exceed its minimum count.
        self.stretch = stretch
        self.groups = {}

    def choose(self, count):
        self.seed, choice = divmod(self.seed, count)
        return choice

    def write(self, nodes):
        return "".join(self.node(operation, value) for operation, value in nodes)

    def node(self, operation, value):
        if operation is constants.LITERAL:
            return chr(value)
        if operation is constants.NOT_LITERAL:
            return self.pick([c for c in _PLAIN if ord(c) != value])
        if operation is constants.ANY:
            return self.pick(_PLAIN)
        if operation is constants.IN:
            return self.pick(_members(value))
        if operation is constants.BRANCH:
            branches = value[1]
            return self.write(branches[self.choose(len(branches))])
        if operation is constants.SUBPATTERN:
            group, nodes = value[0], value[-1]
            text = self.write(nodes)
            if group is not None:
                self.groups[group] = text
            return text
        if operation in _REPEATS:
            low, high, nodes = value
            if low > 1000:
                raise UnknownPattern(f"a repeat of {low}")
            count = low + self.choose(min(int(high) - low, self.stretch) + 1)
            return "".join(self.write(nodes) for _ in range(count))
        if operation is constants.GROUPREF:
            return self.groups.get(value, "")
        # Anchors and assertions have no text; they are checked when the whole text is matched.
        if operation in (constants.AT, constants.ASSERT, constants.ASSERT_NOT):
            return ""
        if operation is getattr(constants, "ATOMIC_GROUP", None):
            return self.write(value)
        raise UnknownPattern(f"'{operation}'")

    def pick(self, members):
        if not members:
            raise UnknownPattern("a set without members")
        return members[self.choose(len(members))]


_REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT, getattr(constants, "POSSESSIVE_REPEAT", None)}
_PLAIN = [chr(code) for code in itertools.chain(range(97, 123), range(48, 58), range(65, 91))] + list("-_. @")
_CATEGORIES = {
    constants.CATEGORY_DIGIT: str.isdigit, constants.CATEGORY_SPACE: str.isspace,
    constants.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    constants.CATEGORY_NOT_DIGIT: lambda c: not c.isdigit(), constants.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    constants.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}


def _members(items):
    """Characters of a set, those of plain text first."""
    negated = any(operation is constants.NEGATE for operation, _ in items)

    def has(character):
        code = ord(character)
        return any(
            (operation is constants.LITERAL and code == value)
            or (operation is constants.RANGE and value[0] <= code <= value[1])
            or (operation is constants.CATEGORY and _CATEGORIES[value](character))
            for operation, value in items)

    found = [c for c in _PLAIN if has(c) != negated]
    if not negated:
        own = [chr(value if operation is constants.LITERAL else value[0]) for operation, value in items
               if operation in (constants.LITERAL, constants.RANGE)]
        found += [c for c in own if c not in found]
    return found or [c for c in map(chr, range(32, 127)) if has(c) != negated]


@functools.lru_cache(maxsize=None)
def matching(pattern, low=None, high=None):
    """Different texts that a pattern matches as a whole, with lengths from `low` to `high`."""
    python = translated(pattern)
    try:
        nodes = parser.parse(python)
        expression = re.compile(python)
    except (re.error, OverflowError, RecursionError) as error:
        raise UnknownPattern(str(error)) from error
    found = {}
    stretch = min(max(3, low or 0), 100)
    for seed in range(ATTEMPTS):
        text = _Writer(seed, stretch).write(nodes)
        length = len(text.encode("utf-16-le", "surrogatepass")) // 2
        if (low is None or length >= low) and (high is None or length <= high) and expression.fullmatch(text):
            found[text] = None
            if len(found) == ENOUGH:
                break
    return list(found)
