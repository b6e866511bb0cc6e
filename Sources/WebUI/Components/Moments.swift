internal import NostrCore

/// The UTC form of a moment for `<time datetime>`: `2026-11-21T05:49:25Z`.
func utc(_ moment: Timestamp) -> String {
    let (year, month, day) = civil(moment)
    let second = Int(((moment.seconds % 86_400) + 86_400) % 86_400)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
        + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
}

/// A moment as people say it, seen from now: `now`, `5 min`, `3 h`, `2 d`, `4 Mar`, `4 Mar 2024`.
func spoken(_ moment: Timestamp, now: Timestamp) -> String {
    let (age, overflow) = now.seconds.subtractingReportingOverflow(moment.seconds)
    let (year, month, day) = civil(moment)
    if !overflow {
        switch age {
        case -300..<60: return "now"
        case 60..<3600: return "\(age / 60) min"
        case 3600..<86_400: return "\(age / 3600) h"
        case 86_400..<(7 * 86_400): return "\(age / 86_400) d"
        default: break
        }
    }
    let date = "\(day) \(monthNames[(month - 1) % 12])"
    return year == civil(now).year ? date : "\(date) \(year)"
}

/// The time of day in UTC: `14:05`; a script tells it in the reader's own zone.
func clockTime(_ moment: Timestamp) -> String { String(utc(moment).dropFirst(11).prefix(5)) }

/// A day as people say it, seen from now: `Today`, `Yesterday`, `Saturday 21 November`, `4 March 2024`.
func dayName(_ moment: Timestamp, now: Timestamp) -> String {
    let (today, then) = (dayNumber(now), dayNumber(moment))
    if then == today { return "Today" }
    if then == today - 1 { return "Yesterday" }
    let (year, month, day) = civil(moment)
    let date = "\(day) \(longMonthNames[(month - 1) % 12])"
    guard year == civil(now).year else { return "\(date) \(year)" }
    // The first day of 1970 was a Thursday.
    return weekdayNames[((then + 4) % 7 + 7) % 7] + " " + date
}

private func dayNumber(_ moment: Timestamp) -> Int {
    Int((Double(moment.seconds) / 86_400).rounded(.down))
}

/// Year, month and day in UTC, by the days-to-civil algorithm over 400-year eras.
private func civil(_ moment: Timestamp) -> (year: Int, month: Int, day: Int) {
    // Beyond the year 9999 no calendar on a page helps.
    let seconds = min(max(moment.seconds, -62_135_596_800), 253_402_300_799)
    let days = Int((Double(seconds) / 86_400).rounded(.down)) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
}

private func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

private let longMonthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]
private let weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/// A count as people say it: `987`, `1.2k`, `34k`.
func spoken(count: Int) -> String {
    switch count {
    case ..<1000: String(count)
    case ..<10_000: "\(count / 1000).\(count / 100 % 10)k"
    case ..<1_000_000: "\(count / 1000)k"
    default: "\(count / 1_000_000)M"
    }
}

/// A moment, as people say it.
func moment(_ moment: Timestamp, now: Timestamp) -> HTML {
    "<time datetime=\"\(utc(moment))\">\(spoken(moment, now: now))</time>"
}

/// A moment with date and time; a script tells it in the reader's own zone.
func fullMoment(_ moment: Timestamp) -> HTML {
    let (year, month, day) = civil(moment)
    let date = "\(day) \(longMonthNames[(month - 1) % 12]) \(year)"
    return "<time datetime=\"\(utc(moment))\" data-full>\(date), \(clockTime(moment)) UTC</time>"
}

/// A moment with its day, in short; a script tells it in the reader's own zone.
func shortMoment(_ moment: Timestamp, now: Timestamp) -> HTML {
    "<time datetime=\"\(utc(moment))\" data-end>\(dayName(moment, now: now)) \(clockTime(moment))</time>"
}
