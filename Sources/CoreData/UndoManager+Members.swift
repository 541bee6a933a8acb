#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    // Members of Foundation's class that Chordata's undo manager does not have.

    extension ContextUndoManager {
        /// A Boolean value that indicates whether the changes of an event outside of the program's own groups are a
        /// group; always `true`.
        ///
        /// Setting the property to `false` has no effect; a program can always open groups itself.
        public var groupsByEvent: Bool {
            get { true }
            set {}
        }

        /// Undoes the last group; groups within a group are undone with the outermost one, so this is `undo()`.
        public func undoNestedGroup() { undo() }

        /// The title of a menu command that undoes the last group, such as "Undo Add Item".
        public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
        /// The title of a menu command that redoes the group that was undone last, such as "Redo Add Item".
        public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

        /// Returns the title of a menu command that undoes an action; the title is not localized.
        public func undoMenuTitle(forUndoActionName actionName: String) -> String { title("Undo", actionName) }
        /// Returns the title of a menu command that redoes an action; the title is not localized.
        public func redoMenuTitle(forUndoActionName actionName: String) -> String { title("Redo", actionName) }

        private func title(_ command: String, _ actionName: String) -> String {
            actionName.isEmpty ? command : command + " " + actionName
        }
    }

    extension Notification.Name {
        /// A notification that an undo manager posts before it undoes a group.
        public static var NSUndoManagerWillUndoChange: Notification.Name { ContextUndoManager.willUndoNotification }
        /// A notification that an undo manager posts after it has undone a group.
        public static var NSUndoManagerDidUndoChange: Notification.Name { ContextUndoManager.didUndoNotification }
        /// A notification that an undo manager posts before it redoes a group.
        public static var NSUndoManagerWillRedoChange: Notification.Name { ContextUndoManager.willRedoNotification }
        /// A notification that an undo manager posts after it has redone a group.
        public static var NSUndoManagerDidRedoChange: Notification.Name { ContextUndoManager.didRedoNotification }
    }
#endif
