package import NostrCore

extension Event {
    /// The events this one refers to by `e` tags, each once.
    package var referencedEvents: Set<EventID> {
        Set(
            tags.named("e").compactMap { tag in
                // A value that is no id refers to nothing.
                tag.value.flatMap { try? EventID(hex: $0) }
            })
    }
}
