import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// Classes with the types that Xcode's code generation gives to properties: the model 'Orchestras'.
struct CoreDataOptionalityTests {
    private let container: PersistentContainer
    private let context: ManagedObjectContext
    private let date = Date(timeIntervalSinceReferenceDate: 1_000)

    init() throws {
        container = try OrchestrasModel.definition.testContainer(at: ":memory:")
        context = container.newContext()
    }

    /// An orchestra that can be saved.
    private func makeOrchestra(_ name: String = "Halle") -> Orchestra {
        let orchestra = Orchestra(context: context)
        orchestra.budget = NSDecimalNumber(string: "12.50")
        orchestra.code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        orchestra.crest = Data([1, 2])
        orchestra.founded = date
        orchestra.lastAudit = 2_000
        orchestra.likes = 7
        orchestra.logo = Data([3])
        orchestra.name = name
        orchestra.repertoire = ["Elgar", "Holst"]
        orchestra.conductor = makeMusician("Barbirolli")
        return orchestra
    }

    private func makeMusician(_ name: String, in musicianContext: ManagedObjectContext? = nil) -> Musician {
        let musician = Musician(context: musicianContext ?? context)
        musician.name = name
        return musician
    }

    /// Saves, and checks the only orchestra as another context reads it.
    private func reread(_ check: (Orchestra) throws -> Void) throws {
        try context.save()
        let other = container.newContext()
        try check(try #require(try other.fetch(Orchestra.fetchRequest()).first))
    }

    // MARK: Types

    @Test func propertiesHaveTheTypesOfXcodesClasses() {
        func check<Object, Value>(_: KeyPath<Object, Value>, _: Value.Type) {}
        check(\Orchestra.anthem, Data?.self)
        check(\Orchestra.budget, NSDecimalNumber?.self)
        check(\Orchestra.code, UUID?.self)
        check(\Orchestra.crest, Data?.self)
        check(\Orchestra.donations, NSDecimalNumber?.self)
        check(\Orchestra.firstConcert, TimeInterval.self)
        check(\Orchestra.founded, Date?.self)
        check(\Orchestra.isSubsidized, NSNumber?.self)
        check(\Orchestra.isTouring, Bool.self)
        check(\Orchestra.lastAudit, TimeInterval.self)
        check(\Orchestra.likes, NSNumber?.self)
        check(\Orchestra.logo, Data?.self)
        check(\Orchestra.name, String?.self)
        check(\Orchestra.nickname, String?.self)
        check(\Orchestra.rating, Double.self)
        check(\Orchestra.repertoire, [String]?.self)
        check(\Orchestra.score, NSNumber?.self)
        check(\Orchestra.seats, NSNumber?.self)
        check(\Orchestra.sections, NSNumber?.self)
        check(\Orchestra.share, NSNumber?.self)
        check(\Orchestra.size, Int16.self)
        check(\Orchestra.sortName, String?.self)
        check(\Orchestra.status, String?.self)
        check(\Orchestra.tags, Data?.self)
        check(\Orchestra.visits, Int64.self)
        check(\Orchestra.website, URL?.self)
        check(\Orchestra.conductor, Musician?.self)
        check(\Orchestra.musicians, NSSet?.self)
        check(\Orchestra.concerts, NSOrderedSet?.self)
        // The types of these properties do not change.
        check(\Orchestra.level, Int?.self)
        check(\Orchestra.hall, OrchestrasModel.Hall?.self)
        check(\Orchestra.Values.name, String.self)
        check(\Orchestra.Values.size, Int16?.self)
    }

    // MARK: Attributes

    @Test func newObjectsHaveNoValuesButDefaults() {
        let orchestra = Orchestra(context: context)
        #expect(orchestra.name == nil)
        #expect(orchestra.budget == nil)
        #expect(orchestra.code == nil)
        #expect(orchestra.crest == nil)
        #expect(orchestra.logo == nil)
        #expect(orchestra.founded == nil)
        #expect(orchestra.likes == nil)
        #expect(orchestra.repertoire == nil)
        expectEqual(orchestra.status, "active")
        #expect(orchestra.seats == nil)
        #expect(orchestra.donations == nil)
        #expect(orchestra.conductor == nil)
        expectEqual(orchestra.musicians?.count, 0)
        expectEqual(orchestra.concerts?.count, 0)
        expectEqual(orchestra.size, 0)
        expectEqual(orchestra.rating, 0)
        #expect(!orchestra.isTouring)
        expectEqual(orchestra.firstConcert, 0)
        expectEqual(orchestra.lastAudit, 0)
    }

    @Test func valuesAreSavedAndRead() throws {
        let orchestra = makeOrchestra()
        orchestra.anthem = Data([9, 9])
        orchestra.donations = 3
        orchestra.firstConcert = -5.5
        orchestra.isSubsidized = true
        orchestra.isTouring = true
        orchestra.level = 4
        orchestra.nickname = "the Band"
        orchestra.rating = 4.5
        orchestra.score = 0.25
        orchestra.seats = 2_400
        orchestra.sections = NSNumber(value: 4)
        orchestra.share = 0.5
        orchestra.size = 80
        orchestra.tags = Data([7])
        orchestra.website = URL(string: "https://example.com/")
        orchestra.hall = .init(city: "Manchester", capacity: 2_400)
        try reread { same in
            expectEqual(same.anthem, Data([9, 9]))
            expectEqual(same.budget, NSDecimalNumber(string: "12.5"))
            expectEqual(same.code, orchestra.code)
            expectEqual(same.crest, Data([1, 2]))
            expectEqual(same.donations, 3)
            expectEqual(same.firstConcert, -5.5)
            expectEqual(same.founded, date)
            #expect(same.isSubsidized == true)
            #expect(same.isTouring)
            expectEqual(same.lastAudit, 2_000)
            expectEqual(same.level, 4)
            expectEqual(same.likes, 7)
            expectEqual(same.logo, Data([3]))
            expectEqual(same.name, "Halle")
            expectEqual(same.nickname, "the Band")
            expectEqual(same.rating, 4.5)
            expectEqual(same.repertoire, ["Elgar", "Holst"])
            expectEqual(same.score?.doubleValue, 0.25)
            expectEqual(same.seats?.intValue, 2_400)
            expectEqual(same.sections, 4)
            expectEqual(same.share?.floatValue, 0.5)
            expectEqual(same.size, 80)
            expectEqual(same.sortName, "halle")
            expectEqual(same.tags, Data([7]))
            expectEqual(same.website?.host(), "example.com")
            expectEqual(same.hall?.city, "Manchester")
        }
    }

    @Test func missingNumbersAreZero() throws {
        _ = makeOrchestra()
        try reread { same in
            expectEqual(same.size, 0)
            expectEqual(same.rating, 0)
            #expect(!same.isTouring)
            expectEqual(same.firstConcert, 0)
            #expect(same.value(forKey: "size") == nil)
            #expect(same.value(forKey: "firstConcert") == nil)
            #expect(same.values.size == nil)
            #expect(same.seats == nil)
            #expect(same.score == nil)
            #expect(same.donations == nil)
            // Zero is a value.
            same.size = 0
            same.firstConcert = 0
            #expect(same.value(forKey: "size") as? Int16 == 0)
            expectEqual(same.values.firstConcert, Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    @Test func requiredAttributesCanBeSetToNil() throws {
        let orchestra = makeOrchestra()
        try context.save()
        orchestra.name = nil
        orchestra.likes = nil
        orchestra.budget = nil
        orchestra.logo = nil
        orchestra.repertoire = nil
        #expect(orchestra.name == nil)
        #expect(orchestra.likes == nil)
        #expect(orchestra.budget == nil)
        #expect(orchestra.logo == nil)
        #expect(orchestra.repertoire == nil)
        #expect(orchestra.value(forKey: "name") == nil)
        let error = try #require(throws: ValidationError.self) { try context.save() }
        expectEqual(Set(error.failures.map(\.propertyName)), ["budget", "likes", "logo", "name", "repertoire"])
        context.rollback()
        expectEqual(orchestra.name, "Halle")
        expectEqual(orchestra.likes, 7)
        expectEqual(orchestra.logo, Data([3]))
        expectEqual(orchestra.repertoire, ["Elgar", "Holst"])
        orchestra.name = nil
        orchestra.name = "Hallé"
        expectEqual(orchestra.name, "Hallé")
        try context.save()
    }

    @Test func changesOfOptionalValuesAreUndone() throws {
        let orchestra = makeOrchestra()
        try context.save()
        let manager = ContextUndoManager()
        context.undoManager = manager
        orchestra.name = nil
        orchestra.seats = 5
        orchestra.size = 3
        context.processPendingChanges()
        manager.undo()
        expectEqual(orchestra.name, "Halle")
        #expect(orchestra.seats == nil)
        expectEqual(orchestra.size, 0)
        manager.redo()
        #expect(orchestra.name == nil)
        expectEqual(orchestra.seats, 5)
        expectEqual(orchestra.size, 3)
    }

    @Test func keysTakeNumberObjects() {
        let orchestra = makeOrchestra()
        orchestra.setValue(NSNumber(value: 12), forKey: "size")
        orchestra.setValue(NSNumber(value: 1), forKey: "seats")
        orchestra.setValue(NSNumber(value: true), forKey: "isTouring")
        orchestra.setValue(NSNumber(value: 0.5), forKey: "rating")
        orchestra.setValue(NSDecimalNumber(string: "0.1"), forKey: "budget")
        expectEqual(orchestra.size, 12)
        expectEqual(orchestra.seats, 1)
        #expect(orchestra.isTouring)
        expectEqual(orchestra.rating, 0.5)
        expectEqual(orchestra.budget, NSDecimalNumber(string: "0.1"))
    }

    // MARK: Relationships

    @Test func toManyRelationshipsAreSets() throws {
        let orchestra = makeOrchestra()
        let first = makeMusician("A")
        let second = makeMusician("B")
        orchestra.addToMusicians(first)
        orchestra.addToMusicians(NSSet(array: [second, makeMusician("C")]))
        expectEqual(orchestra.musicians?.count, 3)
        #expect(orchestra.musicians?.contains(first) == true)
        #expect(second.orchestra === orchestra)
        orchestra.removeFromMusicians(first)
        #expect(first.orchestra == nil)
        orchestra.removeFromMusicians(NSSet(object: second))
        #expect((orchestra.musicians?.allObjects as? [Musician])?.map(\.name) == ["Prof. C"])
        orchestra.musicians = NSSet(array: [first, second])
        #expect(orchestra.musicians as? Set<Musician> == [first, second])
        try reread { same in
            expectEqual(same.count(of: \.musicians), 2)
            let musicians = same.musicians?.allObjects as? [Musician] ?? []
            expectEqual(Set(musicians.map(\.name)), ["Prof. A", "Prof. B"])
        }
        orchestra.musicians = nil
        expectEqual(orchestra.musicians?.count, 0)
        #expect(first.orchestra == nil)
    }

    @Test func orderedRelationshipsAreOrderedSets() throws {
        let orchestra = makeOrchestra()
        let recitals = "ABCDEF".map { letter in
            let recital = Recital(context: context)
            recital.title = String(letter)
            return recital
        }
        func titles(_ orchestra: Orchestra) -> String {
            (orchestra.concerts?.array as? [Recital] ?? []).compactMap(\.title).joined()
        }
        orchestra.concerts = NSOrderedSet(array: [recitals[1], recitals[0]])
        expectEqual(titles(orchestra), "BA")
        orchestra.addToConcerts(recitals[2])
        orchestra.addToConcerts(NSOrderedSet(array: [recitals[3], recitals[4]]))
        expectEqual(titles(orchestra), "BACDE")
        orchestra.removeFromConcerts(recitals[0])
        orchestra.removeFromConcerts(NSOrderedSet(object: recitals[3]))
        expectEqual(titles(orchestra), "BCE")
        orchestra.insertIntoConcerts(recitals[5], at: 1)
        expectEqual(titles(orchestra), "BFCE")
        orchestra.removeFromConcerts(at: 0)
        expectEqual(titles(orchestra), "FCE")
        orchestra.insertIntoConcerts(
            [recitals[0], recitals[1]],
            at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2))
        )
        expectEqual(titles(orchestra), "ABFCE")
        orchestra.removeFromConcerts(at: NSIndexSet(index: 4))
        orchestra.replaceConcerts(at: 3, with: recitals[3])
        expectEqual(titles(orchestra), "ABFD")
        orchestra.replaceConcerts(
            at: NSIndexSet(indexesIn: NSRange(location: 2, length: 2)),
            with: [recitals[2], recitals[4]]
        )
        expectEqual(titles(orchestra), "ABCE")
        try reread { same in
            expectEqual(titles(same), "ABCE")
            expectEqual(same.count(of: \.concerts), 4)
        }
        orchestra.concerts = nil
        expectEqual(titles(orchestra), "")
    }

    @Test func changesOfRelationshipsAreUndone() throws {
        let orchestra = makeOrchestra()
        let musician = makeMusician("A")
        try context.save()
        let manager = ContextUndoManager()
        context.undoManager = manager
        orchestra.addToMusicians(NSSet(object: musician))
        context.processPendingChanges()
        manager.undo()
        expectEqual(orchestra.musicians?.count, 0)
        #expect(musician.orchestra == nil)
    }

    // MARK: Misuse

    @Test func numberOutOfRangeTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try OrchestrasModel.definition.testContainer(at: ":memory:").newContext()
            Orchestra(context: context).sections = NSNumber(value: 40_000)
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("'sections' was set to 40000, which does not fit into Int16"))
    }

    @Test func setWithAnotherElementTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try OrchestrasModel.definition.testContainer(at: ":memory:").newContext()
            Orchestra(context: context).addToMusicians(NSSet(object: Recital(context: context)))
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            output.contains(
                "'musicians' of 'Orchestra' expects an object of 'Musician', but got a value of type Recital"
            )
        )
    }

    // MARK: Overrides

    @Test func keysCallOverrides() throws {
        let musician = makeMusician("Ida")
        musician.age = -40
        musician.years = 9
        #expect(musician.value(forKey: "name") as? String == "Prof. Ida")
        #expect(musician.value(forKey: "age") as? Int16 == 40)
        #expect(musician.value(forKey: "years") as? Int32 == 9)
        #expect(musician.primitiveValue(forKey: "years") as? Int32 == 8)
        #expect(musician.value(forKey: "salary") == nil)
        #expect(musician.primitiveValue(forKey: "name") as? String == "Ida")
        let pupil = makeMusician("Leo")
        pupil.age = 20
        musician.addToPupils(NSSet(array: [pupil, makeMusician("Mia")]))
        #expect(musician.value(forKey: "pupils") as? Set<Musician> == [pupil])
        #expect(musician.value(forKey: "orchestra") == nil)
        musician.orchestra = makeOrchestra()
        #expect(musician.value(forKeyPath: "orchestra.name") as? String == "Halle")
        #expect(musician.orchestra?.conductor?.value(forKey: "age") == nil)
    }

    @Test func keysCallOverriddenSetters() throws {
        let (ida, leo) = (Musician(context: context), makeMusician("Leo"))
        ida.setValue(" Ida ", forKey: "name")
        ida.setValue(200, forKey: "age")
        ida.setValue(NSNumber(value: 10), forKey: "years")
        ida.setValue(2.5, forKey: "salary")
        ida.setValue([ida, leo], forKey: "pupils")
        ida.setValue(makeOrchestra(), forKey: "orchestra")
        #expect(ida.primitiveValue(forKey: "name") as? String == "Ida")
        #expect(ida.primitiveValue(forKey: "age") as? Int16 == 120)
        #expect(ida.primitiveValue(forKey: "years") as? Int32 == 9)
        expectEqual(ida.salary, 2.5)
        #expect(ida.primitiveValue(forKey: "pupils") as? Set<Musician> == [leo])
        #expect(ida.orchestra?.name == "Halle" && ida.orchestra?.musicians == NSSet(object: ida))
        for key in ["name", "age", "years", "salary", "pupils", "orchestra"] { ida.setValue(nil, forKey: key) }
        for key in ["name", "age", "years", "salary", "orchestra"] { #expect(ida.value(forKey: key) == nil, "\(key)") }
        #expect(ida.pupils?.count == 0 && ida.renamingCount == 2)
    }

    @Test func keysCallOverriddenSettersOfSuperclasses() {
        let soloist = Soloist(context: context)
        soloist.setValue(" Eva", forKey: "name")
        soloist.setValue("cello ", forKey: "instrument")
        #expect(soloist.primitiveValue(forKey: "name") as? String == "Eva")
        expectEqual(soloist.instrument, "cello ")
    }

    @Test func keysCallOverridesOfSuperclasses() throws {
        let soloist = Soloist(context: context)
        soloist.name = "Eva"
        soloist.instrument = "cello"
        #expect(soloist.value(forKey: "name") as? String == "Prof. Eva")
        #expect(soloist.value(forKey: "instrument") as? String == "cello")
        #expect(soloist.value(forKey: "age") == nil)
        try context.save()
        expectEqual(try context.fetch(Soloist.fetchRequest().where(format: "name == 'Eva'")).count, 1)
    }

    // MARK: Key paths

    @Test func keyPathsAreProperties() throws {
        let orchestra = makeOrchestra()
        orchestra.seats = 5
        orchestra.size = 4
        orchestra.donations = 3
        let other = makeOrchestra("Aurora")
        let musician = makeMusician("A")
        musician.age = 30
        orchestra.addToMusicians(musician)
        let recital = Recital(context: context)
        recital.title = "Gala"
        orchestra.addToConcerts(recital)
        try context.save()
        func names(_ predicate: TypedPredicate<Orchestra>) throws -> [String?] {
            try context.fetch(Orchestra.fetchRequest().where(predicate).sorted(by: \.name)).map(\.name)
        }
        expectEqual(try names(\.name == "Halle"), ["Halle"])
        expectEqual(try names(\.name != nil), ["Aurora", "Halle"])
        expectEqual(try names(.begins(\.name, with: "A")), ["Aurora"])
        expectEqual(try names(\.seats == 5), ["Halle"])
        expectEqual(try names(\.seats == nil), ["Aurora"])
        expectEqual(try names(\.size > 3), ["Halle"])
        expectEqual(try names(\.donations == 3), ["Halle"])
        expectEqual(try names(\.likes >= NSNumber(value: 7)), ["Aurora", "Halle"])
        expectEqual(try names(\.founded == date), ["Aurora", "Halle"])
        expectEqual(try names(\.conductor?.name == "Barbirolli"), ["Aurora", "Halle"])
        expectEqual(try names(.any(\.musicians, \Musician.age == 30)), ["Halle"])
        expectEqual(try names(.none(\.musicians, \Musician.age == 30)), ["Aurora"])
        expectEqual(try names(.all(\.concerts, \Recital.title == "Gala")), ["Aurora", "Halle"])
        expectEqual(try names(.contains(\.musicians, musician)), ["Halle"])
        expectEqual(try names(.contains(\.concerts, recital.objectID)), ["Halle"])
        expectEqual(try names(.contains(\.concerts, ObjectID(recital))), ["Halle"])
        let request = Orchestra.fetchRequest()
        expectEqual(try context.fetch(request.where(#Predicate { $0.name == "Aurora" })), [other])
        expectEqual(try context.fetch(Orchestra.orchestrasOfSize(size: 4, prefix: "H")), [orchestra])
        expectEqual(
            try context.fetch(
                Recital.fetchRequest().where(\.orchestra?.name == "Halle").sorted(by: \.orchestra?.likes)
            ),
            [recital]
        )
    }

    @Test func secondsAreSortedAndComparedAsDates() throws {
        makeOrchestra("B").firstConcert = 20
        makeOrchestra("A").firstConcert = 30
        try context.save()
        let request = Orchestra.fetchRequest().sorted(by: \.firstConcert)
        expectEqual(try context.fetch(request).map(\.name), ["B", "A"])
        let later = Date(timeIntervalSinceReferenceDate: 25)
        expectEqual(try context.fetch(request.where(format: "firstConcert > %@", later)).map(\.name), ["A"])
        expectEqual(try context.fetch(request.where(\.firstConcert > 25)).map(\.name), ["A"])
        expectEqual(try context.fetch(request.where(\.firstConcert == 20)).map(\.name), ["B"])
        expectEqual(try context.fetch(request.where(10...25 ~= \.firstConcert)).map(\.name), ["B"])
        expectEqual(try context.fetch(request.where(.in(\.firstConcert, [20, 1]))).map(\.name), ["B"])
        expectEqual(try context.fetch(request.where(\.firstConcert < \.lastAudit)).count, 2)
        expectEqual(try context.fetch(request.where(#Predicate { $0.firstConcert > 25 })).map(\.name), ["A"])
        let musicians = Musician.fetchRequest().where(.any(\.conducted, \Orchestra.firstConcert > 25))
        expectEqual(try context.fetch(musicians).count, 1)
        _ = try context.execute(BatchUpdateRequest<Orchestra>().setting(\.firstConcert, to: 5))
        context.refreshAllObjects()
        expectEqual(try context.fetch(request).map(\.firstConcert), [5, 5])
    }

    @Test func batchUpdatesTakeNumberObjects() throws {
        _ = makeOrchestra()
        try context.save()
        let request = BatchUpdateRequest<Orchestra>().setting(\.seats, to: 8).setting(\.name, to: "Aurora")
            .setting(\.size, to: 3)
        _ = try context.execute(request)
        try reread { same in
            expectEqual(same.seats, 8)
            expectEqual(same.name, "Aurora")
            expectEqual(same.size, 3)
        }
    }
}
