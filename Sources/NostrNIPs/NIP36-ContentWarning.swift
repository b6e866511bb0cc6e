public import NostrCore

extension [Tag] {
    /// The warning before the content, empty when its author gave no reason; `nil` without a warning.
    ///
    /// Source: NIP-36.
    public var contentWarning: String? {
        first { $0.name == "content-warning" }.map { $0.value ?? "" }
    }
}

extension Tag {
    /// A warning that readers must accept before they see the content.
    ///
    /// Source: NIP-36.
    public static func contentWarning(_ reason: String) -> Tag {
        Tag(trimming: ["content-warning", reason])
    }
}
