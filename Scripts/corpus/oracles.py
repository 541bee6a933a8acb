"""The known behavior of Core Data and of the corpus's apps in migrations: steps that cannot be inferred, and pairs of
versions that Core Data is known to infer or to reject."""

import os
import shutil

import bundlefiles
import migrations
from forms import UnknownForm
from results import Result

WORDPRESS = "Deco354__WordPress-iOS/WordPress/Classes/WordPress.xcdatamodeld"
BOOKMARKS = "duckduckgo__BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
EVENTS = "wireapp__wire-ios-data-model/Resources/ZMEventModel.xcdatamodeld"

# The steps that cannot be inferred, by the path of the bundle in the corpus, and the reason.
REFUSED = {
    (WORDPRESS, "WordPress 20", "WordPress 21"): "Core Data refuses it, as the app's own test says",
    ("TwidereProject__TwidereX-iOS/TwidereSDK/Sources/CoreDataStack/CoreDataStack.xcdatamodeld", "CoreDataStack 3",
     "CoreDataStack 4"): "a required attribute without a default",
    ("SwiftGen__SwiftGen/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld", "Model", "Model 2"):
        "attributes that become required without a default",
}

# The behavior of Core Data for a store of one version that is opened with another version, according to the tests of
# these apps.
INFERRED_BY_CORE_DATA = (
    [(WORDPRESS, f"WordPress {old}", f"WordPress {new}")
     for old, new in [(27, 28), (35, 36), (40, 41), (48, 49), (52, 53), (74, 75)]]
    + [(BOOKMARKS, "BookmarksModel 3", "BookmarksModel 4"), (BOOKMARKS, "BookmarksModel", "BookmarksModel 6")]
    + [(BOOKMARKS, f"BookmarksModel {old}", "BookmarksModel 6") for old in range(2, 6)]
    + [(EVENTS, "ZMEventModel", "ZMEventModel2.0"), (EVENTS, "ZMEventModel2.0", "ZMEventModel3.0"),
       (EVENTS, "ZMEventModel", "ZMEventModel3.0")]
)
REFUSED_BY_CORE_DATA = [(WORDPRESS, "WordPress 19", "WordPress 21")]


def is_known(folder):
    """Returns whether a folder is the corpus of the tables above: if it has one of their bundles, it has all."""
    return any(os.path.exists(os.path.join(folder, path)) for path in [WORDPRESS, BOOKMARKS, EVENTS])


def pairs(folder):
    """The pairs of versions with the expected answer."""
    if not is_known(folder):
        return []
    return [(pair, True) for pair in INFERRED_BY_CORE_DATA] + [(pair, False) for pair in REFUSED_BY_CORE_DATA]


def drop_fetch_requests(bundle):
    """Removes the fetch requests of all versions: stores do not have them, and a command rejects a current version with
    an invalid one."""
    for version in os.listdir(bundle):
        path = os.path.join(bundle, version, "contents")
        if os.path.exists(path):
            bundlefiles.copy_without_fetch_requests(path, path)


def check_pair(tool, folder, work, pair, is_inferred):
    """Plans a step between two versions as if there were none in between, and compares it with the behavior of Core
    Data."""
    path, old, new = pair
    result = Result(f"{path} '{old}' to '{new}'")
    with result.isolated("migrate plan"):
        if not all(os.path.exists(os.path.join(folder, path, name + ".xcdatamodel")) for name in (old, new)):
            raise UnknownForm("a corpus without these versions", None)
        bundle = migrations.reduced(os.path.join(folder, path), [old, new], new, work)
        drop_fetch_requests(bundle)
        steps = migrations.plan(tool, bundle, old, new, result)
        if steps is not None and (len(steps) != 1 or (steps[0]["sql"] is not None) != is_inferred):
            result.fail("migrate plan", "is not inferred, which Core Data does" if is_inferred
                        else "is inferred, which Core Data refuses")
    if not result.failures and not result.unknown:
        result.counts["pairs"] += 1
        result.passed.append("inferred as Core Data does" if is_inferred else "refused as Core Data does")
    shutil.rmtree(work, ignore_errors=True)
    return result
