"""Loads a script that has no suffix."""

import importlib.machinery
import importlib.util
import os

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(FOLDER, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
