public import NostrCore

extension [Tag] {
    /// Whether only the author may publish the event: it carries the tag `["-"]`.
    ///
    /// Source: NIP-70.
    public var isProtected: Bool {
        contains { $0.name == "-" }
    }
}

extension Tag {
    /// Marks an event that only its author may publish.
    ///
    /// Source: NIP-70.
    public static let protected: Tag = ["-"]
}
