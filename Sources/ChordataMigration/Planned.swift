/// The result of a phase of planning, with the findings of the phase.
///
/// The phases are pure functions: two models become a ``MigrationMatch``, this becomes ``MigrationTables``, and these
/// become the steps of a ``MigrationPlan``, which are rendered as SQL. No phase changes a value of an earlier one.
struct Planned<Value> {
    let value: Value
    let findings: [Finding]

    init(_ value: Value, _ findings: [Finding] = []) {
        self.value = value
        self.findings = findings
    }

    /// Returns the value, and appends the findings to those of the caller.
    func value(addingFindingsTo findings: inout [Finding]) -> Value {
        findings += self.findings
        return value
    }
}
