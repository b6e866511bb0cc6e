internal import NostrCore

extension Timestamp {
    /// Reads a moment as GPX and gpsd write it, to the whole second; `nil` for anything else.
    ///
    /// Shape: `YYYY-MM-DDThh:mm:ss`, a fraction of any length, then `Z`, `±hh:mm` or nothing, which counts as `Z`;
    /// years 1970 to 9999. Source: XML Schema part 2, dateTime; ISO 8601.
    init?(iso8601 text: some Sequence<UInt8>) {
        var reader = DigitReader(bytes: Array(text.prefix(64)))
        guard let year = reader.number(4), (1970...9999).contains(year), reader.consume("-"),
            let month = reader.number(2), (1...12).contains(month), reader.consume("-"),
            let day = reader.number(2), (1...daysOfMonth(month, year: year)).contains(day), reader.consume("T"),
            let hour = reader.number(2), (0...23).contains(hour), reader.consume(":"),
            let minute = reader.number(2), (0...59).contains(minute), reader.consume(":"),
            // 60 is a leap second.
            let second = reader.number(2), (0...60).contains(second)
        else { return nil }
        if reader.consume(".") { guard reader.skipDigits() else { return nil } }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        self.init(seconds: Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset))
        guard Fix.moments.contains(self) else { return nil }
    }
}

/// Takes digits and marks off the front of some bytes.
private struct DigitReader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<position + count] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte & 15)
        }
        position += count
        return value
    }

    mutating func consume(_ mark: Unicode.Scalar) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == mark.value else { return false }
        position += 1
        return true
    }

    mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position > start
    }

    /// The seconds by which the written time is ahead of UTC.
    mutating func offset() -> Int? {
        if isAtEnd || consume("Z") { return 0 }
        let isAhead = consume("+")
        guard isAhead || consume("-"), let hours = number(2), (0...14).contains(hours), consume(":"),
            let minutes = number(2), (0...59).contains(minutes)
        else { return nil }
        return (isAhead ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
}

private func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

private func daysOfMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// Days of the Gregorian calendar; years are counted from March, so that the leap day is the last.
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month < 3 ? year - 1 : year
    let marchMonth = (month + 9) % 12
    let ofYear = (153 * marchMonth + 2) / 5 + day - 1
    return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + ofYear - 719_468
}
