public import NostrCore

/// What a program keeps for a person on their relays.
///
/// Content and tags are the program's own business; this type only finds them and writes them. Source: NIP-78.
public struct AppData: Hashable, Sendable {
    /// The kind of data of which there is one per identifier.
    public static let kind: Kind = 30_078

    /// Which data (`d`), by convention `program/what`.
    public let identifier: String
    /// The data, in whatever form.
    public let content: String

    /// Reads an event; `nil` unless it is of kind 30078.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        identifier = event.tags.firstValue("d") ?? ""
        content = event.content
    }

    /// Data that replaces another version; the tags of that version but `d` stay.
    public static func draft(
        _ content: String, identifier: String, replacing previous: Event?, now: Timestamp
    ) -> EventDraft {
        EventDraft(
            kind: kind, tags: previous?.tags ?? [["d", identifier]], content: content,
            createdAt: momentReplacing(previous?.createdAt, now: now))
    }
}
