"""The files of a bundle: its versions, which of them is current, and formats that are not read."""

import os
import plistlib
import re
import shutil

from forms import UnknownForm

ENDINGS = (".xcdatamodeld", ".xcdatamodel")


def bundles(root):
    """All .xcdatamodeld bundles and stand-alone .xcdatamodel folders below a folder."""
    found = []
    for folder, names, files in os.walk(root):
        found += [os.path.join(folder, name) for name in names if name.endswith(ENDINGS)]
        # A single model of Xcode 2 was a file. macOS creates files named `._…` beside others on foreign file systems.
        found += [os.path.join(folder, name) for name in files
                  if name.endswith(".xcdatamodel") and not name.startswith("._")]
        names[:] = [name for name in names if not name.endswith(ENDINGS)]
    return sorted(found)


def natural(name):
    """A key that sorts runs of digits as numbers, and names that are equal but for leading zeros as text."""
    key = []
    for part in re.findall(r"[0-9]+|[^0-9]", name):
        digits = part.lstrip("0") if part[0] in "0123456789" else ""
        # A number takes the place of '0' among the other characters.
        key.append((ord("0"), len(digits), digits) if part[0] in "0123456789" else (ord(part), 0, ""))
    return key, name


def copy(source, target):
    """Copies a folder so that its files can be changed, whatever the permissions of the original are."""
    shutil.copytree(source, target, copy_function=shutil.copyfile)
    for folder, _, _ in os.walk(target):
        os.chmod(folder, 0o755)


def without_ending(name):
    return re.sub(r"\.xcdatamodeld?$", "", name)


def _version_paths(bundle):
    """All version names of a bundle, in natural order, with their folders."""
    if bundle.endswith(".xcdatamodel"):
        return {without_ending(os.path.basename(bundle)): bundle}
    names = [name for name in os.listdir(bundle) if name.endswith(".xcdatamodel") and not name.startswith("._")]
    return {without_ending(name): os.path.join(bundle, name)
            for name in sorted(names, key=lambda name: natural(without_ending(name)))}


def versions(bundle):
    """The names of the versions that can be read, in natural order, and their contents files."""
    return {name: os.path.join(path, "contents") for name, path in _version_paths(bundle).items()
            if unknown_format(path) is None}


def unreadable(bundle):
    """The names of the other versions, and why they cannot be read."""
    return {name: reason for name, path in _version_paths(bundle).items()
            if (reason := unknown_format(path)) is not None}


def unknown_format(version):
    """The format of a version folder that is not XML; None if it is XML."""
    contents = os.path.join(version, "contents")
    if os.path.isfile(contents):
        with open(contents, "rb") as file:
            start = file.read(8)
        return "a binary property list as 'contents'" if start.startswith(b"bplist") else None
    if not os.path.isdir(version):
        return "a file instead of a folder (Xcode 2)"
    files = set(os.listdir(version))
    if files & {"elements", "layout"}:
        return "the format of Xcode 3 ('elements' and 'layout')"
    return "no 'contents' file"


def named_current(bundle):
    """The version that `.xccurrentversion` names; None if there is no such file, or no name in it."""
    path = os.path.join(bundle, ".xccurrentversion")
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            name = plistlib.load(file).get("_XCCurrentVersionName")
    except Exception:  # plistlib raises many kinds; the tool reports a file that is not a property list.
        return None
    return without_ending(name) if isinstance(name, str) and name else None


def current(bundle):
    """The name of the current version: the named one, or the last one by name, as the tool chooses."""
    names = list(_version_paths(bundle))
    if not names:
        raise UnknownForm("a bundle without a version", None)
    named = named_current(bundle)
    return named if named in names else names[-1]


def copy_without_fetch_requests(source, destination):
    """Copies the file of a version, which may be the same file, without its fetch requests."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"<fetchRequest\b[^>]*/>|<fetchRequest\b.*?</fetchRequest>", "", text, flags=re.DOTALL)
    with open(destination, "w", encoding="utf-8") as file:
        file.write(text)
