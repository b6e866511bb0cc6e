public import NostrCore

extension [Tag] {
    /// What an event is, for programs that do not know its kind: its `alt` tag; `nil` without one.
    ///
    /// Source: NIP-31.
    public var alternativeText: String? { first { $0.name == "alt" }?.text(at: 1) }
}
