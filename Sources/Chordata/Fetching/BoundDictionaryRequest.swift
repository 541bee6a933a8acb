internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A request for dictionaries whose names are resolved and whose types are checked.
struct BoundDictionaryRequest {
    /// One value of each result.
    struct Column {
        /// The form in which the value is read.
        enum Form {
            case attribute(AttributeDescription)
            case objectID(RuntimeEntity)
            /// The result of an expression, in its own type or another one.
            case computed(AttributeType?)
        }

        let name: String
        let form: Form
        let source: ValueQuery.Column

        /// The values that must be equal in all objects of a group; empty if the value is computed from a group.
        var groupedKeyPaths: Set<BoundKeyPath> {
            switch source {
            case .keyPath(let path): [path]
            case .expression(let expression): expression.groupedKeyPaths
            }
        }
    }

    let bound: BoundFetchRequest
    let columns: [Column]
    let rows: ValueQuery
    /// A Boolean value that indicates whether duplicate results are removed after they are read: for groups, and for
    /// results that are sorted by values that are not fetched.
    let isFiltered: Bool
    /// A Boolean value that indicates whether results are computed in memory, because the database cannot compute a
    /// column or a condition, or does not support the sort order.
    let isComputedInMemory: Bool

    init<Object: ManagedObject>(_ request: DictionaryFetchRequest<Object>, in schema: StoreSchema) throws {
        bound = try BoundFetchRequest(request.request, in: schema)
        let type = bound.type
        let name = type.entity.name
        var properties = request.propertiesToFetch
        if properties.isEmpty {
            properties = type.columnFields.filter { $0.attribute != nil }.map { .property($0.name) }
        }
        let now = Date()
        columns = try properties.map { try Column($0, of: type, in: schema, now: now) }
        var names: Set<String> = []
        for column in columns where !names.insert(column.name).inserted {
            throw FetchError.ambiguousResult(column.name, entityName: name)
        }
        let groups = try request.propertiesToGroupBy.map { try bindKeyPath($0, to: name, in: schema.model) }
        guard request.havingPredicate == nil || !groups.isEmpty else {
            throw FetchError.havingWithoutGroups(entityName: name)
        }
        let isGrouped =
            !groups.isEmpty
            || columns.contains { column in
                if case .expression(let expression) = column.source { return expression.isOfGroup }
                return false
            }
        let having = try request.havingPredicate?.bind(
            toGroupsOf: name,
            in: schema.model,
            expressions: request.expressions,
            now: now,
            store: type.storeIdentity
        )
        if isGrouped {
            for column in columns { try Self.require(column.groupedKeyPaths, among: groups, name) }
            try Self.require(Set(bound.sortTerms.map(\.keyPath)), among: groups, name)
            try Self.require(having?.groupedKeyPaths ?? [], among: groups, name)
        }
        if let having, !having.isRenderable {
            throw FetchError.uncomputable("havingPredicate", entityName: name)
        }
        // In SQL, a distinct result has the position of its first row only if all its rows are consecutive.
        let fetched = Set(
            columns.flatMap { column in
                if case .keyPath(let path) = column.source { [path] } else { [] as [BoundKeyPath] }
            }
        )
        let isSortedByFetched = bound.sortTerms.allSatisfy { fetched.contains($0.keyPath) }
        isFiltered = request.returnsDistinctResults && (isGrouped || !isSortedByFetched)
        rows = ValueQuery(
            columns: columns.map(\.source),
            groups: isGrouped ? groups : nil,
            having: having,
            isDistinct: request.returnsDistinctResults && !isFiltered
        )
        let dialect = schema.dialect
        isComputedInMemory =
            having.map { dialect.isRenderable($0) } == false || !schema.hasOrder(of: bound)
            || columns.contains { column in
                if case .expression(let expression) = column.source {
                    return !dialect.isRenderable(expression)
                }
                return false
            }
    }

    private static func require(_ paths: Set<BoundKeyPath>, among groups: [BoundKeyPath], _ entityName: String)
        throws(FetchError)
    {
        let others = paths.filter { !groups.contains($0) }.map(\.keyPath).ordered(by: <)
        if let first = others.first { throw .notGrouped(first, entityName: entityName) }
    }
}

extension DictionaryFetchRequest {
    fileprivate var expressions: [String: FetchExpression] {
        var result: [String: FetchExpression] = [:]
        for case .expression(let description) in propertiesToFetch { result[description.name] = description.expression }
        return result
    }
}

extension BoundDictionaryRequest.Column {
    fileprivate init(_ property: PropertyToFetch, of type: RuntimeEntity, in schema: StoreSchema, now: Date) throws {
        name = property.name
        switch property {
        case .property(let name):
            let path = try bindKeyPath(name, to: type.entity.name, in: schema.model)
            source = .keyPath(path)
            form = try Self.form(of: path, in: schema)
        case .expression(let description):
            let (expression, expressionType) = try description.expression.bind(
                to: type.entity.name,
                in: schema.model,
                now: now,
                groupsRows: true,
                store: type.storeIdentity
            )
            guard expression.isRenderable else {
                throw FetchError.uncomputable(description.name, entityName: type.entity.name)
            }
            let resultType = description.expressionResultType
            if case .keyPath(let path) = expression, resultType == nil || resultType == path.attribute?.attributeType {
                source = .keyPath(path)
                form = try Self.form(of: path, in: schema)
            } else if case .object(let rootEntityName) = expressionType,
                let root = schema.runtimeEntity(named: rootEntityName)
            {
                source = .expression(expression)
                form = .objectID(root)
            } else {
                // SQL has only the length of a value that is stored in a side table.
                guard expressionType != .opaque else {
                    throw FetchError.uncomputable(description.name, entityName: type.entity.name)
                }
                source = .expression(expression)
                form = .computed(resultType)
            }
        }
    }

    private static func form(of path: BoundKeyPath, in schema: StoreSchema) throws(FetchError) -> Form {
        if let attribute = path.attribute { return .attribute(attribute) }
        guard let type = schema.runtimeEntity(named: path.targetEntityName) else {
            throw .unknownKeyPath(path.keyPath, entityName: path.entityName)
        }
        return .objectID(type)
    }
}
