/// The word that a form of one session must carry (CSRF).
struct FormToken: Hashable, Sendable, CustomStringConvertible {
    let word: String

    /// The hidden field of a form.
    var field: HTML { hidden("csrf", word) }

    var description: String { word }
}

/// A hidden field of a form.
func hidden(_ name: StaticString, _ value: String) -> HTML {
    var html: HTML = "<input type=\"hidden\" name=\""
    html.append(literal: name)
    html.append("\" value=\"\(value)\">")
    return html
}
