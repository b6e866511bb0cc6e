internal import NostrNIPs

/// Words about live streams.
enum StreamWords {
    static let untitled = "A live stream without a title"
    static let noStream = "This is not the address of a live stream."
    static let seenByServer = "its server sees your address"
    static let seenByThoseListed = "its server, and those its list names, see your address"
    static let seenByNobody = "its server sees this Linnet, and not you"

    /// How a stream stands, in a word.
    static func standing(_ status: LiveActivity.Status) -> String {
        switch status {
        case .planned: "Planned"
        case .live: "Live"
        case .ended: "Ended"
        }
    }

    /// How many watch or watched, as the stream says, and how many were seen to write.
    static func attendance(viewers: Int?, total: Int?, chatters: Int, _ status: LiveActivity.Status) -> String {
        if status == .ended, let total, total > 0 { return "\(total) watched, according to the stream" }
        guard status == .live else { return "" }
        var parts: [String] = []
        if let viewers, viewers > 0 { parts.append("\(viewers) watching, according to the stream") }
        if chatters > 0 { parts.append("\(chatters) in the chat") }
        return parts.joined(separator: " · ")
    }

    /// How many reacted to a stream.
    static func reactions(_ people: Int) -> String {
        switch people {
        case 0: ""
        case 1: "1 person likes this"
        default: "\(people) people like this"
        }
    }

    /// That the same words of the same person were left out.
    static func repeats(_ count: Int) -> String {
        switch count {
        case 0: ""
        case 1: "1 repeated message is left out."
        default: "\(count) repeated messages are left out."
        }
    }
}
