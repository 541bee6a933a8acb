import fetches
import plan as planning
from small import FolderTest

MODEL = """
<entity name="Base" isAbstract="YES"><attribute name="name" attributeType="String" optional="YES"/></entity>
<entity name="Sub" parentEntity="Base"><attribute name="n" attributeType="Integer 32" optional="YES"/>
<attribute name="t" attributeType="Transformable" optional="YES"/><attribute name="g" attributeType="String" optional="YES"
regularExpressionString="\\p{Greek}"/><relationship name="other" destinationEntity="Other" inverseName="subs" optional="YES"/></entity>
<entity name="Other"><attribute name="title" attributeType="String" optional="YES"/>
<relationship name="subs" toMany="YES" destinationEntity="Sub" inverseName="other" optional="YES"/></entity>
<entity name="Lonely" isAbstract="YES"><attribute name="x" attributeType="String" optional="YES"/></entity>
"""
CODE = "\n".join(f"    public static func {head} -> Chordata.FetchRequest<Sub> {{" for head in (
    "has(text: Swift.String, min: Swift.Int32)", "among(numbers: [Swift.Int32])", "byOther(other: Other)", "byG(g: Swift.String)",
    "byT(t: Foundation.Data)", "odd(x: Some.Thing)", "lonely(x: Swift.String)"))
CLASSES = "\n".join(f"public nonisolated class {name}: Chordata.ManagedObject {{" for name in ("Base", "Sub", "Other", "Lonely"))


class Fetches(FolderTest):
    def call(self, name, predicate=None, entity="Sub", **more):
        values = {"name": name, "entity": entity, **({"predicateString": predicate} if predicate is not None else {}), **more}
        request = "<fetchRequest " + " ".join(f'{key}="{value}"' for key, value in values.items()) + "/>"
        self.plan = planning.Plan(self.contents(MODEL + request), CLASSES + "\n" + CODE)
        lines = self.plan.calls[id(self.plan.model.fetch_requests[0])]
        self.assertLessEqual(len(lines), 1)
        return lines[0] if lines else None

    def numbers(self, entity):
        return str([o.number for o in self.plan.of(entity)])

    def test_all_objects(self):
        for predicate in (None, "", "TRUEPREDICATE", "true == true"):
            line = self.call("all", predicate)
            self.assertIn(f"are: {self.numbers('Sub')})", line)
        self.assertIn("are: [])", self.call("none", entity="Base", includeSubentities="NO"))

    def test_a_variable(self):
        self.assertRegex(self.call("byName", "name == $NAME"), r'byName\(NAME: check\.row\(\d+\)\.value\("name"\)\).*are: \[\d')
        self.assertRegex(self.call("byTitle", "other.title == $t"), r'value\("title"\)\).*are: \[\d')
        self.assertRegex(self.call("either", "name == $v OR n == $w"), r"v: .*w: .*are: \[\d+, \d+\]")

    def test_no_candidate_has_a_value(self):
        # The attribute has no values, because its pattern is unknown; an abstract entity has no objects.
        self.assertIn('byG(g: "text")', self.call("byG", "g == $g"))
        self.assertIn('lonely(x: "text")', self.call("lonely", "x == $x", entity="Lonely"))

    def test_other_predicates_are_called_without_a_known_result(self):
        self.assertRegex(self.call("has", "name CONTAINS[c] $text AND n > $min".replace(">", "&gt;")), r'has\(text: "text", min: 1\).*are: nil')
        self.assertIn("among(numbers: [1])", self.call("among", "n IN $numbers"))
        self.assertRegex(self.call("byOther", "other == $other"), r"byOther\(other: try check\.object\(\d+, in: context\)\)")
        self.assertRegex(self.call("byT", "t == $t"), r"Foundation\.Data\(\[1\]\).*are: nil")
        self.assertRegex(self.call("const", "n == 5"), r"Sub\.const\(\)\).*are: nil")

    def test_unknown_arguments_are_skipped(self):
        self.assertIsNone(self.call("odd", "x BETWEEN $x"))
        self.assertIn("odd: no arguments are known for it", self.plan.skipped)

    def test_limits_and_kinds_of_results(self):
        self.assertIn("are: nil)", self.call("limited", fetchLimit="3"))
        self.assertIn("are: [", self.call("wide", fetchLimit="100"))
        self.assertIn("count: try context.fetch(Sub.counted()), of: [", self.call("counted", resultType="4"))
        self.assertIn(".count, of: [", self.call("dictionaries", resultType="2"))
        self.assertIn(".map(\\.key), are:", self.call("ids", resultType="1"))

    def test_fetched_properties_without_variables(self):
        self.call("all")
        request = self.plan.model.fetch_requests[0]
        request.set("predicateString", "name == $FETCH_SOURCE")
        self.assertEqual(fetches.matching(self.plan, request, {}), "nil")
        request.set("predicateString", "subs.name == $x")
        self.assertEqual(fetches.matching(self.plan, request, {"x": "y"}), "nil")
