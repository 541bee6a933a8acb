import CoreData
import Foundation

/// Copies of shapes in memory.
///
/// The model is built in code, and its objects have no class of their own.
class Clipboard {
    private let context: NSManagedObjectContext

    init() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Clipboard.makeModel())
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType,
            configurationName: nil,
            at: nil,
            options: nil
        )
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    private class func makeModel() -> NSManagedObjectModel {
        let snippet = NSEntityDescription()
        snippet.name = "Snippet"
        snippet.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        let clip = NSEntityDescription()
        clip.name = "Clip"
        clip.managedObjectClassName = NSStringFromClass(NSManagedObject.self)

        let snippets = NSRelationshipDescription()
        snippets.name = "snippets"
        snippets.destinationEntity = snippet
        snippets.minCount = 0
        snippets.maxCount = 0
        snippets.deleteRule = .cascadeDeleteRule
        let owner = NSRelationshipDescription()
        owner.name = "clip"
        owner.destinationEntity = clip
        owner.minCount = 1
        owner.maxCount = 1
        owner.isOptional = false
        owner.deleteRule = .nullifyDeleteRule
        snippets.inverseRelationship = owner
        owner.inverseRelationship = snippets

        clip.properties = [attribute("number", .integer32AttributeType, defaultValue: 0), snippets]
        snippet.properties = [
            attribute("entityName", .stringAttributeType),
            attribute("color", .stringAttributeType, defaultValue: "black"),
            attribute("text", .stringAttributeType, isOptional: true),
            attribute("x", .doubleAttributeType, defaultValue: 0.0),
            attribute("y", .doubleAttributeType, defaultValue: 0.0),
            attribute("position", .integer16AttributeType, defaultValue: 0),
            owner,
        ]
        let model = NSManagedObjectModel()
        model.entities = [clip, snippet]
        return model
    }

    private class func attribute(
        _ name: String,
        _ type: NSAttributeType,
        defaultValue: Any? = nil,
        isOptional: Bool = false
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        attribute.defaultValue = defaultValue
        return attribute
    }

    /// Replaces the contents by copies of the shapes.
    func copy(_ shapes: [Shape]) throws {
        for clip in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Clip")) {
            context.delete(clip)
        }
        let clip = NSEntityDescription.insertNewObject(forEntityName: "Clip", into: context)
        for (position, shape) in shapes.enumerated() {
            let snippet = NSEntityDescription.insertNewObject(forEntityName: "Snippet", into: context)
            snippet.setValue(shape.entity.name, forKey: "entityName")
            snippet.setValue(position, forKey: "position")
            // Copies the attributes that a shape and a snippet both have.
            for key in snippet.entity.attributesByName.keys where shape.entity.attributesByName[key] != nil {
                snippet.setValue(shape.value(forKey: key), forKey: key)
            }
            snippet.setValue(clip, forKey: "clip")
        }
        try context.save()
    }

    var snippets: [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Snippet")
        request.sortDescriptors = [NSSortDescriptor(key: "position", ascending: true)]
        do {
            return try context.fetch(request)
        } catch {
            fatalError("Cannot fetch the snippets: \(error)")
        }
    }
}
