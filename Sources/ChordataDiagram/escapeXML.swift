/// Writes free text into XML, and into Graphviz's HTML-like labels, which are XML.
///
/// Characters that XML 1.0 has no way to write become U+FFFD; line breaks and tabs become references, so that a reader
/// does not take them for layout.
func escapeXML(_ text: String) -> String {
    var written = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": written += "&amp;"
        case "<": written += "&lt;"
        case ">": written += "&gt;"
        case "\"": written += "&quot;"
        case "'": written += "&#39;"
        case "\t", "\n", "\r": written += "&#\(scalar.value);"
        case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": written += "\u{FFFD}"
        default: written.unicodeScalars.append(scalar)
        }
    }
    return written
}
