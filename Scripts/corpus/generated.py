"""The contents of generated Swift, counted line by line."""

import os
import re


def files(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".swift"))


def text(folder):
    """All of the generated code."""
    parts = []
    for name in files(folder):
        with open(name, encoding="utf-8") as file:
            parts.append(file.read())
    return "\n".join(parts)


def counts(code):
    """(entities, attributes, relationships) of generated code."""
    total = [0, 0, 0]
    inside = False
    for line in code.split("\n"):
        line = line.strip()
        if "override" in line and "class var entityName" in line:
            total[0] += 1
        if line == "private struct _Level {":
            inside = True
        elif inside and line == "}":
            inside = False
        elif inside and line.startswith("var "):
            is_relationship = line.endswith(("= Chordata.ToOneSlot()", "= Chordata.ToManySlot()"))
            total[2 if is_relationship else 1] += 1
    return tuple(total)


def property_types(code):
    """The types of the properties by the names of their classes."""
    found, properties = {}, {}
    for line in code.split("\n"):
        if match := re.match(r"(?:\w+ )*class `?(\w+)`?: ", line):
            properties = found.setdefault(match.group(1), {})
        elif match := re.match(r"    (?:public |final |private\(set\) )*var `?(\w+)`?: ([^={]+) \{", line):
            properties[match.group(1)] = match.group(2)
    return found


def functions(code):
    """The number of functions and initializers that a program can call, without those of the runtime."""
    found = 0
    for line in code.split("\n"):
        line = line.strip()
        if re.match(r"///|private |.*\bclass func (describe|propertyKeyPaths)\b", line):
            continue
        if re.search(r"\bfunc \S+\(|\binit\(.*\{$", line) or "{ fetchedObjects(of:" in line:
            found += 1
    return found


def parameters(code, function):
    """The labels and types of the parameters of a static function; None where there is no such function."""
    match = re.search(rf"static func {re.escape(function)}\((.*?)\) -> ", code)
    if match is None:
        return None
    found = re.findall(r"(`?\w+`?)(?: `?\w+`?)?: ([^,]+)", match.group(1))
    return [(label, type_.strip()) for label, type_ in found]
