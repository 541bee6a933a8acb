internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A live list: the objects of a fetch request, in sections, kept right while the context changes.
///
/// It belongs to its context and is used where that is used. With a ``delegate`` it follows every change of the context,
/// merged saves of other contexts included; without one its contents stay as fetched (F15).
public final class FetchedResultsController<Object: ManagedObject> {
    /// What is fetched.
    ///
    /// A change takes effect with the next ``performFetch()``.
    public var fetchRequest: FetchRequest<Object>
    /// The context whose objects are shown.
    public let managedObjectContext: ManagedObjectContext
    /// The property whose value makes the sections, dotted over to-one relationships; `nil` for one section.
    public let sectionNameKeyPath: String?
    /// Reserved for the section cache, which does not exist yet: every fetch makes its sections anew.
    public let cacheName: String?
    /// Hears of every change.
    ///
    /// The controller does not keep it alive (F8).
    public weak var delegate: (any FetchedResultsControllerDelegate)?

    /// Why the list could not follow the last change; `nil` when it did.
    ///
    /// The list then stays as it was until ``performFetch()``: its rows no longer stand together in sections, or the store
    /// could not be read.
    public private(set) var changeError: (any Error)?

    private var arrangement: ResultsArrangement<Object>?
    /// What was fetched last, which ``fetchRequest`` may not be any more.
    private var fetched: (request: FetchRequest<Object>, bound: BoundFetchRequest)?
    /// F20: the context's when the objects were fetched; after a reset the list knows none that is alive.
    private var resetCount = 0
    private var observer: ContextObservation<Object>?

    /// Creates a controller, which is empty until ``performFetch()``.
    ///
    /// With a section key path the request must sort so that the objects of a section stand together.
    public init(
        fetchRequest: FetchRequest<Object>,
        managedObjectContext: ManagedObjectContext,
        sectionNameKeyPath: String? = nil,
        cacheName: String? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
        self.sectionNameKeyPath = sectionNameKeyPath
        self.cacheName = cacheName
    }

    /// Fetches the objects and makes the sections; may be called again at any time (F5).
    /// - Throws: ``FetchError`` when sections cannot be made, and what ``ManagedObjectContext/fetch(_:)`` throws.
    public func performFetch() throws {
        if let sectionNameKeyPath {
            guard !fetchRequest.sortKeys.isEmpty else {
                throw FetchError.missingSortKey(entityName: fetchRequest.entityName)
            }
            try checkSectionKeyPath(sectionNameKeyPath)
        }
        let objects = try managedObjectContext.fetch(fetchRequest)
        let bound = try BoundFetchRequest(fetchRequest, in: managedObjectContext.schema)
        arrangement = try arrange(objects, of: fetchRequest)
        changeError = nil
        fetched = (fetchRequest, bound)
        resetCount = managedObjectContext.resetCount
        if observer == nil {
            let observer = ContextObservation(controller: self)
            managedObjectContext.observers.append(WeakObserver(observer: observer))
            self.observer = observer
        }
    }

    // MARK: Contents

    /// All objects in order; `nil` before the first fetch.
    public var fetchedObjects: [Object]? { arrangement?.rows }

    /// The sections; `nil` before the first fetch.
    ///
    /// Without a section key path there is always one (F4).
    public var sections: [FetchedResultsSectionInfo<Object>]? { arrangement?.sections.map(sectionInfo) }

    /// The object at a place; traps when there is none (F13).
    public func object(at indexPath: IndexPath) -> Object {
        guard let arrangement else { preconditionFailure("performFetch() comes before object(at:)") }
        return arrangement.sections[indexPath.section].rows[indexPath.row]
    }

    /// The place of an object; `nil` when it is not in the list.
    /// - Complexity: O(n).
    public func indexPath(forObject object: Object) -> IndexPath? {
        guard let arrangement else { return nil }
        for (section, content) in arrangement.sections.enumerated() {
            if let row = content.rows.firstIndex(of: object) { return IndexPath(row: row, section: section) }
        }
        return nil
    }

    /// The index titles of all sections.
    public var sectionIndexTitles: [String] { sections?.map(\.indexTitle) ?? [] }

    private func sectionInfo(_ section: ResultsArrangement<Object>.Section) -> FetchedResultsSectionInfo<Object> {
        let title = delegate?.controller(self, sectionIndexTitleForSectionName: section.name)
        return FetchedResultsSectionInfo(
            name: section.name,
            indexTitle: title ?? section.name.prefix(1).uppercased(),
            objects: section.rows
        )
    }

    // MARK: Sections

    private func checkSectionKeyPath(_ path: String) throws {
        var type = try managedObjectContext.schema.entityType(of: fetchRequest)
        for name in path.split(separator: ".").map(String.init) {
            guard let field = type.field(named: name), field.kind.base != .toMany else {
                throw FetchError.unknownKeyPath(path, entityName: fetchRequest.entityName)
            }
            if let relationship = type.relationships[field.index] {
                type = managedObjectContext.schema.entityTypes[relationship.destination]
            }
        }
    }

    private func arrange(_ objects: [Object], of request: FetchRequest<Object>) throws(FetchError)
        -> ResultsArrangement<Object>
    {
        guard let sectionNameKeyPath else {
            return ResultsArrangement(sections: [ResultsArrangement.Section(name: "", rows: objects)])
        }
        var arrangement = ResultsArrangement<Object>()
        var seen: Set<String> = []
        for object in objects {
            let name = sectionName(of: object, at: sectionNameKeyPath)
            if arrangement.sections.last?.name == name {
                arrangement.sections[arrangement.sections.count - 1].rows.append(object)
            } else {
                // F2: sections in fetch order; a name that recurs means that the order does not group.
                guard seen.insert(name).inserted else {
                    throw .outOfOrderSection(
                        name: name,
                        sectionKeyPath: sectionNameKeyPath,
                        sortKeyPath: request.sortKeys.first?.text ?? ""
                    )
                }
                arrangement.sections.append(ResultsArrangement.Section(name: name, rows: [object]))
            }
        }
        return arrangement
    }

    // MARK: Changes

    fileprivate func contextDidChange(_ change: ContextChange) {
        guard let delegate, let (request, bound) = fetched, let old = arrangement,
            resetCount == managedObjectContext.resetCount,
            changeError == nil  // What it could not follow, it does not know.
        else { return }
        let touched = change.inserted.union(change.updated).union(change.refreshed)
        guard !touched.isEmpty || !change.deleted.isEmpty else { return }
        let new: ResultsArrangement<Object>
        do {
            new = try arrange(try objects(after: change, touched: touched, old: old, request, bound), of: request)
        } catch {
            changeError = error
            return
        }
        let changed = Set(touched.compactMap { $0 as? Object })
        let changes = ResultsChanges(from: old, to: new, changed: changed)
        arrangement = new
        guard !changes.isEmpty else { return }
        report(changes, old: old, new: new, to: delegate)
    }

    /// The rows after an event: only what the event touched is looked at, unless the request needs the store.
    private func objects(
        after change: ContextChange,
        touched: Set<ManagedObject>,
        old: ResultsArrangement<Object>,
        _ request: FetchRequest<Object>,
        _ bound: BoundFetchRequest
    ) throws -> [Object] {
        if bound.limit > 0 || bound.offset > 0 || bound.crossesRelationships {
            return try managedObjectContext.fetch(request)
        }
        let matches = managedObjectContext.evaluator(of: bound)
        let precedes = managedObjectContext.areInOrder(bound.sortTerms)
        var rows = old.rows.filter { !touched.contains($0) && !change.deleted.contains($0) }
        for object in touched where object.state != .deleted && object.state != .gone {
            guard bound.includes(object.entityType, in: managedObjectContext.schema.model), try matches(object) else {
                continue
            }
            var low = 0
            var high = rows.count
            while low < high {
                let middle = (low + high) / 2
                if precedes(rows[middle], object) { low = middle + 1 } else { high = middle }
            }
            rows.insert(unsafeDowncast(object, to: Object.self), at: low)
        }
        return rows
    }

    private func report(
        _ changes: ResultsChanges<Object>,
        old: ResultsArrangement<Object>,
        new: ResultsArrangement<Object>,
        to delegate: any FetchedResultsControllerDelegate
    ) {
        func path(_ position: ResultsArrangement<Object>.Position) -> IndexPath {
            IndexPath(row: position.row, section: position.section)
        }
        delegate.controllerWillChangeContent(self)
        for index in changes.deletedSections {
            // F31: a section that went has no objects any more.
            let info = sectionInfo(.init(name: old.sections[index].name, rows: []))
            delegate.controller(self, didChange: info, atSectionIndex: index, for: .delete)
        }
        for index in changes.insertedSections {
            delegate.controller(self, didChange: sectionInfo(new.sections[index]), atSectionIndex: index, for: .insert)
        }
        for change in changes.rows {
            switch change {
            case .insert(let object, let to):
                delegate.controller(self, didChange: object, at: nil, for: .insert, newIndexPath: path(to))
            case .delete(let object, let from):
                delegate.controller(self, didChange: object, at: path(from), for: .delete, newIndexPath: nil)
            case .move(let object, let from, let to):
                delegate.controller(self, didChange: object, at: path(from), for: .move, newIndexPath: path(to))
            case .update(let object, let from, let to):
                delegate.controller(self, didChange: object, at: path(from), for: .update, newIndexPath: path(to))
            }
        }
        delegate.controllerDidChangeContent(self)
    }
}

/// The value of a section key path as text: numbers in decimal, no value as the empty text (F10).
private func sectionName(of object: ManagedObject, at path: String) -> String {
    var current = object
    for name in path.split(separator: ".") {
        current.readRowOfFault()
        guard let field = current.entityType.field(named: String(name)) else { return "" }
        if field.relationship != nil {
            guard let next = current.managedObjectContext?.realizeToOne(of: current, field: field.index) else {
                return ""
            }
            current = next
            continue
        }
        guard let value = attributeValue(field.kind, at: current.address(of: field)) else { return "" }
        return switch value {
        case .string(let string): string
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .decimal(let decimal): "\(decimal)"
        case .boolean(let boolean): boolean ? "1" : "0"
        case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .data: ""
        }
    }
    return current.objectID.uriRepresentation
}

/// Hears from the context for a controller, so that the controller's conformances stay its own.
private final class ContextObservation<Object: ManagedObject>: ContextObserver {
    private weak var controller: FetchedResultsController<Object>?

    init(controller: FetchedResultsController<Object>) { self.controller = controller }

    func context(_ context: ManagedObjectContext, didChange change: ContextChange) {
        controller?.contextDidChange(change)
    }
}
