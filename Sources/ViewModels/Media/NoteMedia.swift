internal import NostrCore
internal import NostrNIPs

/// The media of a note's text: what the text names, with what its author says of it.
struct NoteMedia {
    /// The parts of the text; an address that is a picture by what is said of it alone is one here.
    let parts: [ContentPart]
    /// What is drawn below the text, in its order.
    let items: [MediaItem]

    /// Reads the parts of an event's text.
    ///
    /// - Parameter shown: addresses that are shown in another way.
    init(_ event: Event, parts: [ContentPart], without shown: Set<String> = []) {
        let told = Self.told(by: event, of: parts)
        self.parts =
            told.isEmpty
            ? parts
            : parts.map { part in
                guard case .link(let address) = part, let item = told[address] else { return part }
                return item.sort == .picture ? .image(address) : .video(address)
            }
        items = self.parts.compactMap { part -> MediaItem? in
            switch part {
            case .image(let address), .video(let address):
                shown.contains(address) ? nil : told[address] ?? MediaItem([MediaAttachment(url: address)])
            default: nil
            }
        }.withoutRepetition(of: \.address)
    }

    /// The address of a part that is or may be a file.
    private static func address(of part: ContentPart) -> String? {
        switch part {
        case .link(let address), .image(let address), .video(let address): address
        default: nil
        }
    }

    /// What its author says of files that the text names, by address.
    private static func told(by event: Event, of parts: [ContentPart]) -> [String: MediaItem] {
        // Most notes have no links, or say nothing of them, and a hostile one has hundreds.
        guard parts.contains(where: { Self.address(of: $0) != nil }),
            event.tags.contains(where: { $0.name == MediaAttachment.tagName })
        else { return [:] }
        let addresses = Set(parts.compactMap(Self.address))
        var told: [String: MediaItem] = [:]
        // The addresses are found in the text already; it is not searched for each again.
        let files = event.tags.attachments { url in
            webAddress(url).map { addresses.contains($0) } == true
        }
        for file in files {
            guard let item = MediaItem([file]) else { continue }
            told[item.address] = told[item.address] ?? item
        }
        return told
    }
}
