internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A batch update whose names are resolved and whose values are valid for their properties.
struct BoundBatchUpdate {
    /// A property and its new value.
    struct Assignment {
        enum Value {
            /// A value that is the same for all rows.
            case constant(PredicateValue)
            case computed(BoundExpression)
        }

        let field: Field
        let columnName: String
        let value: Value
    }

    /// The request that selects the rows.
    var bound: BoundFetchRequest
    /// The assignments, in the order of the entity's properties.
    let assignments: [Assignment]

    var type: RuntimeEntity { bound.type }

    init<Object: ManagedObject>(_ request: BatchUpdateRequest<Object>, in schema: StoreSchema) throws {
        let bound = try BoundFetchRequest(request.request, in: schema)
        let type = bound.type
        let entityName = type.entity.name
        guard bound.predicate?.isRenderable != false else {
            throw FetchError.uncomputable("predicate", entityName: entityName)
        }
        let now = Date()
        self.bound = bound
        assignments = try request.propertiesToUpdate.map { name, expression in
            try Assignment(name, expression, of: type, in: schema, now: now)
        }
        .ordered { $0.field.index < $1.field.index }
        guard !assignments.isEmpty else { throw BatchUpdateError.nothingToUpdate(entityName: entityName) }
    }

    /// The values for one statement; `nil` if the database cannot check a computed value, or if the rows have to be
    /// written one after another, because a computed value must be unique.
    func columnValues(in schema: StoreSchema) -> [(column: String, value: ColumnValue)]? {
        let isStrict = !schema.nonStrictTables.contains(type.mapping.tableName)
        let unique = schema.uniqueColumnNames(of: type)
        var values: [(column: String, value: ColumnValue)] = []
        for assignment in assignments {
            switch assignment.value {
            case .constant(let value): values.append((assignment.columnName, .constant(value)))
            case .computed(let expression):
                let field = assignment.field
                guard isStrict, !unique.contains(assignment.columnName), let type = field.attribute?.attributeType,
                    let arithmetic = CheckedArithmetic(expression, for: type, isRequired: field.isRequired)
                else { return nil }
                values.append((assignment.columnName, .computed(arithmetic)))
            }
        }
        return values
    }
}

extension StoreSchema {
    /// Returns the columns of an entity's table that are part of a unique index.
    func uniqueColumnNames(of type: RuntimeEntity) -> Set<String> {
        let indexes = mapping.table(named: type.mapping.tableName)?.indexes.filter(\.isUnique) ?? []
        return Set(indexes.flatMap { $0.elements.map(\.columnName) })
    }
}

extension BoundBatchUpdate.Assignment {
    fileprivate init(
        _ name: String,
        _ expression: FetchExpression,
        of type: RuntimeEntity,
        in schema: StoreSchema,
        now: Date
    ) throws {
        let entityName = type.entity.name
        guard let field = type.field(named: name) else {
            if let element = type.elements(ofCompositeNamed: name)?.first {
                let reason = "is a composite, so only its elements can be updated, such as '\(name).\(element)'"
                throw BatchUpdateError.notUpdatable(name, entityName: entityName, reason: reason)
            }
            let suggestion = nearestName(to: name, among: type.fields.map(\.name))
            throw BatchUpdateError.unknownProperty(name, entityName: entityName, suggestion: suggestion)
        }
        if let reason = schema.reasonAgainstUpdating(field, of: type) {
            throw BatchUpdateError.notUpdatable(name, entityName: entityName, reason: reason)
        }
        guard let columnName = field.columnName else {
            throw BatchUpdateError.notUpdatable(name, entityName: entityName, reason: "has no column of its own")
        }
        (self.field, self.columnName) = (field, columnName)
        if case .value(var constant) = expression.node {
            if case .object(let reference) = constant {
                constant = .object(reference.bound(to: type.storeIdentity, in: schema.model))
            }
            value = .constant(try field.stored(constant, of: type))
            return
        }
        guard field.relationship == nil else {
            let reason = "is a relationship, which can be set to an object or to nil, not to a computed value"
            throw BatchUpdateError.notUpdatable(name, entityName: entityName, reason: reason)
        }
        if let attribute = field.attribute {
            try expression.checkValue(of: attribute, of: entityName, in: schema.model)
        }
        let (computed, computedType) = try expression.bind(
            to: entityName,
            in: schema.model,
            now: now,
            store: type.storeIdentity
        )
        guard computed.isRenderable, computedType != .opaque else {
            throw FetchError.uncomputable(name, entityName: entityName)
        }
        value = .computed(computed)
    }
}

extension StoreSchema {
    /// Returns the reason why a property cannot be updated by writing only its column; `nil` if it can be updated.
    fileprivate func reasonAgainstUpdating(_ field: Field, of type: RuntimeEntity) -> String? {
        guard field.isStored else { return "is transient, so it is not stored" }
        if field.attribute?.isDerived == true { return "is derived from other properties" }
        switch field.kind.base {
        case .encoded: return "is Transformable, and a batch update cannot encode its value"
        case .external: return "allows external storage, so its bytes are not in the row"
        case .toMany: return "is a to-many relationship, which is not stored in the row"
        case .toOne:
            guard let relationship = type.relationships[field.index], isWrittenAtBothEnds(relationship) else {
                return nil
            }
            return "has a to-one or ordered inverse, which a batch update does not maintain"
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .any,
            .objectID:
            return nil
        }
    }
}

extension Field {
    /// Returns a constant in the form that the column stores.
    /// - Throws: ``BatchUpdateError`` when the constant is not a valid value of the property.
    fileprivate func stored(_ constant: PredicateValue, of type: RuntimeEntity) throws(BatchUpdateError)
        -> PredicateValue
    {
        let entityName = type.entity.name
        if case .null = constant {
            guard isRequired else { return .null }
            throw .missingValue(name, entityName: entityName, objectID: nil)
        }
        if case .object = constant, relationship != nil { return constant }
        guard let relationship else {
            if case .attribute(let value) = constant, let fitting = fitting(value) { return .attribute(fitting) }
            throw typeMismatch(entityName, nil)
        }
        throw .unknownDestination(
            name,
            entityName: entityName,
            destinationEntityName: relationship.destinationEntityName
        )
    }

    /// Returns a computed value in the form that the column stores; `nil` if it is not a valid value of the attribute.
    func stored(computed value: AttributeValue?) -> PredicateValue? {
        guard let value else { return .null }
        return convert(value, to: kind.base).flatMap { fitting($0) }.map { .attribute($0) }
    }

    /// Returns the error for a computed value that cannot be stored.
    func error(of value: PredicateValue?, for objectID: ManagedObjectID) -> any Error {
        if attribute?.isDerived == true {
            return value == nil
                ? ValidationError.invalidDerivation(of: self, objectID)
                : ValidationError.missingDerivation(of: self, objectID)
        }
        return value == nil
            ? typeMismatch(objectID.entityName, objectID)
            : BatchUpdateError.missingValue(name, entityName: objectID.entityName, objectID: objectID)
    }

    private func typeMismatch(_ entityName: String, _ objectID: ManagedObjectID?) -> BatchUpdateError {
        .invalidValue(
            name,
            entityName: entityName,
            typeName: attribute?.attributeType.rawValue ?? "",
            objectID: objectID
        )
    }
}
