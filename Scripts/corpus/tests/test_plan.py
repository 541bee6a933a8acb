import plan as planning
import planjson
import relations
import stubs
import xmlmodel
from forms import Impossible, UnknownForm
from small import FolderTest, element

O = 'optional="YES"'


def attribute(name, kind, more=O, notes=""):
    return f'<attribute name="{name}" attributeType="{kind}" {more}>{notes}</attribute>'


def relationship(name, destination, inverse, more="", many=False):
    return (f'<relationship name="{name}" destinationEntity="{destination}" inverseName="{inverse}" '
            + ('toMany="YES" ' if many else "") + f"{more}/>")


class Plans(FolderTest):
    def plan(self, body, generated=""):
        return planning.Plan(self.contents(body), generated)

    def values(self, plan, path):
        return [o.values.get(path) for o in plan.objects]

    def test_empty_model(self):
        plan = self.plan("")
        self.assertEqual(planjson.as_json(plan), {"entities": [], "objects": [], "properties": [], "functions": ["container(at:)"]})

    def test_an_unknown_form_leaves_the_other_properties(self):
        plan = self.plan('<entity name="A">' + attribute("a", "String", O + ' regularExpressionString="\\p{Greek}"')
                         + attribute("b", "String") + "</entity>")
        self.assertEqual(len(plan.unknown), 1)
        self.assertIn('name="a" regularExpressionString=', plan.unknown[0])
        self.assertEqual(plan.properties(), ["A.b"])
        self.assertEqual(set(self.values(plan, "a")), {None})

    def test_a_required_unknown_form_is_reported(self):
        with self.assertRaises(UnknownForm):
            self.plan('<entity name="A"><attribute name="a" attributeType="String" regularExpressionString="\\p{Greek}"/></entity>')

    def test_contradicting_bounds(self):
        body = '<entity name="A">{}</entity>'
        bounds = ' minValueString="5" maxValueString="1"'
        self.assertEqual(len(self.plan(body.format(attribute("a", "Integer 16", O + bounds))).skipped), 1)
        with self.assertRaises(Impossible):
            self.plan(body.format(attribute("a", "Integer 16", bounds)))

    def test_a_default_outside_of_its_bounds_is_replaced(self):
        plan = self.plan('<entity name="A">' + attribute("a", "Integer 32", 'minValueString="10" defaultValueString="0"') + "</entity>")
        self.assertTrue(all(int(text) >= 10 for text in self.values(plan, "a")))

    def test_unique_values(self):
        constraint = ('<uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint>'
                      "</uniquenessConstraints></entity>")
        for kind, more in [("String", 'maxValueString="2"'), ("String", 'regularExpressionString="[A-Z]{3}"'), ("Integer 16", ""),
                           ("Integer 16", 'minValueString="1" maxValueString="9"'), ("Boolean", O)]:
            found = [v for v in self.values(self.plan('<entity name="A">' + attribute("a", kind, more) + constraint), "a") if v is not None]
            self.assertEqual(len(set(found)), len(found), (kind, more))
        with self.assertRaisesRegex(Impossible, "fewer values"):
            self.plan('<entity name="A">' + attribute("a", "Boolean", "") + constraint)

    def test_transient_and_untyped_attributes(self):
        plan = self.plan('<entity name="A"><attribute name="a" transient="YES" optional="YES"/>'
                         + attribute("b", "ObjectID", 'transient="YES"') + "</entity>")
        self.assertEqual([a["kind"] for a in planjson.as_json(plan)["entities"][0]["attributes"]], ["Undefined", "Undefined"])

    def test_generated_types_are_compared(self):
        code = ("public nonisolated final class A: Chordata.ManagedObject {\n    public var a: Foundation.Data? {\n"
                "    public var b: X? {\n    public var c: Swift.Array<X>? {\n")
        plan = self.plan('<entity name="A">' + "".join(
            attribute(name, "Transformable", O + f' customClassName="{cls}"') for name, cls in [("a", "UID"), ("b", "."), ("c", "[X]")])
            + "</entity>", code)
        self.assertEqual(len(plan.failures), 2, plan.failures)
        # The round trip continues with the types of the generated code.
        kinds = {a["name"]: a["kind"] for a in planjson.as_json(plan)["entities"][0]["attributes"]}
        self.assertEqual(kinds, {"a": "Transformable", "b": "Coded", "c": "Coded"})
        self.assertEqual(self.plan('<entity name="B"/>', code).failures, ["the class of entity 'B' is not 'B'"])

    def test_shared_transformers(self):
        plan = self.plan('<entity name="A">' + "".join(
            attribute(name, "Transformable", O + f' valueTransformerName="T" customClassName="{cls}"')
            for name, cls in [("a", "X"), ("b", "Y"), ("c", "X")]) + "</entity>")
        self.assertEqual([text[:3] for text in plan.unknown], ["A.b"])

    def test_derived(self):
        def derived(name, expression):
            return attribute(name, "String", f'{O} derived="YES" derivationExpression="{expression}"')
        plan = self.plan(
            '<entity name="A">' + attribute("name", "String") + derived("c", "canonical:(name)") + derived("l", "lowercase:( name )")
            + derived("copy", "name") + derived("n", "bs.@count") + derived("now", "now()") + derived("sum", "bs.@sum.x")
            + derived("none", "") + derived("far", "b.x") + relationship("bs", "B", "a", O, many=True) + relationship("b", "B", "", O)
            + '</entity><entity name="B">' + attribute("x", "String") + relationship("a", "A", "bs", O) + "</entity>")
        self.assertEqual(len(plan.unknown), 2, plan.unknown)
        first = plan.objects[0]
        self.assertEqual(first.values["copy"], first.values["name"])
        self.assertEqual(first.values["c"][:2], "e ")
        self.assertEqual(first.values["n"], str(len(first.links["bs"])))
        self.assertEqual(first.values["now"], "now")
        self.assertEqual(first.values["far"], plan.objects[first.links["b"][0]].values["x"])
        self.assertNotIn("A.sum", plan.properties())

    def test_declarations_have_the_values_of_all_attributes(self):
        notes = '<userInfo><entry key="RawType" value="Kind"/></userInfo>'
        found = stubs.user_types(self.model(
            '<entity name="A">' + attribute("a", "Integer 16", 'defaultValueString="5.0"', notes)
            + attribute("b", "Integer 64", 'minValueString="40" maxValueString="41"', notes) + "</entity>"))
        self.assertEqual(len(found), 1)
        for value in ("= -7", "= 0", "= 32000", "= 5", "= 40", "= 41"):
            self.assertIn(value, found[0])

    def test_modules(self):
        found = self.model('<entity name="A"><userInfo><entry key="additionalImports" value="MyKit, Foundation, a b"/></userInfo></entity>')
        self.assertEqual(stubs.modules(found), ["MyKit"])


class Relations(FolderTest):
    def check(self, first, second, more=""):
        """Plans two relationships that are each other's inverse, and checks all counts."""
        body = f'<entity name="A">{first}{more}</entity><entity name="B">{second}</entity>'
        plan = planning.Plan(self.contents(body))
        for planned in plan.objects:
            for end in plan.model.relationships(planned.entity):
                count = len(planned.links[end.get("name")])
                self.assertTrue(relations.Limits(end).allow(count), (body, count))
        return plan

    def test_counts(self):
        for first, second in [
            (relationship("b", "B", "as"), relationship("as", "A", "b", O, many=True)),
            (relationship("b", "B", "as"), relationship("as", "A", "b", 'maxCount="2" optional="YES"')),
            (relationship("b", "B", "a"), relationship("a", "A", "b")),
            (relationship("bs", "B", "a", O + ' minCount="3" maxCount="10"', many=True), relationship("a", "A", "bs", O)),
            (relationship("bs", "B", "as", 'minCount="2"', many=True), relationship("as", "A", "bs", "", many=True)),
            (relationship("b", "B", "as", 'minCount="1" maxCount="1" optional="YES"'), relationship("as", "A", "b", O, many=True)),
        ]:
            plan = self.check(first, second)
            self.assertEqual(plan.skipped, [], (first, second))

    def test_the_counts_of_a_to_one_mean_nothing(self):
        limits = relations.Limits(element('<relationship minCount="2" maxCount="1" optional="YES"/>'))
        self.assertEqual([limits.allow(count) for count in (0, 1, 2)], [True, True, False])

    def test_an_inverse_of_one_side_is_none(self):
        plan = self.check(relationship("one", "B", "as", O) + relationship("other", "B", "as", O),
                          relationship("as", "A", "one", O, many=True))
        self.assertEqual(len(plan.relations), 2)

    def test_own_inverse(self):
        plan = self.check(relationship("me", "A", "me", O) + relationship("friends", "A", "friends", O, many=True), "")
        self.assertEqual(plan.skipped, [])

    def test_a_unique_relationship_shares_no_object(self):
        constraint = ('<uniquenessConstraints><uniquenessConstraint><constraint value="b"/></uniquenessConstraint>'
                      "</uniquenessConstraints>")
        plan = self.check(relationship("b", "B", "as"), relationship("as", "A", "b", O, many=True), constraint)
        linked = [o.links["b"][0] for o in plan.objects if o.entity.name == "A"]
        self.assertEqual(len(set(linked)), len(linked))

    def test_a_destination_without_objects(self):
        body = '<entity name="A">{}</entity><entity name="B" isAbstract="YES"/>'
        self.assertEqual(len(planning.Plan(self.contents(body.format(relationship("b", "B", "", O)))).skipped), 2)
        with self.assertRaises(Impossible):
            planning.Plan(self.contents(body.format(relationship("b", "B", ""))))

    def test_impossible_counts(self):
        with self.assertRaises(Impossible):
            self.check(relationship("bs", "B", "a", 'minCount="5" maxCount="2"', many=True), relationship("a", "A", "bs", O))

    def test_a_missing_destination(self):
        with self.assertRaisesRegex(UnknownForm, "destinationEntity"):
            self.check(relationship("x", "Nothing", ""), "")

    def test_transient_relationships_are_linked(self):
        plan = self.check(relationship("b", "B", "as", O + ' transient="YES"'),
                          relationship("as", "A", "b", O + ' transient="YES"', many=True))
        self.assertTrue(plan.objects[0].links["b"])
        self.assertTrue(planjson.as_json(plan)["entities"][0]["relationships"][0]["isTransient"])
        self.assertEqual(xmlmodel.is_to_many(plan.model.entities[1].relationships[0]), True)
