internal import NostrCore
internal import NostrNIPs

/// What of an event people read, so that a muted word is found in it; of a note as much as is shown.
struct MutableText {
    let text: String

    init(_ event: UnverifiedEvent) {
        switch event.kind {
        case 1, 11, 14, 42, 1111, 1311: text = Note.shown(of: event.content).text
        // Names, lists, reposts, what is encrypted and what is written for programs.
        case 0, 3, 4, 5, 6, 13, 16, 1018, 1059, 9734, 9735, 10_000..<20_000, 22_242, 24_133, 27_235, 30_078: text = ""
        default:
            let headings = event.tags.compactMap(Self.heading)
            let words = event.content.utf8.first == UInt8(ascii: "{") ? [] : [event.content]
            text = (headings + words).joined(separator: "\n")
        }
    }

    private static func heading(_ tag: Tag) -> String? {
        switch tag.name {
        case "title", "summary", "alt", "name", "description", "subject": tag.value
        case "option", "poll_option": tag[2]
        default: nil
        }
    }
}
