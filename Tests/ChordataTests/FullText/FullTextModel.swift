import Chordata
import ChordataModel

/// A model whose notes have a full-text index, which also indexes their subentity.
enum FullTextModel {
    static func definition(fullText: String? = "title, text", entityName: String = "Note", version: String = "Texts")
        throws -> ModelDefinition
    {
        func userInfo(of name: String) -> [String: String] {
            name == entityName ? fullText.map { ["fullText": $0] } ?? [:] : [:]
        }
        func text(_ name: String) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: .string, isOptional: true)
        }
        return ModelDefinition(
            name: "Texts",
            versionName: version,
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Note",
                    attributes: [
                        text("title"), text("text"),
                        AttributeDescription(name: "stars", attributeType: .integer64, isOptional: true),
                    ],
                    relationships: [
                        RelationshipDescription(name: "folder", destinationEntityName: "Folder", inverseName: "notes")
                    ],
                    userInfo: userInfo(of: "Note")
                ),
                EntityDescription(
                    name: "Article",
                    superentityName: "Note",
                    attributes: [text("summary")],
                    userInfo: userInfo(of: "Article")
                ),
                EntityDescription(
                    name: "Folder",
                    attributes: [text("name")],
                    relationships: [
                        RelationshipDescription(
                            name: "notes",
                            destinationEntityName: "Note",
                            inverseName: "folder",
                            isToMany: true
                        )
                    ]
                ),
            ])
        )
    }
}

extension ManagedObjectContext {
    @discardableResult
    func note(
        _ title: String?,
        _ text: String? = nil,
        entity: String = "Note",
        hasText: Bool = true
    ) -> ManagedObject {
        let note = EntityDescription.insertNewObject(forEntityName: entity, into: self)
        note.setValue(title, forKey: "title")
        if hasText { note.setValue(text, forKey: "text") }
        return note
    }

    /// The titles of the notes that match a query, in alphabetical order.
    func titles(matching query: String, entity: String = "Note") throws -> [String] {
        try fetch(FetchRequest<ManagedObject>(entityName: entity).matching(query))
            .map { $0.value(forKey: "title") as? String ?? "" }.sorted()
    }
}
