#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    /// A section of the results of a results controller.
    public protocol NSFetchedResultsSectionInfo {
        /// The name of the section.
        var name: String { get }
        /// The title of the section in an index.
        var indexTitle: String? { get }
        /// The number of objects in the section.
        var numberOfObjects: Int { get }
        /// The objects of the section.
        var objects: [Any]? { get }
    }

    private struct SectionInfo: NSFetchedResultsSectionInfo {
        let section: FetchedResultsSectionInfo<ManagedObject>

        var name: String { section.name }
        var indexTitle: String? { section.indexTitle }
        var numberOfObjects: Int { section.numberOfObjects }
        var objects: [Any]? { section.objects }
    }

    /// A delegate of a results controller, whose methods all have default implementations.
    public protocol NSFetchedResultsControllerDelegate: AnyObject {
        /// A method that is called before the changes of an event (the changes that a context makes in one turn or
        /// block) are reported.
        func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
        /// A method that is called for each changed object.
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChange anObject: Any,
            at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType,
            newIndexPath: IndexPath?
        )
        /// A method that is called for each inserted or deleted section.
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChange sectionInfo: any NSFetchedResultsSectionInfo,
            atSectionIndex sectionIndex: Int,
            for type: NSFetchedResultsChangeType
        )
        /// A method that is called after the changes of an event were reported.
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
        /// Returns the title of a section in an index.
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            sectionIndexTitleForSectionName sectionName: String
        ) -> String?
        /// A method that is called after an event, with a snapshot of the results.
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
        )
        /// A method that is called after an event, with the difference between the results before and after the event.
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        )
    }

    extension NSFetchedResultsControllerDelegate {
        /// Does nothing, and prevents further calls of this default implementation.
        public func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
        ) { controller.delegateDoesNotImplement(.snapshots) }
        /// Does nothing.
        public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
        /// Does nothing.
        public func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChange anObject: Any,
            at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType,
            newIndexPath: IndexPath?
        ) {}
        /// Does nothing.
        public func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChange sectionInfo: any NSFetchedResultsSectionInfo,
            atSectionIndex sectionIndex: Int,
            for type: NSFetchedResultsChangeType
        ) {}
        /// Does nothing.
        public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
        /// Returns the first letter of the section's name, in upper case.
        public func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            sectionIndexTitleForSectionName sectionName: String
        ) -> String? { sectionName.first?.uppercased() }
        /// Does nothing, and prevents further calls of this default implementation.
        public func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) { controller.delegateDoesNotImplement(.differences) }
    }

    /// Methods of a delegate that require computations.
    private struct DelegateMethods: OptionSet {
        let rawValue: Int

        static let snapshots = DelegateMethods(rawValue: 1)
        static let differences = DelegateMethods(rawValue: 2)
        static let all: DelegateMethods = [.snapshots, .differences]
    }

    /// A list of the objects that match a request, which reports its changes to a delegate.
    open class NSFetchedResultsController<ResultType>: NSObject {
        /// The request.
        public let fetchRequest: NSFetchRequest<ResultType>
        /// The context of the objects.
        public let managedObjectContext: NSManagedObjectContext
        /// The key path of the sections' names; `nil` for one section.
        public let sectionNameKeyPath: String?
        /// The name of the cache of sections.
        public let cacheName: String?

        private let list: ResultsControllerList
        /// A Boolean value that indicates whether the controller is the instance that is passed to delegates.
        private let isErased: Bool

        /// Creates a controller; ``performFetch()`` fetches its objects.
        public init(
            fetchRequest: NSFetchRequest<ResultType>,
            managedObjectContext context: NSManagedObjectContext,
            sectionNameKeyPath: String?,
            cacheName name: String?
        ) {
            self.fetchRequest = fetchRequest
            managedObjectContext = context
            self.sectionNameKeyPath = sectionNameKeyPath
            cacheName = name
            list = ResultsControllerList()
            isErased = false
            super.init()
            list.makeController = {
                FetchedResultsController(
                    fetchRequest: try fetchRequest.request(),
                    managedObjectContext: context,
                    sectionNameKeyPath: sectionNameKeyPath,
                    cacheName: name
                )
            }
            list.makeErased = { list in
                NSFetchedResultsController<any NSFetchRequestResult>(
                    fetchRequest.copy(of: (any NSFetchRequestResult).self),
                    context,
                    sectionNameKeyPath,
                    name,
                    list
                )
            }
        }

        private init(
            _ fetchRequest: NSFetchRequest<ResultType>,
            _ context: NSManagedObjectContext,
            _ sectionNameKeyPath: String?,
            _ name: String?,
            _ list: ResultsControllerList
        ) {
            self.fetchRequest = fetchRequest
            managedObjectContext = context
            self.sectionNameKeyPath = sectionNameKeyPath
            cacheName = name
            self.list = list
            isErased = true
        }

        deinit {
            // The instance for delegates retains the list.
            if !isErased { list.forgetErased() }
        }

        /// The delegate.
        open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
            get { list.delegate }
            set { list.delegate = newValue }
        }

        fileprivate func delegateDoesNotImplement(_ method: DelegateMethods) {
            list.delegateDoesNotImplement(method)
        }

        /// Fetches the objects, and begins to report changes.
        /// - Throws: Any error that a fetch of the context throws.
        open func performFetch() throws {
            if sortDescriptorsAreMissing {
                preconditionFailure(
                    "an NSFetchedResultsController requires a fetch request with sort descriptors; set sortDescriptors of the request"
                )
            }
            guard fetchRequest.resultType == .managedObjectResultType else {
                throw UnsupportedFeatureError(
                    "an NSFetchedResultsController lists objects only; set resultType to managedObjectResultType"
                )
            }
            try throwingCocoaErrors { try list.performFetch() }
        }

        private var sortDescriptorsAreMissing: Bool { fetchRequest.sortDescriptors?.isEmpty ?? true }

        /// The objects; `nil` before ``performFetch()``.
        open var fetchedObjects: [ResultType]? {
            list.controller?.fetchedObjects.map { $0.compactMap { $0 as? ResultType } }
        }

        /// The sections; `nil` before ``performFetch()``.
        open var sections: [any NSFetchedResultsSectionInfo]? {
            list.controller?.sections.map { $0.map { SectionInfo(section: $0) } }
        }

        /// Returns the object at an index path.
        open func object(at indexPath: IndexPath) -> ResultType {
            guard let object = list.controller?.object(at: indexPath) as? ResultType else {
                preconditionFailure("the controller has no object of \(ResultType.self) at \(indexPath)")
            }
            return object
        }

        /// Returns the index path of an object; `nil` if it is not in the results.
        open func indexPath(forObject object: ResultType) -> IndexPath? {
            (object as? ManagedObject).flatMap { list.controller?.indexPath(forObject: $0) }
        }

        /// The titles of the sections in an index.
        open var sectionIndexTitles: [String] { list.controller?.sectionIndexTitles ?? [] }

        /// Returns the number of the section that belongs to a title of the section index.
        open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
            list.controller?.section(forSectionIndexTitle: title, at: sectionIndex) ?? 0
        }

        /// Returns the title of a section in an index.
        open func sectionIndexTitle(forSectionName sectionName: String) -> String? { sectionName.first?.uppercased() }

        /// Deletes the cache with a name, or all caches.
        open class func deleteCache(withName name: String?) {
            FetchedResultsController<ManagedObject>.deleteCache(withName: name)
        }

        /// Returns a Boolean value that indicates whether an object is a controller of the same list.
        ///
        /// The methods of a delegate get a different instance than the controller that the program created; the two are
        /// equal.
        open override func isEqual(_ object: Any?) -> Bool {
            (object as? any ControllerOfList)?.identity == identity
        }
        open override var hash: Int { identity.hashValue }
    }

    private protocol ControllerOfList {
        var identity: ObjectIdentifier { get }
    }

    extension NSFetchedResultsController: ControllerOfList {
        fileprivate var identity: ObjectIdentifier { ObjectIdentifier(list) }
    }

    /// The list of a controller, which passes its changes on to the controller's delegate.
    private final class ResultsControllerList {
        var makeController: (() throws -> FetchedResultsController<ManagedObject>)?
        var makeErased: ((ResultsControllerList) -> NSFetchedResultsController<any NSFetchRequestResult>)?
        private(set) var controller: FetchedResultsController<ManagedObject>?
        weak var delegate: (any NSFetchedResultsControllerDelegate)? { didSet { connect() } }
        /// Methods that the delegate does not have.
        private var missingMethods: DelegateMethods = []
        /// The controller that is passed to the delegate; it retains the list, so the program's controller releases it.
        private var erased: NSFetchedResultsController<any NSFetchRequestResult>?
        private var isReleased = false

        func performFetch() throws {
            guard let makeController else { return }
            let made = try makeController()
            controller?.delegate = nil
            controller?.eventDelegate = nil
            controller = made
            connect()
            try made.performFetch()
        }

        private func connect() {
            missingMethods = []
            let list = delegate == nil ? nil : self
            controller?.reportsNewIDs = false
            controller?.delegate = list
            controller?.eventDelegate = list
        }

        func delegateDoesNotImplement(_ method: DelegateMethods) {
            missingMethods.formUnion(method)
            if missingMethods == .all { controller?.eventDelegate = nil }
        }

        func forgetErased() {
            erased = nil
            isReleased = true
        }

        /// Calls a closure with the delegate and the controller that is passed to it.
        private func withDelegate<Result>(
            _ body: (any NSFetchedResultsControllerDelegate, NSFetchedResultsController<any NSFetchRequestResult>)
                -> Result
        ) -> Result? {
            guard let delegate, let erased = erased ?? makeErased?(self) else { return nil }
            if !isReleased { self.erased = erased }
            return body(delegate, erased)
        }
    }

    extension ResultsControllerList: FetchedResultsControllerDelegate {
        func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
            withDelegate { $0.controllerWillChangeContent($1) }
        }

        func controller(
            _ controller: FetchedResultsController<ManagedObject>,
            didChange anObject: ManagedObject,
            at indexPath: IndexPath?,
            for type: FetchedResultsChangeType,
            newIndexPath: IndexPath?
        ) {
            withDelegate {
                $0.controller($1, didChange: anObject, at: indexPath, for: type, newIndexPath: newIndexPath)
            }
        }

        func controller(
            _ controller: FetchedResultsController<ManagedObject>,
            didChange sectionInfo: FetchedResultsSectionInfo<ManagedObject>,
            atSectionIndex sectionIndex: Int,
            for type: FetchedResultsChangeType
        ) {
            let section = SectionInfo(section: sectionInfo)
            withDelegate { $0.controller($1, didChange: section, atSectionIndex: sectionIndex, for: type) }
        }

        func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
            withDelegate { $0.controllerDidChangeContent($1) }
        }

        func controller(
            _ controller: FetchedResultsController<ManagedObject>,
            sectionIndexTitleForSectionName sectionName: String
        ) -> String? {
            withDelegate { $0.controller($1, sectionIndexTitleForSectionName: sectionName) } ?? nil
        }
    }

    extension ResultsControllerList: FetchedResultsEventDelegate {
        func controller(
            _ controller: FetchedResultsController<ManagedObject>,
            didChangeContentIn event: FetchedResultsEvent<ManagedObject>
        ) {
            if !missingMethods.contains(.snapshots) {
                var snapshot = NSDiffableDataSourceSnapshotReference { event.snapshot }
                withDelegate { $0.controller($1, didChangeContentWith: snapshot) }
                // The snapshot is read now, because the next event changes the results.
                if !isKnownUniquelyReferenced(&snapshot) { snapshot.read() }
            }
            if !missingMethods.contains(.differences), let difference = event.difference {
                withDelegate { $0.controller($1, didChangeContentWith: difference) }
            }
        }
    }

    /// The sections and object IDs of a results controller, in the form that data sources of lists use.
    ///
    /// It replaces the class of UIKit and AppKit with the same name.
    open class NSDiffableDataSourceSnapshotReference: NSObject {
        private var contents: Contents

        /// The snapshot, or the closure that creates it on first use.
        private enum Contents {
            case unread(() -> FetchedResultsSnapshot)
            case read(FetchedResultsSnapshot)
        }

        fileprivate init(_ makeSnapshot: @escaping () -> FetchedResultsSnapshot) { contents = .unread(makeSnapshot) }

        private var snapshot: FetchedResultsSnapshot {
            switch contents {
            case .read(let snapshot): return snapshot
            case .unread(let makeSnapshot):
                let snapshot = makeSnapshot()
                contents = .read(snapshot)
                return snapshot
            }
        }

        /// Makes the snapshot now.
        fileprivate func read() { _ = snapshot }

        /// The number of sections.
        open var numberOfSections: Int { snapshot.numberOfSections }
        /// The number of objects.
        open var numberOfItems: Int { snapshot.numberOfItems }
        /// The names of the sections.
        open var sectionIdentifiers: [Any] { snapshot.sectionIdentifiers }
        /// The object IDs, section by section.
        open var itemIdentifiers: [Any] { snapshot.itemIdentifiers }
        /// The object IDs of updated objects.
        open var reloadedItemIdentifiers: [Any] { snapshot.reconfiguredItemIdentifiers }
        /// The object IDs of updated objects.
        open var reconfiguredItemIdentifiers: [Any] { snapshot.reconfiguredItemIdentifiers }

        /// Returns the number of objects of a section.
        open func numberOfItems(inSection sectionIdentifier: Any) -> Int {
            itemIdentifiersInSection(withIdentifier: sectionIdentifier).count
        }

        /// Returns the object IDs of a section.
        open func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
            (sectionIdentifier as? String).flatMap { snapshot.itemIdentifiers(inSection: $0) } ?? []
        }

        /// Returns the section of an object; `nil` if it is not in the results.
        open func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
            guard let id = itemIdentifier as? NSManagedObjectID else { return nil }
            return snapshot.sections.first { $0.itemIdentifiers.contains(id) }?.name
        }

        /// Returns the position of an object among all objects; `NSNotFound` if it is not in the results.
        open func index(ofItemIdentifier itemIdentifier: Any) -> Int {
            (itemIdentifier as? NSManagedObjectID).flatMap { snapshot.itemIdentifiers.firstIndex(of: $0) } ?? NSNotFound
        }

        /// Returns the position of a section; `NSNotFound` if it is not in the results.
        open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
            (sectionIdentifier as? String).flatMap { snapshot.sectionIdentifiers.firstIndex(of: $0) } ?? NSNotFound
        }
    }
#endif
