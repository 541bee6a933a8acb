import Chordata

// The app that Scripts/integration edits: adds a note to the store that it is given, and prints how many there are.

let context = try NotesModel.container(at: CommandLine.arguments.dropFirst().first ?? ":memory:").newContext()
_ = Note(context: context, text: "note")
try context.save()
print("Notes: \(try context.count(for: Note.fetchRequest()))")
