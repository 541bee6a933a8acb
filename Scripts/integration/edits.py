"""Edits to the Notes app as its author would make them. After each edit the app is built, and must match the model."""

import os
import tempfile

from package import expect

FOLDER = "Sources/NotesApp"
MODEL = f"{FOLDER}/Notes.xcdatamodeld"
FIRST = f"{MODEL}/Notes.xcdatamodel/contents"
SECOND = f"{MODEL}/Notes 2.xcdatamodel/contents"
CURRENT = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>{}.xcdatamodel</string></dict></plist>
"""


def entity(name, attribute="name"):
    return (
        f'    <entity name="{name}" representedClassName="{name}" syncable="YES" codeGenerationType="class">\n'
        f'        <attribute name="{attribute}" optional="YES" attributeType="String"/>\n'
        "    </entity>\n"
    )


def nothing_changes(package):
    package.build()
    before = package.products()
    said = package.build()
    expect("Generating" not in said and "Compiling" not in said, f"something was built:\n{said}")
    package.expect_only(before)


def touched_files(package):
    before = package.products()
    os.utime(package.path(FIRST))
    said = package.build()
    expect("Compiling" not in said, f"something was compiled:\n{said}")
    package.expect_only(before)


def an_attribute_is_added(package):
    package.replace(FIRST, '<attribute name="text"', '<attribute name="stars" attributeType="Integer 16" '
                    'defaultValueString="3"/>\n        <attribute name="text"')
    package.replace(f"{FOLDER}/main.swift", 'text: "note")', 'text: "note").stars = 4')
    package.build()
    expect("var stars: Swift.Int16" in package.generated("Notes+Entities0.swift"), "no property 'stars'")
    package.run("NotesApp")


def a_mistake_is_mended(package):
    before = package.products()
    package.replace(FIRST, '"Integer 16"', '"Integer 17"')
    package.fail_at(FIRST, 'Integer 17"', "unknown type 'Integer 17'")
    package.replace(FIRST, '"Integer 17"', '"Integer 16"')
    said = package.build()
    expect("Compiling" not in said, f"something was compiled:\n{said}")
    package.expect_only(before)


def a_file_is_cut_off(package):
    text = package.read(FIRST)
    package.write(FIRST, text[: text.index("    </entity>")])
    said = package.fail()
    expect(f"{package.path(FIRST)}:6:1: error: " in said, f"no error at the end:\n{said}")
    package.write(FIRST, text)
    package.build()


def a_version_is_added(package):
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "notes.sqlite")
        expect(package.run("NotesApp", store) == "Notes: 1\n", "the store is not new")
        text = package.read(FIRST).replace("</model>", entity("Folder") + "</model>")
        package.write(SECOND, text.replace('name="stars"', 'name="rating" elementID="stars"'))
        package.write(f"{MODEL}/.xccurrentversion", CURRENT.format("Notes 2"))
        package.replace(f"{FOLDER}/main.swift", "stars", "rating")
        package.build()
        expect(package.run("NotesApp", store) == "Notes: 2\n", "the store was not migrated")


def a_migration_is_written_by_hand(package):
    file = f"{FOLDER}/Migrations/Notes/Notes to Notes 2.sql"
    package.write(file, '-- By hand.\nALTER TABLE "Note" RENAME COLUMN "stars" TO "rating";\n')
    said = package.build()
    expect("-- By hand." in package.generated("Notes.swift"), "the file is not in the code")
    expect("unhandled" not in said, f"SwiftPM does not know what the file is for:\n{said}")
    package.replace(file, "By hand", "By two hands")
    package.build()
    expect("-- By two hands." in package.generated("Notes.swift"), "the edited file is not in the code")
    package.write(file, "-- Nothing.\n")
    expect(f"{package.path(file)}:1:1: error: " in package.fail(), "a file without statements is no error")
    package.remove(f"{FOLDER}/Migrations")
    package.build()
    expect("-- By" not in package.generated("Notes.swift"), "the removed file is in the code")


def the_new_version_counts(package):
    package.replace(SECOND, 'name="Folder"', 'name="Note"')
    package.fail_at(SECOND, 'Note" representedClassName="Folder"', "'Note'")
    package.replace(SECOND, 'name="Note" representedClassName="Folder"', 'name="Folder" representedClassName="Folder"')
    package.build()


def an_entity_is_removed(package):
    package.write(SECOND, package.read(SECOND).replace(entity("Folder"), entity("Shelf")))
    package.build()
    text = package.generated("Notes+Entities0.swift")
    expect("class Folder" not in text and "class Shelf" in text, "'Folder' is still there")


def a_model_grows_and_shrinks(package):
    text = package.read(SECOND)
    more = "".join(entity(f"Thing{number}") for number in range(10))
    package.write(SECOND, text.replace("</model>", more + "</model>"))
    package.build()
    # A new file makes the build run the plugin again, which then counts the entities.
    package.write(f"{FOLDER}/count.swift", "let things = [Thing0.self, Thing9.self]\n")
    package.build()
    expect(package.generated("Notes+Entities1.swift"), "the classes are not in two files")
    package.write(SECOND, text)
    package.remove(f"{FOLDER}/count.swift")
    package.build()
    package.run("NotesApp")


def a_configuration_is_edited(package):
    name = f"{FOLDER}/chordata.json"
    package.write(name, '{\n  "diagnostics": {\n    "CD9999": "error"\n  }\n}\n')
    package.fail_at(name, '"CD9999"', "no diagnostic 'CD9999'")
    package.write(name, '{\n  "diagnostics": {}\n}\n')
    package.build()
    # The build system does not run the plugin again, so the names of the files must not depend on the configuration.
    package.write(name, '{\n  "name": "Jotter"\n}\n')
    package.replace(f"{FOLDER}/main.swift", "NotesModel", "JotterModel")
    package.build()
    package.run("NotesApp")
    package.remove(name)
    package.replace(f"{FOLDER}/main.swift", "JotterModel", "NotesModel")
    package.build()


def a_second_model(package):
    package.write(f"{FOLDER}/Deep/My Things.xcdatamodeld/My Things.xcdatamodel/contents", THINGS)
    package.replace("Package.swift", 'app("Notes")', 'app("Notes", models: ["Notes", "Deep/My Things"])')
    package.write(f"{FOLDER}/things.swift", "let things = (My_ThingsModel.self, Thing.self)\n")
    package.build()
    package.remove(f"{FOLDER}/things.swift")


def two_models_with_one_class(package):
    """The classes of a target's models are in one module: the second model is rejected until its entity has another
    class."""
    things = f"{FOLDER}/Deep/My Things.xcdatamodeld/My Things.xcdatamodel/contents"
    package.replace(things, 'name="Thing" representedClassName="Thing"', 'name="Note" representedClassName="Note"')
    package.fail_at(SECOND, 'Note"', "My Things")
    expect("'class'" in package.fail(), "the remedy is not named")
    package.replace(things, 'name="Note" representedClassName="Note"', 'name="Note" representedClassName="Jotting"')
    package.build()
    expect("class Jotting" in package.generated("My Things+Entities0.swift"), "the class has not the new name")
    package.write(things, THINGS)
    package.build()


THINGS = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<model>\n{entity("Thing")}</model>\n'


def two_models_of_one_name(package):
    package.write(f"{FOLDER}/Deep/Deeper/My Things.xcdatamodeld/My Things.xcdatamodel/contents", THINGS)
    said = package.fail()
    for name in ["Deep/My Things.xcdatamodeld", "Deep/Deeper/My Things.xcdatamodeld"]:
        expect(package.path(f"{FOLDER}/{name}") in said, f"{name} is not named in:\n{said}")
    expect("cannot have two files 'My Things.swift'" in said, f"not said why:\n{said}")
    # This is the alternative to renaming; the classes must differ as well.
    model = THINGS.replace("Thing", "Gizmo")
    package.write(f"{FOLDER}/Deep/Deeper/My Things.xcdatamodeld/My Things.xcdatamodel/contents", model)
    expect("a 'name' in 'My Things.chordata.json' beside it" in said, f"not said what helps:\n{said}")
    package.write(f"{FOLDER}/Deep/Deeper/My Things.chordata.json", '{\n  "name": "Gizmos"\n}\n')
    package.write(f"{FOLDER}/things.swift", "let things = (My_ThingsModel.self, Thing.self, GizmosModel.self, Gizmo.self)\n")
    package.replace("Package.swift", '"Deep/My Things"])', '"Deep/My Things"], exclude: ["Deep/Deeper"])')
    package.build()
    package.replace("Package.swift", '"Deep/My Things"], exclude: ["Deep/Deeper"])', '"Deep/My Things"])')
    package.remove(f"{FOLDER}/things.swift")
    package.remove(f"{FOLDER}/Deep/Deeper")


def a_model_has_its_own_configuration(package):
    """One of two models in a folder gets a configuration, which is edited and removed again, with and without the
    folder's."""
    models = 'models: ["Notes", "Deep/My Things"'
    package.replace("Package.swift", models, models + ', "Shop"')
    package.write(f"{FOLDER}/Shop.xcdatamodeld/Shop.xcdatamodel/contents", THINGS.replace("Thing", "Ware"))
    own, shared = f"{FOLDER}/Shop.chordata.json", f"{FOLDER}/chordata.json"

    def expect_public(*names):
        package.build()
        for name in ["Notes", "Shop"]:
            is_public = f"public nonisolated final class {name}Model" in package.generated(f"{name}.swift")
            expect(is_public == (name in names), f"{name}.swift is not what the configuration says")

    expect_public()
    package.write(own, '{ "access": "public" }\n')
    expect_public("Shop")
    package.write(own, '{ "access": "internal" }\n')
    expect_public()
    package.write(shared, '{ "access": "public" }\n')
    expect_public("Notes")
    package.remove(own)
    expect_public("Notes", "Shop")
    package.write(own, '{ "name": "Store" }\n')
    package.write(f"{FOLDER}/things.swift", "let things = (StoreModel.self, Ware.self)\n")
    package.build()
    expect(package.generated("Store+Entities0.swift"), "the files have not the name")
    package.remove(f"{FOLDER}/things.swift")
    package.remove(own)
    expect_public("Notes", "Shop")

    # Mistakes that appear when the package is already built.
    package.write(f"{FOLDER}/Shp.chordata.json", "{}\n")
    package.fail_at(f"{FOLDER}/Shp.chordata.json", "{}", "did you mean 'Shop.chordata.json'?")
    package.remove(f"{FOLDER}/Shp.chordata.json")
    package.build()
    package.write(shared, '{\n  "name": "Store"\n}\n')
    package.fail_at(shared, '"name"', "this file is for 'Notes' and 'Shop'; write a separate configuration file")
    package.remove(shared)
    package.remove(f"{FOLDER}/Shop.xcdatamodeld")
    package.replace("Package.swift", models + ', "Shop"', models)
    package.build()


def a_source_of_the_name_of_an_output(package):
    package.write(f"{FOLDER}/Deep/notes.swift", "struct Mine {}\n")
    said = package.fail()
    for name in ["Notes.xcdatamodeld", "Deep/notes.swift"]:
        expect(package.path(f"{FOLDER}/{name}") in said, f"{name} is not named in:\n{said}")
    package.remove(f"{FOLDER}/Deep/notes.swift")
    package.build()


def links(package):
    """Models and folders that are linked are watched like all others; hidden folders and nested packages are not."""
    models = '"Deep/My Things", "Linked"], exclude: ["Nested", "loop"])'
    package.replace("Package.swift", '"Deep/My Things"])', models)
    os.rename(package.path(f"{FOLDER}/Deep"), package.path("Outside"))
    os.symlink("../../Outside", package.path(f"{FOLDER}/Deep"))
    package.write("Elsewhere/Real.xcdatamodeld/Real.xcdatamodel/contents", THINGS.replace("Thing", "Gadget"))
    os.symlink("../../Elsewhere/Real.xcdatamodeld", package.path(f"{FOLDER}/Linked.xcdatamodeld"))
    os.symlink("..", package.path(f"{FOLDER}/loop"))
    for name in [".hidden", "Nested"]:
        package.write(f"{FOLDER}/{name}/Notes.xcdatamodeld/Notes.xcdatamodel/contents", THINGS)
    package.write(f"{FOLDER}/Nested/Package.swift", "")
    package.write(f"{FOLDER}/things.swift", "let things = (LinkedModel.self, Gadget.self, Thing.self)\n")
    package.build()

    # Another version, outside of the target's folder, and an edit of it.
    real = "Elsewhere/Real.xcdatamodeld"
    package.write(f"{real}/Real 2.xcdatamodel/contents", THINGS.replace("Thing", "Gadget"))
    package.write(f"{real}/.xccurrentversion", CURRENT.format("Real 2"))
    package.build()
    package.replace(f"{real}/Real 2.xcdatamodel/contents", 'name="name"', 'name="title" elementID="name"')
    package.build()
    expect("var title" in package.generated("Linked+Entities0.swift"), "the edit was not noticed")

    # The name of the link is used, and the files beside the link.
    package.write("Elsewhere/Real.chordata.json", "wrong")
    package.write(f"{FOLDER}/Linked.chordata.json", '{ "access": "public" }\n')
    package.build()
    expect("public nonisolated final class" in package.generated("Linked.swift"), "its configuration was not noticed")
    package.remove(f"{FOLDER}/Linked.chordata.json")
    package.build()
    expect("public" not in package.generated("Linked.swift"), "its configuration is still there")


def no_model_is_left(package):
    for name in ["Notes.xcdatamodeld", "Linked.xcdatamodeld", "Deep"]:
        package.remove(f"{FOLDER}/{name}")
    said = package.fail()
    expect("warning: target 'NotesApp' has no '.xcdatamodeld'" in said, f"not said what is missing:\n{said}")


EDITS = [
    nothing_changes,
    touched_files,
    an_attribute_is_added,
    a_mistake_is_mended,
    a_file_is_cut_off,
    a_version_is_added,
    a_migration_is_written_by_hand,
    the_new_version_counts,
    an_entity_is_removed,
    a_model_grows_and_shrinks,
    a_configuration_is_edited,
    a_second_model,
    two_models_with_one_class,
    two_models_of_one_name,
    a_model_has_its_own_configuration,
    a_source_of_the_name_of_an_output,
    links,
    no_model_is_left,
]

# The edits that the build systems could handle differently; the second one is slow.
FEW_EDITS = [
    nothing_changes,
    touched_files,
    an_attribute_is_added,
    a_mistake_is_mended,
    a_version_is_added,
    a_migration_is_written_by_hand,
    a_second_model,
    two_models_of_one_name,
    a_model_has_its_own_configuration,
    links,
]
