internal import Mustache

// For pages whose markup still comes from templates; goes with the last of them.
extension HTML: MustacheCustomRenderable {
    var renderText: String { text }
    var isNull: Bool { isEmpty }

    /// Takes what a template printed.
    init(markup: String) { self.init(rendered: markup) }

    mutating func add(markup: StaticString) { append(literal: markup) }

    mutating func add(text foreign: some StringProtocol) { append(escaping: foreign) }

    mutating func add(_ before: StaticString, _ foreign: String, _ after: StaticString) {
        append(literal: before)
        append(escaping: foreign)
        append(literal: after)
    }

    mutating func add(_ other: HTML) { append(other) }
}

/// Text with `& < > " '` as entities.
func escaped(_ text: some StringProtocol) -> String {
    var html = HTML()
    html.append(escaping: text)
    return html.text
}

extension NoteStyle {
    /// One of our icons.
    func icon(_ name: String) -> HTML { Icon(rawValue: name).map { WebUI.icon($0) } ?? HTML() }
}
