import Chordata

// The app that Scripts/integration edits: adds a note to the given store, and prints the number of notes.

let context = try NotesModel.container(at: CommandLine.arguments.dropFirst().first ?? ":memory:").newContext()
_ = Note(context: context, text: "note")
try context.save()
print("Notes: \(try context.count(for: Note.fetchRequest()))")
