/// What was changed in a context, event by event, to be undone and redone; a context has none until it is given one.
///
/// ```swift
/// context.undoManager = ContextUndoManager()
/// item.title = "Milk"
/// context.processPendingChanges()
/// context.undo()
/// ```
///
/// The changes of an event, up to ``ManagedObjectContext/processPendingChanges()``, are undone together; those from
/// ``beginUndoGrouping()`` to ``endUndoGrouping()`` too, however many events that takes. A save is no limit: what it wrote is undone as a
/// change that the next one writes. What other contexts saved is none of its business, nor what was set by primitive accessors.
///
/// It holds the objects that it knows something of. Relationships without an inverse, or with the rule No Action, that led to an object
/// stay empty once its deletion was saved.
///
/// It is not called `UndoManager` because Foundation's class of that name, where there is one, would be meant as well.
public final class ContextUndoManager {
    /// The changes that are undone together.
    struct Group {
        var steps: [UndoStep] = []
        var actionName = ""
        /// The properties whose values before the group are known.
        var known: Set<UndoStep.Property> = []
    }

    private(set) weak var context: ManagedObjectContext?
    private var open = Group()
    private var undoable: [Group] = []
    private var redoable: [Group] = []
    private var disablings = 0 { didSet { context?.updateUndoRegistration() } }

    /// How many groups may be undone, the oldest of which are forgotten; 0 for no limit.
    public var levelsOfUndo = 0 { didSet { forgetOldest() } }
    /// How many groups were begun and not ended.
    public private(set) var groupingLevel = 0
    /// Whether changes are being undone.
    public private(set) var isUndoing = false
    /// Whether changes are being redone.
    public private(set) var isRedoing = false

    /// Creates a manager that knows of no changes.
    public init() {}

    func enter(_ context: ManagedObjectContext) {
        precondition(self.context == nil, "an undo manager is of one context; make another one for another context")
        self.context = context
    }

    func leaveContext() {
        removeAllActions()
        context = nil
    }

    // MARK: Undoing

    /// Whether there are changes to undo; those of the current event count.
    public var canUndo: Bool { !open.steps.isEmpty || !undoable.isEmpty }
    /// Whether there are changes to redo: undone ones, since when nothing else was changed.
    public var canRedo: Bool { !redoable.isEmpty }

    /// Undoes the last group of changes; does nothing where there is none.
    ///
    /// Ends the current event before, and one more after it. Attributes and relationships get the values they had; an inserted object is
    /// deleted, without ``PrepareForDeletionHook``; a deleted one is there again with its relationships and its identity, as an inserted
    /// one if its deletion was saved. Reads what it needs of the store.
    public func undo() { perform(isUndo: true) }

    /// Makes the changes once more that were undone last; does nothing where there are none.
    public func redo() { perform(isUndo: false) }

    private func perform(isUndo: Bool) {
        precondition(
            groupingLevel == 0,
            "a group of changes is not ended; call endUndoGrouping() before undo() or redo()"
        )
        precondition(
            !isUndoing && !isRedoing,
            "changes are being undone or redone; nothing else can be undone meanwhile"
        )
        guard let context else { return }
        context.processPendingChanges()
        guard let group = isUndo ? undoable.popLast() : redoable.popLast() else { return }
        if isUndo { isUndoing = true } else { isRedoing = true }
        open.actionName = group.actionName
        context.apply(group.steps)
        context.processPendingChanges()
        closeGroup()
        isUndoing = false
        isRedoing = false
    }

    // MARK: Groups

    /// Begins a group of changes that are undone together; the changes of the current event belong to it.
    public func beginUndoGrouping() { groupingLevel += 1 }

    /// Ends the group that was begun last, and with the outermost one the event.
    public func endUndoGrouping() {
        precondition(groupingLevel > 0, "endUndoGrouping() without beginUndoGrouping()")
        groupingLevel -= 1
        if groupingLevel == 0 { context?.processPendingChanges() }
    }

    /// Ends a group with the event.
    func endEvent() {
        if groupingLevel == 0, !isUndoing, !isRedoing { closeGroup() }
    }

    private func closeGroup() {
        guard !open.steps.isEmpty else { return }
        open.known = []
        if isUndoing { redoable.append(open) } else { undoable.append(open) }
        open = Group()
        forgetOldest()
    }

    private func forgetOldest() {
        guard levelsOfUndo > 0 else { return }
        undoable.removeFirst(max(undoable.count - levelsOfUndo, 0))
        redoable.removeFirst(max(redoable.count - levelsOfUndo, 0))
    }

    /// Forgets all changes, and with them the objects.
    public func removeAllActions() {
        open = Group()
        undoable = []
        redoable = []
    }

    // MARK: Names

    /// Says what the current group of changes does, for the titles of commands: "Add Item".
    public func setActionName(_ name: String) { open.actionName = name }

    /// What ``undo()`` would undo; empty where nobody said.
    public var undoActionName: String { open.steps.isEmpty ? undoable.last?.actionName ?? "" : open.actionName }
    /// What ``redo()`` would do once more; empty where nobody said.
    public var redoActionName: String { redoable.last?.actionName ?? "" }

    // MARK: Registration

    /// Whether changes are noted.
    public var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Changes are not noted from here on, and what is known is undone on top of them.
    public func disableUndoRegistration() { disablings += 1 }

    /// Ends what ``disableUndoRegistration()`` began.
    public func enableUndoRegistration() {
        precondition(disablings > 0, "enableUndoRegistration() without disableUndoRegistration()")
        disablings -= 1
    }

    /// Whether the value that a property had before the group is still to be noted.
    func isToBeNoted(_ property: UndoStep.Property) -> Bool { open.known.insert(property).inserted }

    func note(_ step: UndoStep) {
        if !isUndoing, !isRedoing { redoable = [] }
        open.steps.append(step)
    }
}

@available(*, unavailable, message: "an undo manager is used where its context lives")
extension ContextUndoManager: Sendable {}
