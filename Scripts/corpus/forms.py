"""What the scripts cannot check: forms of models that they do not know, and models that no object fits."""


class UnknownForm(Exception):
    """A form of a model that the scripts do not understand, so that they do not know the correct result."""

    def __init__(self, element, attribute, reason=None, of=None):
        self.element = element
        self.attribute = attribute
        super().__init__(describe(element, attribute, reason, of))


class Impossible(Exception):
    """A model whose own rules no object of the round trip can meet; this is not an error of the tool."""


def describe(element, attribute, reason=None, of=None):
    """An element with the attribute in question, as in the file: `<attribute name="x" attributeType="Y">`."""
    tag = getattr(element, "tag", None)
    if tag is None:
        shown = str(element)
    else:
        names = ["name"] if element.get("name") is not None else []
        names += [attribute] if attribute and attribute != "name" and element.get(attribute) is not None else []
        missing = f" without '{attribute}'" if attribute and element.get(attribute) is None else ""
        shown = "<" + " ".join([tag] + [f'{name}="{element.get(name)}"' for name in names]) + ">" + missing
    return f"form {shown}" + (f" of '{of}'" if of else "") + (f": {reason}" if reason else "")
