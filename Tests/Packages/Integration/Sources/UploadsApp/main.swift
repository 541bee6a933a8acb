import Checks
import Chordata
import Foundation

// A queue of uploads: objects filtered by their state, as seed tutorials do it.

let container = try UploadsModel.container(at: ":memory:")
let context = container.viewContext
for (index, title) in ["one.png", "two.png", "three.png"].enumerated() {
    let entity = UploadableEntity(context: context, title: title)
    checkEqual(entity.syncStatus, "pending")
    if index == 1 { entity.syncStatus = "done" }
    if index == 2 { entity.payload = Data([1, 2, 3]) }
}
try context.save()

let open = try context.fetch(
    UploadableEntity.fetchRequest().where(format: "NOT (syncStatus MATCHES %@)", "done|failed").sorted(by: \.title)
)
checkEqual(open.map(\.title), ["one.png", "three.png"])
checkEqual(open.last?.payload, Data([1, 2, 3]))
let values: [UploadableEntity.Values] = try context.fetchValues(UploadableEntity.fetchRequest().sorted(by: \.title))
checkEqual(values.map(\.syncStatus), ["pending", "pending", "done"])
checkEqual(try context.count(for: UploadableEntity.fetchRequest().where(format: "payload == nil")), 2)
print("Uploads: \(open.count) of \(values.count) files to upload")
