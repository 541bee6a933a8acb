import ChordataModel
import Testing

struct SerializationTests {
    @Test func everythingComesBack() throws {
        let model = try ManagedObjectModel.withEverything()
        let copy = try ManagedObjectModel(serialized: model.serialized())
        #expect(copy == model)
        #expect(copy.serialized() == model.serialized())
    }

    @Test func nonsenseIsAnErrorWithItsLine() {
        let error = #expect(throws: ModelSerializationError.self) {
            try ManagedObjectModel(serialized: "M\t\nE\tA\nX\tnonsense")
        }
        #expect(error?.line == 3)
    }
}
