internal import CChordataXML

/// Collects the contents between the tags of a document during verification.
final class TriviaCollector {
    private(set) var trivia: [Int: [SyntaxTree.Trivia]] = [:]
    /// The current text, which the parser delivers in pieces.
    private var text: [UInt8] = []

    /// The functions that the parser calls; the context is the collector, unretained.
    var handler: chordata_xml_handler {
        func collector(_ context: UnsafeMutableRawPointer?) -> TriviaCollector? {
            context.map { Unmanaged<TriviaCollector>.fromOpaque($0).takeUnretainedValue() }
        }
        return chordata_xml_handler(
            context: Unmanaged.passUnretained(self).toOpaque(),
            characters: { context, _, text, length in
                guard let text else { return }
                collector(context)?.text.append(
                    contentsOf: UnsafeRawBufferPointer(start: text, count: Int(length))
                )
            },
            comment: { context, place, text in
                if let text { collector(context)?.add(.comment, "<!--\(String(cString: text))-->", place) }
            },
            instruction: { context, place, target, data in
                guard let target else { return }
                let rest = data.map { " " + String(cString: $0) } ?? ""
                collector(context)?.add(.instruction, "<?\(String(cString: target))\(rest)?>", place)
            },
            end_of_text: { context, place in collector(context)?.addText(place) }
        )
    }

    private func add(_ kind: SyntaxTree.Trivia.Kind, _ text: String, _ place: chordata_xml_place) {
        let parent = place.parent == .max ? SyntaxTree.document : Int(place.parent)
        trivia[parent, default: []].append(.init(kind: kind, text: text, next: Int(place.next)))
    }

    private func addText(_ place: chordata_xml_place) {
        while let last = text.last, Self.isSpace(last) { text.removeLast() }
        let start = text.firstIndex { !Self.isSpace($0) } ?? text.endIndex
        let kept = String(decoding: text[start...], as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        if !kept.isEmpty { add(.text, kept, place) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...10).contains(byte) || byte == 13 }
}
