import Chordata

extension RoundTrip {
    /// Sets each attribute individually to the value of another object, saves, and checks the result; then restores the
    /// previous values.
    func changeAttributes(_ path: String) throws {
        report.stage = "changing"
        let container = try model.open(path)
        for (entity, driver) in zip(world.plan.entities, model.drivers) {
            let rows = world.rows.filter { $0.entity.name == entity.name && !$0.isSparse }
            guard let row = rows.first else { continue }
            for attribute in entity.attributes where canChange(attribute) {
                guard let other = rows.first(where: { differ($0, row, attribute) }) else { continue }
                world.onlyAttribute = attribute.name
                let context = container.newContext()
                let object = try driver.existing(row.key, in: context)
                driver.setAny(object, other)
                let changed = Array(object.changedValues().keys)
                report.expect(changed == [attribute.name], "\(entity.name).\(attribute.name): \(changed) have changed")
                try context.save()
                let another = container.newContext()
                // External data is read on first access, so the context is retained.
                let read = try withExtendedLifetime(another) {
                    try driver.existing(row.key, in: another).value(forKey: attribute.name)
                }
                let expected = other.plan.values[attribute.name].flatMap { keyedValue($0, kind: attribute.kind) }
                let isSame =
                    if let read, let expected { CorpusSupport.isSame(read, expected) } else {
                        read == nil && expected == nil
                    }
                report.compare(
                    "\(entity.name).\(attribute.name)",
                    isSame,
                    "\(brief(read)) instead of \(brief(expected))"
                )
                driver.setAny(object, row)
                try context.save()
                world.onlyAttribute = nil
            }
        }
    }

    private func canChange(_ attribute: Plan.Attribute) -> Bool {
        attribute.isWhole && !attribute.isUnique && !attribute.isDerived && !attribute.isTransient
    }

    private func differ(_ left: Row, _ right: Row, _ attribute: Plan.Attribute) -> Bool {
        left.plan.values[attribute.name] != right.plan.values[attribute.name]
    }
}
