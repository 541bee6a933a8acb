"""Models of a few lines for the tests."""

import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import xmlmodel  # noqa: E402


def element(text):
    return ET.fromstring(text)


def attribute(kind, name="x", notes=(), **values):
    """An attribute of a type; an underscore at the end of a name allows for Python's keywords."""
    found = ET.Element("attribute", {"name": name, **({"attributeType": kind} if kind else {}),
                                     **{key.rstrip("_"): value for key, value in values.items()}})
    info = ET.SubElement(found, "userInfo")
    for key, value in dict(notes).items():
        ET.SubElement(info, "entry", key=key, value=value)
    return found


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="chordata-selftest-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, path, contents=""):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents if isinstance(contents, bytes) else contents.encode())
        return path

    def contents(self, body, path="Model.xcdatamodel/contents"):
        return self.write(path, f'<?xml version="1.0" encoding="UTF-8"?>\n<model>{body}</model>')

    def model(self, body, generated=""):
        return xmlmodel.Model(self.contents(body), generated)
