internal import NostrSigner

/// A level of trust to choose.
public struct TrustChoice: Hashable, Sendable {
    /// Its name in forms.
    public let word: String
    /// What it is called.
    public let title: String
    /// What it means.
    public let lead: String
    /// Whether it is the one in force.
    public let isChosen: Bool

    static func all(chosen: String) -> [TrustChoice] {
        TrustLevel.allCases.map {
            TrustChoice(word: $0.rawValue, title: $0.title, lead: $0.lead, isChosen: $0.rawValue == chosen)
        }
    }
}

extension DayHours {
    /// The minute of the day of `HH:MM`.
    static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).prefix(3)
        guard parts.count >= 2, let hour = Int(parts[0]), let minute = Int(parts[1]) else { return nil }
        return (0..<24).contains(hour) && (0..<60).contains(minute) ? hour * 60 + minute : nil
    }

    /// `HH:MM` of a minute of the day.
    static func text(_ minute: Int) -> String {
        let two = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        return two(minute / 60) + ":" + two(minute % 60)
    }
}
