import NostrCore
import NostrNIPs

extension EventDraft {
    /// What an event says, to be changed.
    init(_ event: Event) {
        self.init(kind: event.kind, tags: event.tags, content: event.content, createdAt: event.createdAt)
    }

    init(_ rumor: Rumor) {
        self.init(kind: rumor.kind, tags: rumor.tags, content: rumor.content, createdAt: rumor.createdAt)
    }

    mutating func drop(_ name: String) { tags.removeAll { $0.name == name } }

    mutating func set(_ name: String, _ values: String...) {
        drop(name)
        tags.append(Tag([name] + values))
    }
}
