internal import CChordataXML

/// Collects what stands between the tags of a document while it is verified.
final class InterludeCollector {
    private(set) var interludes: [Int: [SyntaxTree.Interlude]] = [:]
    /// The numbers of the elements that have not ended.
    private var open: [Int] = []
    /// Text comes in pieces.
    private var text: [UInt8] = []

    /// The functions that the parser calls; the context is the collector, unretained.
    var handler: chordata_xml_handler {
        func collector(_ context: UnsafeMutableRawPointer?) -> InterludeCollector? {
            context.map { Unmanaged<InterludeCollector>.fromOpaque($0).takeUnretainedValue() }
        }
        return chordata_xml_handler(
            context: Unmanaged.passUnretained(self).toOpaque(),
            characters: { context, _, text, length in
                guard let text else { return }
                collector(context)?.text.append(
                    contentsOf: UnsafeRawBufferPointer(start: text, count: Int(length))
                )
            },
            comment: { context, next, text in
                if let text { collector(context)?.add(.comment, "<!--\(String(cString: text))-->", next) }
            },
            instruction: { context, next, target, data in
                guard let target else { return }
                let rest = data.map { " " + String(cString: $0) } ?? ""
                collector(context)?.add(.instruction, "<?\(String(cString: target))\(rest)?>", next)
            },
            tag: { context, next, isEnd in collector(context)?.addTag(next, isEnd: isEnd != 0) }
        )
    }

    private func addTag(_ next: UInt32, isEnd: Bool) {
        flushText(Int(next))
        if isEnd { _ = open.popLast() } else { open.append(Int(next)) }
    }

    private func add(_ kind: SyntaxTree.Interlude.Kind, _ text: String, _ next: UInt32) {
        flushText(Int(next))
        append(kind, text, Int(next))
    }

    private func append(_ kind: SyntaxTree.Interlude.Kind, _ text: String, _ next: Int) {
        interludes[open.last ?? -1, default: []].append(.init(kind: kind, text: text, next: next))
    }

    private func flushText(_ next: Int) {
        guard !text.isEmpty else { return }
        while let last = text.last, Self.isSpace(last) { text.removeLast() }
        let start = text.firstIndex { !Self.isSpace($0) } ?? text.endIndex
        let kept = String(decoding: text[start...], as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        if !kept.isEmpty { append(.text, kept, next) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...10).contains(byte) || byte == 13 }
}
