import Foundation
import NostrCore

extension Timestamp {
    /// The moment now, by this machine's clock.
    static var current: Timestamp {
        Timestamp(seconds: Int64(Date().timeIntervalSince1970))
    }

    /// The minute of the day now, by this machine's clock and place.
    static var minuteOfDay: Int { current.minuteOfDay(in: Calendar.current.timeZone) }

    /// The minute of the day in a place, as clocks there show it.
    func minuteOfDay(in zone: TimeZone) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }
}

/// The environment the program was started in.
enum EnvironmentVariables {
    /// A variable's value; an empty one counts as none.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
