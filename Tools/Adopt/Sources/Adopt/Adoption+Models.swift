internal import Foundation

extension Adoption {
    /// Changes `usesScalarValueType` of attributes in the files of their models.
    ///
    /// Settings that cannot be changed with certainty are reported.
    mutating func setScalars(_ settings: [ScalarSetting], in models: [DataModel]) {
        var seen: Set<String> = []
        for model in models where seen.insert(model.path).inserted {
            let own = Set(settings.filter { $0.model == model.path })
            if !own.isEmpty { setScalars(own, in: model) }
        }
    }

    private mutating func setScalars(_ settings: Set<ScalarSetting>, in model: DataModel) {
        let contents = model.contents
        var tags: [AttributeTag] = []
        var unreadable: UnreadableXML?
        do {
            tags = try findAttributeTags(contents.bytes)
        } catch {
            unreadable = error
        }
        var edits: [Edit] = []
        var changed: [ScalarSetting] = []
        for setting in settings.sorted(by: { ($0.entity, $0.attribute, $0.value) < ($1.entity, $1.attribute, $1.value) }
        ) {
            let found = tags.filter { $0.entity == setting.entity && $0.attribute == setting.attribute }
            let offset = found.first?.offset ?? unreadable?.offset ?? 0
            if settings.contains(setting.opposite) {
                // There is one report for both settings.
                guard setting.isScalar else { continue }
                report(
                    contents,
                    offset,
                    "attribute '\(setting.attribute)' of entity '\(setting.entity)' is declared with a scalar type and as "
                        + "'NSNumber'; set 'usesScalarValueType' of the attribute, and use the type that is generated"
                )
                continue
            }
            guard setting.isScalar != model.isScalar(setting) else { continue }
            if let problem = unreadable?.message ?? (contents.isLinked ? "it is behind a symbolic link" : nil)
                ?? (found.count != 1 ? "its start tag is not unique" : nil)
            {
                reportScalar(setting, contents, offset, problem)
                continue
            }
            changed.append(setting)
            edits += found.map { $0.edit(setting.value) }
        }
        guard !edits.isEmpty else { return }
        let after = applyEdits(edits, to: contents.bytes)
        guard readEntities(Data(after)) == model.entities.map({ $0.setting(changed) }) else {
            for setting in changed { reportScalar(setting, contents, 0, "the change would have other effects") }
            return
        }
        addModelChange(Change(path: contents.path, before: contents.bytes, after: after, isModel: true))
    }

    private mutating func reportScalar(
        _ setting: ScalarSetting,
        _ contents: ModelContents,
        _ offset: Int,
        _ problem: String
    ) {
        report(
            contents,
            offset,
            "the file of the model is not changed, because \(problem); set 'usesScalarValueType' of attribute "
                + "'\(setting.attribute)' of entity '\(setting.entity)' to '\(setting.value)', which the type of the removed "
                + "property needs"
        )
    }

    private mutating func report(_ contents: ModelContents, _ offset: Int, _ message: String) {
        add(.model, .warning, contents.path, ParsedFile.location(offset, in: contents.bytes), message)
    }
}

extension ScalarSetting {
    fileprivate var opposite: ScalarSetting {
        ScalarSetting(model: model, entity: entity, attribute: attribute, isScalar: !isScalar)
    }
}

extension DataModel {
    fileprivate func isScalar(_ setting: ScalarSetting) -> Bool? {
        entities.first { $0.name == setting.entity }?.properties[setting.attribute]?.isScalar
    }
}

extension ModelEntity {
    /// Returns the entity with other settings.
    fileprivate func setting(_ settings: [ScalarSetting]) -> ModelEntity {
        var entity = self
        for setting in settings where setting.entity == name {
            entity.properties[setting.attribute]?.isScalar = setting.isScalar
        }
        return entity
    }
}
