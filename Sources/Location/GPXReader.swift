internal import NostrCore

/// Why bytes are no track we take; offsets are in bytes, and nothing of the track is told.
public enum GPXProblem: Error, Hashable, Sendable {
    /// More bytes than are read.
    case tooLong(limit: Int)
    /// Elements inside elements beyond the limit.
    case tooDeep(limit: Int)
    /// More points than are kept.
    case tooManyPoints(limit: Int)
    /// A document type declaration: GPX needs none, and entities are declared there.
    case documentType(at: Int)
    /// Not well-formed XML.
    case notXML(at: Int)
    /// XML of another kind, or a track without points.
    case noTrack
    /// A point whose place or height is no number or out of range.
    case badPoint(at: Int)
}

/// Reads the tracks of a GPX 1.1 document from bytes that anybody may have made.
///
/// It knows just enough XML for that: no document types, so no entities but the ones of XML itself, which stand in no
/// number; bounded in bytes, depth and points; one pass without recursion. Waypoints, routes and extensions are passed
/// over. Source: GPX 1.1 schema, XML 1.0.
struct GPXReader {
    static let mostBytes = 16 << 20
    static let mostDepth = 32
    static let mostPoints = 200_000
    private static let longestValue = 64

    private enum Element { case gpx, trk, trkseg, trkpt, ele, time, other }

    private struct Open {
        let element: Element
        let name: Range<Int>
        let start: Int
    }

    let bytes: [UInt8]
    private let mostPoints: Int
    var position = 0
    private var open: [Open] = []
    private var hasRoot = false
    private var isTrackFile = false
    private var segments: [[GPXTrack.Point]] = []
    private var points = 0

    private var place: Coordinate?
    private var altitude: Double?
    private var moment: Timestamp?
    /// The text of the innermost element, while that is one whose text is read.
    private var value: [UInt8]?

    /// Takes a document, and how many points of it at most.
    init(_ bytes: [UInt8], mostPoints: Int = GPXReader.mostPoints) throws(GPXProblem) {
        guard bytes.count <= Self.mostBytes else { throw .tooLong(limit: Self.mostBytes) }
        self.bytes = bytes
        self.mostPoints = mostPoints
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Reads the document whole.
    ///
    /// - Returns: the segments that have points; at least one.
    mutating func segmentsOfDocument() throws(GPXProblem) -> [[GPXTrack.Point]] {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                try markup()
            } else {
                try text()
            }
        }
        guard open.isEmpty, hasRoot else { throw .notXML(at: bytes.count) }
        let found = segments.filter { !$0.isEmpty }
        guard isTrackFile, !found.isEmpty else { throw .noTrack }
        return found
    }

    private mutating func text() throws(GPXProblem) {
        let byte = bytes[position]
        if open.isEmpty, !isXMLSpace(byte) { throw .notXML(at: position) }
        if let length = value?.count, length < Self.longestValue { value?.append(byte) }
        position += 1
    }

    private mutating func markup() throws(GPXProblem) {
        if consume("<!--") { return try skip(past: "-->") }
        if consume("<![CDATA[") { return try skip(past: "]]>") }
        if consume("<?") { return try skip(past: "?>") }
        if has("<!") { throw .documentType(at: position) }
        if consume("</") { return try endTag() }
        try startTag()
    }

    private mutating func endTag() throws(GPXProblem) {
        let start = position
        let name = try name()
        skipSpace()
        guard consume(">"), let last = open.popLast(), bytes[last.name].elementsEqual(bytes[name]) else {
            throw .notXML(at: start)
        }
        try close(last)
    }

    private mutating func startTag() throws(GPXProblem) {
        let start = position
        position += 1
        let name = try name()
        guard open.count < Self.mostDepth else { throw .tooDeep(limit: Self.mostDepth) }
        guard !open.isEmpty || !hasRoot else { throw .notXML(at: start) }
        hasRoot = true
        let opened = Open(element: element(name), name: name, start: start)
        var latitude: Range<Int>?
        var longitude: Range<Int>?
        while let attribute = try attribute() {
            if bytes[attribute.name].elementsEqual("lat".utf8) { latitude = attribute.value }
            if bytes[attribute.name].elementsEqual("lon".utf8) { longitude = attribute.value }
        }
        let isEmpty = consume("/")
        guard consume(">") else { throw .notXML(at: position) }
        try begin(opened, latitude, longitude)
        if isEmpty { try close(opened) } else { open.append(opened) }
    }

    /// What an element is, which its parent decides as well: a `time` counts only right inside a point.
    private func element(_ name: Range<Int>) -> Element {
        let colon = bytes[name].lastIndex(of: UInt8(ascii: ":"))
        let local = bytes[(colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound]
        guard local.count <= 6 else { return .other }
        return switch (open.last?.element, String(decoding: local, as: UTF8.self)) {
        case (nil, "gpx"): .gpx
        case (.gpx, "trk"): .trk
        case (.trk, "trkseg"): .trkseg
        case (.trkseg, "trkpt"): .trkpt
        case (.trkpt, "ele"): .ele
        case (.trkpt, "time"): .time
        default: .other
        }
    }

    private mutating func begin(
        _ opened: Open, _ latitude: Range<Int>?, _ longitude: Range<Int>?
    ) throws(GPXProblem) {
        value = nil
        switch opened.element {
        case .gpx: isTrackFile = true
        case .trkseg: segments.append([])
        case .trkpt:
            guard let latitude, let longitude, let north = decimal(bytes[latitude]),
                let east = decimal(bytes[longitude]),
                let place = Coordinate(latitude: north, longitude: east)
            else { throw .badPoint(at: opened.start) }
            (self.place, altitude, moment) = (place, nil, nil)
        case .ele, .time: value = []
        case .trk, .other: break
        }
    }

    private mutating func close(_ closed: Open) throws(GPXProblem) {
        defer { value = nil }
        let text = trimmedXML(value ?? [])
        switch closed.element {
        case .ele:
            guard let number = decimal(text) else { throw .badPoint(at: closed.start) }
            altitude = number
        case .time:
            // A point whose time cannot be read is a point without a time.
            moment = Timestamp(iso8601: text)
        case .trkpt:
            guard let place, let last = segments.indices.last else { return }
            guard points < mostPoints else { throw .tooManyPoints(limit: mostPoints) }
            points += 1
            segments[last].append(GPXTrack.Point(place: place, altitude: altitude, moment: moment))
        case .gpx, .trk, .trkseg, .other: break
        }
    }
}
