import ChordataModel
import ChordataTestSupport
import Testing

struct SerializationTests {
    @Test func everythingComesBack() throws {
        let model = try ManagedObjectModel.withEverything()
        let copy = try ManagedObjectModel(serialized: model.serialized())
        expectEqual(copy, model)
        expectEqual(copy.serialized(), model.serialized())
    }

    @Test func nonsenseIsAnErrorWithItsLine() {
        let error = #expect(throws: ModelSerializationError.self) {
            try ManagedObjectModel(serialized: "M\t\nE\tA\nX\tnonsense")
        }
        expectEqual(error?.line, 3)
    }
}
