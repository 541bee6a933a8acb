@_spi(Generated) import Chordata
import ChordataTestSupport
import Testing

/// Enumerations of property names as the generator writes them, with sizes at which Swift changes their layout.
struct PropertyKeyTests {
    private func check<Key: PropertyKeyEnumeration>(_: Key.Type, count: Int, size: Int) throws {
        expectEqual(MemoryLayout<Key>.size, size, "the test is for another size")
        let all = Array(Key.allCases)
        expectEqual(all.map { "\($0)" }, (0..<count).map { "p\($0)" })
        expectEqual(all.map(\.name), (0..<count).map { "p\($0)" })
        expectEqual(Set(all).count, count)
        let places = Dictionary(uniqueKeysWithValues: zip(all, 0...))
        for (place, key) in all.enumerated() {
            expectEqual(places[key], place)
            expectEqual(all.firstIndex(of: key), place)
            #expect(all.allSatisfy { ($0 == key) == ("\($0)" == "\(key)") })
        }
    }

    @Test func oneCase() throws {
        try check(One.PropertyKey.self, count: 1, size: 0)
        expectEqual(One.PropertyKey.allCases, [.p0])
        expectEqual(One.PropertyKey.p0.hashValue, One.PropertyKey.allCases[0].hashValue)
    }

    @Test func twoCases() throws {
        try check(Two.PropertyKey.self, count: 2, size: 1)
        #expect(Two.PropertyKey.p0 != .p1)
    }

    @Test func aByteIsFull() throws {
        try check(Byte.PropertyKey.self, count: 256, size: 1)
        expectEqual(Byte.PropertyKey.p255.name, "p255")
    }

    @Test func moreThanAByte() throws {
        try check(Wide.PropertyKey.self, count: 257, size: 2)
        expectEqual(Wide.PropertyKey.p256.name, "p256")
        #expect(Wide.PropertyKey.p0 != .p256)
    }

    /// The cases that the runtime creates are the cases of the source code.
    @Test func casesAreSwitchedOver() {
        let words = Two.PropertyKey.allCases.map { key in
            switch key {
            case .p0: "first"
            case .p1: "second"
            }
        }
        expectEqual(words, ["first", "second"])
        #expect(Two.PropertyKey.allCases.map { $0 as AnyHashable } == [Two.PropertyKey.p0, Two.PropertyKey.p1])
    }

    // MARK: Enumerations that do not fit

    @Test func anotherNumberOfCases() async throws {
        let listed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(Short.allCases)
        }
        let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(Long.p0.name)
        }
        for (result, count) in [(listed, 1), (named, 3)] {
            let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            let message = "'PropertyKey' of 'Two' has \(count) cases instead of 2; generate the code again"
            #expect(text.contains(message), "\(text)")
        }
    }

    @Test func casesBehindTheLastHaveNoName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(Behind.p2.name)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("case 'p2' is declared after 'lastPropertyKey'"), "\(text)")
        expectEqual(Behind.allCases, [.p0, .p1])
    }

    @Test func casesWithValues() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(Laden.p0 == Laden.p1(2))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("'Laden' has cases with associated values"), "\(text)")
    }
}

private let definition = ModelDefinition(
    name: "Keys",
    versionName: "Keys",
    serializedModel: (["M\t"]
        + [("One", 1), ("Two", 2), ("Byte", 256), ("Wide", 257)].flatMap { name, count in
            ["E\t\(name)"] + (0..<count).map { "A\tp\($0)\tString\toptional=1\ttransient=1" }
        }).joined(separator: "\n"),
    classes: [],
    versionNames: [:],
    migrations: []
)

private struct One: ManagedObjectValues {
    let objectID: ObjectID<ManagedObject>

    static let layout = ValuesLayout(of: Self.self, entityName: "One", in: definition)

    enum PropertyKey: PropertyKeyEnumeration {
        typealias Values = One
        case p0
        static var lastPropertyKey: Self { .p0 }
    }
}

private struct Two: ManagedObjectValues {
    let objectID: ObjectID<ManagedObject>

    static let layout = ValuesLayout(of: Self.self, entityName: "Two", in: definition)

    enum PropertyKey: PropertyKeyEnumeration {
        typealias Values = Two
        case p0, p1
        static var lastPropertyKey: Self { .p1 }
    }
}

private enum Short: PropertyKeyEnumeration {
    typealias Values = Two
    case p0
    static var lastPropertyKey: Self { .p0 }
}

private enum Long: PropertyKeyEnumeration {
    typealias Values = Two
    case p0, p1, p2
    static var lastPropertyKey: Self { .p2 }
}

private enum Behind: PropertyKeyEnumeration {
    typealias Values = Two
    case p0, p1, p2
    static var lastPropertyKey: Self { .p1 }
}

private enum Laden: PropertyKeyEnumeration {
    typealias Values = Two
    case p0
    case p1(Int)
    static var lastPropertyKey: Self { .p0 }
}

private struct Byte: ManagedObjectValues {
    let objectID: ObjectID<ManagedObject>

    static let layout = ValuesLayout(of: Self.self, entityName: "Byte", in: definition)

    enum PropertyKey: PropertyKeyEnumeration {
        typealias Values = Byte
        case p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15
        case p16, p17, p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31
        case p32, p33, p34, p35, p36, p37, p38, p39, p40, p41, p42, p43, p44, p45, p46, p47
        case p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59, p60, p61, p62, p63
        case p64, p65, p66, p67, p68, p69, p70, p71, p72, p73, p74, p75, p76, p77, p78, p79
        case p80, p81, p82, p83, p84, p85, p86, p87, p88, p89, p90, p91, p92, p93, p94, p95
        case p96, p97, p98, p99, p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111
        case p112, p113, p114, p115, p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127
        case p128, p129, p130, p131, p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143
        case p144, p145, p146, p147, p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159
        case p160, p161, p162, p163, p164, p165, p166, p167, p168, p169, p170, p171, p172, p173, p174, p175
        case p176, p177, p178, p179, p180, p181, p182, p183, p184, p185, p186, p187, p188, p189, p190, p191
        case p192, p193, p194, p195, p196, p197, p198, p199, p200, p201, p202, p203, p204, p205, p206, p207
        case p208, p209, p210, p211, p212, p213, p214, p215, p216, p217, p218, p219, p220, p221, p222, p223
        case p224, p225, p226, p227, p228, p229, p230, p231, p232, p233, p234, p235, p236, p237, p238, p239
        case p240, p241, p242, p243, p244, p245, p246, p247, p248, p249, p250, p251, p252, p253, p254, p255
        static var lastPropertyKey: Self { .p255 }
    }
}

private struct Wide: ManagedObjectValues {
    let objectID: ObjectID<ManagedObject>

    static let layout = ValuesLayout(of: Self.self, entityName: "Wide", in: definition)

    enum PropertyKey: PropertyKeyEnumeration {
        typealias Values = Wide
        case p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15
        case p16, p17, p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31
        case p32, p33, p34, p35, p36, p37, p38, p39, p40, p41, p42, p43, p44, p45, p46, p47
        case p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59, p60, p61, p62, p63
        case p64, p65, p66, p67, p68, p69, p70, p71, p72, p73, p74, p75, p76, p77, p78, p79
        case p80, p81, p82, p83, p84, p85, p86, p87, p88, p89, p90, p91, p92, p93, p94, p95
        case p96, p97, p98, p99, p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111
        case p112, p113, p114, p115, p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127
        case p128, p129, p130, p131, p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143
        case p144, p145, p146, p147, p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159
        case p160, p161, p162, p163, p164, p165, p166, p167, p168, p169, p170, p171, p172, p173, p174, p175
        case p176, p177, p178, p179, p180, p181, p182, p183, p184, p185, p186, p187, p188, p189, p190, p191
        case p192, p193, p194, p195, p196, p197, p198, p199, p200, p201, p202, p203, p204, p205, p206, p207
        case p208, p209, p210, p211, p212, p213, p214, p215, p216, p217, p218, p219, p220, p221, p222, p223
        case p224, p225, p226, p227, p228, p229, p230, p231, p232, p233, p234, p235, p236, p237, p238, p239
        case p240, p241, p242, p243, p244, p245, p246, p247, p248, p249, p250, p251, p252, p253, p254, p255
        case p256
        static var lastPropertyKey: Self { .p256 }
    }
}
