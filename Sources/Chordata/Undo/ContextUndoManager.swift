package import Foundation

/// An undo manager that records the changes of a context; a context has no undo manager by default.
///
/// ```swift
/// context.undoManager = ContextUndoManager()
/// item.title = "Milk"
/// context.processPendingChanges()
/// context.undo()
/// ```
///
/// The changes of an event (see <doc:Glossary>), which ends at the latest with
/// ``ManagedObjectContext/processPendingChanges()``, are undone together. Changes between ``beginUndoGrouping()`` and
/// ``endUndoGrouping()`` are also undone together, even if they are made in several events. Saved changes can be undone
/// too: undoing one makes a new change, which the next save writes. Saves of other contexts are not recorded, nor are
/// changes by primitive accessors and by `insertValues(_:)`. Changes that hooks make during a save are undone with the
/// changes that are saved.
///
/// The undo manager retains the objects of recorded changes. After the deletion of an object was saved, undoing it does
/// not restore references to the object by relationships without an inverse. With the delete rule No Action, an object
/// keeps its to-one reference to the deleted object in memory, but the store removes the reference; an undo of the
/// saved deletion does not write this reference to the store again.
///
/// The class is not called `UndoManager` because on some platforms Foundation has a class of that name, and the name
/// would be ambiguous.
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
    /// The number of saves that have begun and not ended; an observer of a save may begin another save.
    private var saveLevel = 0
    private var disablings = 0 { didSet { context?.updateUndoRegistration() } }

    /// The maximum number of groups that can be undone; older groups are discarded, and 0 means no limit.
    public var levelsOfUndo = 0 { didSet { forgetOldest() } }
    /// The number of undo groups that have begun and not ended.
    public private(set) var groupingLevel = 0
    /// A Boolean value that indicates whether changes are being undone.
    public private(set) var isUndoing = false
    /// A Boolean value that indicates whether changes are being redone.
    public private(set) var isRedoing = false

    /// Creates an undo manager without recorded changes.
    public init() {}

    func enter(_ context: ManagedObjectContext) {
        precondition(
            self.context == nil,
            "an undo manager belongs to one context; create a separate undo manager for each context"
        )
        // The recorded changes may be those of a context that was released.
        forgetEverything()
        self.context = context
    }

    func leaveContext() {
        forgetEverything()
        context = nil
    }

    private func forgetEverything() {
        removeAllActions()
        (groupingLevel, saveLevel) = (0, 0)
    }

    // MARK: Undoing

    /// A Boolean value that indicates whether there are changes to undo, including changes of the current
    /// [event](doc:Glossary#Changes).
    public var canUndo: Bool { !open.steps.isEmpty || !undoable.isEmpty }
    /// A Boolean value that indicates whether there are undone changes to redo.
    ///
    /// A new change that is recorded removes the changes to redo, except for a change during a save.
    public var canRedo: Bool { !redoable.isEmpty }

    /// Undoes the last group of changes, if any.
    ///
    /// Pending changes are processed before and after the operation. Attributes and relationships get their previous
    /// values. An inserted object is deleted, without ``PrepareForDeletionHook``, and keeps its attributes. A deleted
    /// object is restored with its relationships and object ID; if its deletion was saved, it is an inserted object.
    /// The method can read the store. Do not call it in hooks and observers.
    public func undo() { perform(isUndo: true) }

    /// Redoes the group of changes that was undone last, if any.
    public func redo() { perform(isUndo: false) }

    private func perform(isUndo: Bool) {
        precondition(
            groupingLevel == 0,
            "an undo group is still open; call endUndoGrouping() before undo() or redo()"
        )
        precondition(
            !isUndoing && !isRedoing,
            "undo() or redo() was called during an undo or redo; call it after the running undo or redo has ended"
        )
        precondition(
            saveLevel == 0 && context?.notifier.isProcessing != true,
            "a hook or an observer called undo() or redo(); call it after the change or save has ended"
        )
        processPendingChanges()
        guard let group = isUndo ? undoable.popLast() : redoable.popLast() else { return }
        post(isUndo ? Self.willUndoNotification : Self.willRedoNotification)
        if isUndo { isUndoing = true } else { isRedoing = true }
        open.actionName = group.actionName
        context?.apply(group.steps)
        for case .action(let action) in group.steps.reversed() { action.perform() }
        context?.processPendingChanges()
        closeGroup()
        // If no step could be performed any more, there is nothing to redo.
        open = Group()
        isUndoing = false
        isRedoing = false
        post(isUndo ? Self.didUndoNotification : Self.didRedoNotification)
    }

    /// Ends the current group, unless the program has opened one.
    private func processPendingChanges() {
        if let context { context.processPendingChanges() } else { endEvent() }
    }

    // MARK: Groups

    /// Begins a group of changes that are undone together, including the changes of the current
    /// [event](doc:Glossary#Changes).
    public func beginUndoGrouping() { groupingLevel += 1 }

    /// Ends the group that was begun last; at the end of the outermost group, processes pending changes.
    public func endUndoGrouping() {
        precondition(groupingLevel > 0, "endUndoGrouping() was called without beginUndoGrouping()")
        groupingLevel -= 1
        if groupingLevel == 0 { processPendingChanges() }
    }

    /// Ends the current group at the end of an event.
    func endEvent() {
        if groupingLevel == 0, saveLevel == 0, !isUndoing, !isRedoing { closeGroup() }
    }

    /// Begins a save; later changes by hooks are undone together with the changes that are saved.
    func beginSave() { saveLevel += 1 }

    func endSave() {
        // A hook may have removed the undo manager from the context.
        guard saveLevel > 0 else { return }
        saveLevel -= 1
        guard saveLevel == 0, groupingLevel == 0, context?.notifier.isProcessing != true else { return }
        if !undoable.isEmpty { undoable[undoable.count - 1].steps += open.steps }
        open = Group()
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

    /// Removes all recorded changes and releases their objects.
    public func removeAllActions() {
        open = Group()
        undoable = []
        redoable = []
    }

    /// Removes the closures that were registered with a target.
    public func removeAllActions(withTarget target: AnyObject) {
        func remove(from group: inout Group) {
            group.steps.removeAll { if case .action(let action) = $0 { action.target === target } else { false } }
        }
        func remove(from groups: inout [Group]) {
            for index in groups.indices { remove(from: &groups[index]) }
            groups.removeAll { $0.steps.isEmpty }
        }
        remove(from: &open)
        remove(from: &undoable)
        remove(from: &redoable)
    }

    /// Removes the recorded deletion of an object: another context has deleted it too, so it cannot be restored.
    func forgetDeletion(of object: ManagedObject) {
        func forget(_ groups: inout [Group]) {
            for index in groups.indices {
                groups[index].steps.removeAll { step in
                    if case .deletion(let deleted) = step { deleted.object === object } else { false }
                }
            }
        }
        forget(&undoable)
        forget(&redoable)
        var current = [open]
        forget(&current)
        open = current[0]
    }

    // MARK: Names

    /// Sets the action name of the current group of changes, for the titles of menu commands.
    /// - Parameter name: The name, such as "Add Item".
    public func setActionName(_ name: String) { open.actionName = name }

    /// The name of the action that ``undo()`` undoes; empty if no name was set.
    public var undoActionName: String { open.steps.isEmpty ? undoable.last?.actionName ?? "" : open.actionName }
    /// The name of the action that ``redo()`` repeats; empty if no name was set.
    public var redoActionName: String { redoable.last?.actionName ?? "" }

    // MARK: Registration

    /// Registers a closure that undoes a change outside of the context's objects, such as a selection.
    ///
    /// The closure belongs to the current group. An undo of the group first undoes the changes of objects, and then
    /// calls the closures, the last one first. A closure that is registered during an undo redoes the change. Without a
    /// context, there are no events: an undo calls all closures that were registered since the end of the last group or
    /// the last undo, whichever is later.
    /// - Parameters:
    ///   - target: The object that is passed to the closure. It is not retained; if it was released, the closure is not
    ///     called.
    ///   - handler: The closure.
    public func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) -> Void) {
        guard isUndoRegistrationEnabled else { return }
        record(.action(UndoAction(target: target) { [weak target] in target.map(handler) }))
        context?.graph.executor.scheduleProcessing()
    }

    /// A Boolean value that indicates whether changes are recorded.
    public var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Disables the recording of changes; changes that are already recorded can still be undone.
    ///
    /// An undo keeps later changes that were not recorded, unless they are of the same properties.
    public func disableUndoRegistration() { disablings += 1 }

    /// Enables the recording of changes after a call of ``disableUndoRegistration()``; calls can be nested.
    public func enableUndoRegistration() {
        precondition(disablings > 0, "enableUndoRegistration() was called without disableUndoRegistration()")
        disablings -= 1
    }

    // MARK: Recording

    /// Records that the value of a property before the group is known; returns `false` if it was already known.
    func markKnown(_ property: UndoStep.Property) -> Bool { open.known.insert(property).inserted }

    func record(_ step: UndoStep) {
        if !isUndoing, !isRedoing, saveLevel == 0 { redoable = [] }
        open.steps.append(step)
    }

    // MARK: Notifications

    package static var willUndoNotification: Notification.Name { .init("NSUndoManagerWillUndoChangeNotification") }
    package static var didUndoNotification: Notification.Name { .init("NSUndoManagerDidUndoChangeNotification") }
    package static var willRedoNotification: Notification.Name { .init("NSUndoManagerWillRedoChangeNotification") }
    package static var didRedoNotification: Notification.Name { .init("NSUndoManagerDidRedoChangeNotification") }

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

@available(*, unavailable, message: "an undo manager is confined to its context")
extension ContextUndoManager: Sendable {}
