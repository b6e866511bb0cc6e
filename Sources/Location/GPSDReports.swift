internal import FoundationEssentials
public import NostrCore

/// One conversation with gpsd, without its socket: bytes in, lines to send and readings out.
///
/// It greets with `?WATCH` when gpsd has told its version, and reads `TPV` for positions, `DEVICES` and `DEVICE` for
/// whether there is a receiver; all other classes are passed over. Lines are bounded, and so is their depth before they
/// are decoded. Source: gpsd_json(5).
public struct GPSDReports: Sendable {
    /// What is to be done.
    public enum Action: Hashable, Sendable {
        /// Send these bytes.
        case send([UInt8])
        /// Hand this to the reader.
        case reading(LocationReading)
    }

    /// gpsd writes lines of at most 10 240 bytes (GPS_JSON_RESPONSE_MAX); a longer one is dropped whole.
    static let longestLine = 10_240
    /// The radius in metres taken for a position without an error estimate: the ordinary error of a lone receiver in a
    /// street, with room.
    static let unstatedAccuracy = 50.0
    /// How far a receiver's clock may be off; beyond that (old ones are wrong by 1024 weeks) our own time counts.
    private static let trustedSkew: Duration = .seconds(3600)

    private var line: [UInt8] = []
    private var isOverlong = false
    private var lastFailure: LocationFailure?

    /// A conversation that has just begun.
    public init() {}

    /// Takes bytes as they came from the socket.
    public mutating func receive(_ bytes: some Sequence<UInt8>, now: Timestamp) -> [Action] {
        var actions: [Action] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isOverlong, !line.isEmpty { actions += report(line, now: now) }
                line.removeAll(keepingCapacity: true)
                isOverlong = false
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return actions
    }

    private mutating func report(_ line: [UInt8], now: Timestamp) -> [Action] {
        // What is no report is passed over, whatever is wrong with it: the next line may be one.
        guard isShallowJSON(line, depth: 8), let report = try? JSONDecoder().decode(Report.self, from: Data(line))
        else { return [] }
        switch report.kind {
        case "VERSION": return [.send(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8))]
        case "DEVICES": return report.devices?.isEmpty == true ? fail(.noDevice) : []
        case "DEVICE": return report.isDeactivated ? fail(.noDevice) : []
        case "TPV": return position(report, now: now)
        default: return []
        }
    }

    private mutating func position(_ report: Report, now: Timestamp) -> [Action] {
        guard let mode = report.mode, mode >= 2, let latitude = report.lat, let longitude = report.lon else {
            return fail(.noFix)
        }
        // Modes: 2 is a position without a height, 3 one with.
        let reading = LocationReading { () throws(FixProblem) in
            try Fix(
                latitude: latitude, longitude: longitude, accuracy: report.accuracy ?? Self.unstatedAccuracy,
                moment: moment(report, now: now), altitude: mode >= 3 ? report.height : nil, speed: report.speed)
        }
        if case .failure(let failure) = reading { return fail(failure) }
        lastFailure = nil
        return [.reading(reading)]
    }

    private func moment(_ report: Report, now: Timestamp) -> Timestamp {
        guard let moment = report.time.flatMap({ Timestamp(iso8601: $0.utf8) }),
            moment >= now - Self.trustedSkew, moment <= now + Self.trustedSkew
        else { return now }
        return moment
    }

    /// A failure is told when it begins, not every second.
    private mutating func fail(_ failure: LocationFailure) -> [Action] {
        guard failure != lastFailure else { return [] }
        lastFailure = failure
        return [.reading(.failure(failure))]
    }
}

/// The members of gpsd's reports that are of use; each may be missing, and one of a wrong type voids the report.
private struct Report: Decodable {
    struct Device: Decodable {}

    let kind: String
    let mode: Int?
    let time: String?
    let lat: Double?
    let lon: Double?
    let eph: Double?
    let epx: Double?
    let epy: Double?
    let altHAE: Double?
    let alt: Double?
    let speed: Double?
    let devices: [Device]?
    /// `activated` is a time, or the number 0 when the receiver is gone.
    let isDeactivated: Bool

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case mode, time, lat, lon, eph, epx, epy, altHAE, alt, speed, devices, activated
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        kind = try values.decode(String.self, forKey: .kind)
        mode = try values.decodeIfPresent(Int.self, forKey: .mode)
        time = try values.decodeIfPresent(String.self, forKey: .time)
        lat = try values.decodeIfPresent(Double.self, forKey: .lat)
        lon = try values.decodeIfPresent(Double.self, forKey: .lon)
        eph = try values.decodeIfPresent(Double.self, forKey: .eph)
        epx = try values.decodeIfPresent(Double.self, forKey: .epx)
        epy = try values.decodeIfPresent(Double.self, forKey: .epy)
        altHAE = try values.decodeIfPresent(Double.self, forKey: .altHAE)
        alt = try values.decodeIfPresent(Double.self, forKey: .alt)
        speed = try values.decodeIfPresent(Double.self, forKey: .speed)
        devices = try values.decodeIfPresent([Device].self, forKey: .devices)
        // A time is a string there, and no number: then the receiver is in use.
        isDeactivated = (try? values.decode(Double.self, forKey: .activated)) == 0
    }

    /// The radius of the error in metres: the horizontal estimate, or the one made of its two sides.
    var accuracy: Double? {
        if let eph { return eph }
        guard let epx, let epy, epx >= 0, epy >= 0 else { return nil }
        return (epx * epx + epy * epy).squareRoot()
    }

    var height: Double? { altHAE ?? alt }
}

/// Whether brackets stand inside each other no deeper than this, so that decoding cannot run out of stack.
func isShallowJSON(_ bytes: [UInt8], depth limit: Int) -> Bool {
    var (depth, isText, isEscaped) = (0, false, false)
    for byte in bytes {
        if isText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isText = false
            }
            continue
        }
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            depth += 1
            if depth > limit { return false }
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
    }
    return true
}
