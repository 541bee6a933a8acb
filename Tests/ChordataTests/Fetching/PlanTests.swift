import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The query plans of fetches: sorting and joins use indexes and primary keys, and a key path is joined once.
struct PlanTests {
    /// A model of people with firms, projects and bosses.
    private static func model() throws -> ManagedObjectModel {
        func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: type)
        }
        func index(_ name: String, _ properties: String...) -> FetchIndexDescription {
            FetchIndexDescription(name: name, elements: properties.map { .init(propertyName: $0) })
        }
        func relationship(_ name: String, _ destination: String, _ inverse: String, isToMany: Bool = false)
            -> RelationshipDescription
        {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isToMany
            )
        }
        return try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Person",
                attributes: [
                    attribute("name", .string), attribute("age", .integer64), attribute("salary", .double),
                    attribute("pay", .decimal),
                ],
                relationships: [
                    relationship("firm", "Firm", "people"), relationship("boss", "Person", "staff"),
                    relationship("staff", "Person", "boss", isToMany: true),
                    relationship("projects", "Project", "people", isToMany: true),
                ],
                indexes: [index("byName", "name"), index("byAgeAndSalary", "age", "salary"), index("byPay", "pay")]
            ),
            EntityDescription(
                name: "Firm",
                attributes: [attribute("name", .string), attribute("city", .string)],
                relationships: [relationship("people", "Person", "firm", isToMany: true)],
                indexes: [index("byCity", "city")]
            ),
            EntityDescription(
                name: "Project",
                attributes: [attribute("title", .string)],
                relationships: [relationship("people", "Person", "projects", isToMany: true)],
                indexes: [index("byTitle", "title")]
            ),
        ])
    }

    private struct Case {
        var entity = "Person"
        var format: String?
        var sorts: [String] = []
        /// Substrings of the steps of SQLite's query plan.
        let steps: [String]
        var sortsRows = false
        var joinCount = 0
    }

    private static let cases = [
        Case(steps: ["SCAN t0"]),
        Case(sorts: ["name"], steps: ["SCAN t0 USING INDEX Person_name"]),
        Case(sorts: ["age", "salary"], steps: ["SCAN t0 USING INDEX Person_age_salary"]),
        Case(sorts: ["salary"], steps: ["SCAN t0"], sortsRows: true),
        Case(format: "name == 'x'", sorts: ["name"], steps: ["SEARCH t0 USING INDEX Person_name (name=?)"]),
        Case(format: "age == 3", sorts: ["salary"], steps: ["SEARCH t0 USING INDEX Person_age_salary (age=?)"]),
        Case(
            format: "age == 3 AND salary > 2",
            sorts: ["salary"],
            steps: ["SEARCH t0 USING INDEX Person_age_salary (age=? AND salary>?)"]
        ),
        Case(
            format: "name BEGINSWITH 'x'",
            sorts: ["name"],
            steps: ["SEARCH t0 USING INDEX Person_name (name>? AND name<?)"]
        ),
        Case(format: "firm == nil", steps: ["SEARCH t0 USING INDEX Person_firm (firm=?)"]),
        Case(format: "pay == 3", steps: ["SEARCH t0 USING INDEX Person_pay (pay=?)"]),
        // A key path is joined once for the predicate and the sort order, starting from the end that has an index.
        Case(
            format: "firm.city == 'x' AND firm.name != nil",
            sorts: ["firm.city", "firm.name"],
            steps: ["SEARCH t1 USING INDEX Firm_city (city=?)", "SEARCH t0 USING INDEX Person_firm (firm=?)"],
            sortsRows: true,
            joinCount: 1
        ),
        Case(
            sorts: ["boss.firm.name"],
            steps: [
                "SCAN t0", "SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)",
                "SEARCH t2 USING INTEGER PRIMARY KEY (rowid=?)",
            ],
            sortsRows: true,
            joinCount: 2
        ),
        // To-manys are evaluated for each row, by the index of the inverse relationship.
        Case(entity: "Firm", format: "ANY people.name == 'x'", steps: ["SCAN t0", "INDEX Person_firm (firm=?)"]),
        Case(entity: "Firm", format: "people.@count > 2", steps: ["SCAN t0", "COVERING INDEX Person_firm (firm=?)"]),
        Case(
            entity: "Firm",
            format: "SUBQUERY(people, $p, $p.age > 3 AND $p.boss == nil).@count == 1",
            steps: ["SCAN t0", "INDEX Person_firm (firm=?)"]
        ),
        Case(
            format: "ANY projects.title == 'x'",
            sorts: ["name"],
            steps: [
                "SCAN t0 USING INDEX Person_name", "USING PRIMARY KEY (source=?)",
                "USING INTEGER PRIMARY KEY (rowid=?)",
            ],
            joinCount: 1
        ),
    ]

    @Test(arguments: cases.indices) func plan(_ number: Int) throws {
        let expected = Self.cases[number]
        var request = FetchRequest<ManagedObject>(entityName: expected.entity)
        if let format = expected.format { request = try request.where(format: format) }
        for sort in expected.sorts { request = request.sorted(by: sort) }
        let explanation = try explainFetch(request, in: try Self.model())
        for step in expected.steps {
            #expect(explanation.plan.contains { $0.contains(step) }, "\(step) in \(explanation.plan)")
        }
        expectEqual(explanation.plan.contains { $0.contains("TEMP B-TREE") }, expected.sortsRows, "\(explanation.plan)")
        expectEqual(
            explanation.sql.components(separatedBy: " JOIN ").count - 1,
            expected.joinCount,
            "\(explanation.sql)"
        )
    }
}
