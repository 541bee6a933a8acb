import Foundation

/// Runs the round trip of a model with the arguments of the program: the plan, and a folder for stores.
///
/// Prints the results for `roundtrip.py` to read.
public func runAndExit(_ model: GeneratedModel) -> Never {
    exit(run(model, plan: CommandLine.arguments[1], folder: CommandLine.arguments[2]))
}

private func run(_ model: GeneratedModel, plan: String, folder: String) -> Int32 {
    let report = Report()
    do {
        let plan = try Plan(contentsOfFile: plan)
        report.expect(
            model.drivers.map { $0.entityName } == plan.entities.map(\.name),
            "the drivers are of another plan"
        )
        try RoundTrip(model: model, world: World(plan, report), folder: folder).run()
        report.stage = "counting"
        for name in Set(plan.properties).subtracting(report.properties).sorted() {
            report.fail("\(name) was not set and compared")
        }
        for name in report.properties.subtracting(plan.properties).sorted() {
            report.fail("\(name) is not in the model")
        }
        for name in Set(plan.functions).subtracting(report.calledFunctions).sorted() {
            report.fail("\(name) was not called")
        }
        for name in report.calledFunctions.subtracting(plan.functions).sorted() {
            report.fail("\(name) is not in the model")
        }
        print(
            "entities \(plan.entities.count) properties \(report.properties.count)",
            "functions \(report.calledFunctions.count) comparisons \(report.comparisons)"
        )
    } catch {
        report.fail("\(error)")
    }
    for failure in report.failures.prefix(20) { print("failure \(failure)") }
    if report.failures.count > 20 { print("failure and \(report.failures.count - 20) more") }
    return report.failures.isEmpty ? 0 : 1
}
