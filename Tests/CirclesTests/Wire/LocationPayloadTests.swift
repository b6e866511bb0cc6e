import Location
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

@Suite("Places on the wire") struct LocationPayloadTests {
    private static let sent = Timestamp(seconds: 1_700_000_000)

    private static func place(
        _ latitude: Double = 51.5074, _ longitude: Double = -0.1278, altitude: Double? = nil, accuracy: Double = 5,
        battery: Int? = nil, interval: Duration? = nil, isStationary: Bool? = nil
    ) -> LocationPayload? {
        LocationPayload(
            latitude: latitude, longitude: longitude, altitude: altitude, accuracy: accuracy, sentAt: sent,
            battery: battery, interval: interval, isStationary: isStationary)
    }

    /// Name, fields as Whistle writes them, and what they mean; `ts` and `v` are added.
    private static let samples: [(String, String, LocationPayload?)] = [
        (
            "the first versions", #""lat":51.5074,"lon":-0.1278,"alt":10.0,"acc":5.0"#,
            place(altitude: 10)
        ),
        (
            "all fields", #""lat":51.5074,"lon":-0.1278,"alt":0,"acc":5,"batt":87,"interval":3600,"stationary":true"#,
            place(battery: 87, interval: .seconds(3600), isStationary: true)
        ),
        (
            "moving", #""lat":51.5074,"lon":-0.1278,"alt":-3.25,"acc":5,"stationary":false"#,
            place(altitude: -3.3, isStationary: false)
        ),
        (
            "seventeen digits", #""lat":51.507399999999997,"lon":-0.12780000000000001,"alt":0,"acc":5.0000000001"#,
            place()
        ),
        ("exponents", #""lat":515074e-4,"lon":-1.278E-1,"alt":0,"acc":0.5e+1"#, place()),
        ("no height", #""lat":51.5074,"lon":-0.1278,"acc":5"#, place()),
        ("nulls", #""lat":51.5074,"lon":-0.1278,"alt":null,"acc":5,"batt":null,"stationary":null"#, place()),
        ("a battery of 87.0", #""lat":51.5074,"lon":-0.1278,"acc":5,"batt":87.0"#, place(battery: 87)),
        (
            "what cannot be is left out",
            #""lat":51.5074,"lon":-0.1278,"alt":1e300,"acc":5,"batt":101,"interval":0,"stationary":"no""#, place()
        ),
        ("huge numbers", #""lat":51.5074,"lon":-0.1278,"acc":5,"batt":9e30,"interval":9223372036854775807"#, place()),
        ("the pole", #""lat":90,"lon":180,"acc":0"#, place(90, 180, accuracy: 0)),
        ("beyond the pole", #""lat":90.1,"lon":0,"acc":0"#, nil),
        ("beyond the date line", #""lat":0,"lon":-180.1,"acc":0"#, nil),
        ("no latitude", #""lon":0,"acc":0"#, nil),
        ("no longitude", #""lat":0,"acc":0"#, nil),
        ("no accuracy", #""lat":0,"lon":0"#, nil),
        ("a negative accuracy", #""lat":0,"lon":0,"acc":-1"#, nil),
        ("infinite", #""lat":1e999,"lon":0,"acc":1"#, nil),
        ("text", #""lat":"1","lon":0,"acc":1"#, nil),
    ]

    @Test("reads what Whistle writes; what is no place is no place", arguments: samples.map(\.0))
    func reads(name: String) throws {
        let (_, fields, place) = try #require(Self.samples.first { $0.0 == name })
        let message = TestPerson.bob.says(#"{"type":"location",\#(fields),"ts":1700000000,"v":1}"#, kind: 1)
        #expect(message.body == (place.map { .location($0) } ?? .unknown(.malformed)))
        #expect(message.sentAt == Self.sent)
    }

    @Test("without a ts it was sent when the message says")
    func withoutMoment() {
        let message = TestPerson.bob.says(#"{"type":"location","lat":1,"lon":2,"acc":3}"#, kind: 1)
        guard case .location(let place) = message.body else {
            Issue.record("no place")
            return
        }
        #expect(place.sentAt == noon && message.sentAt == noon)
    }

    @Test("the moment of the fix stands beside that of the sending, and is left out where they are the same")
    func momentOfFix() throws {
        let sent = Self.sent
        let old = try #require(
            LocationPayload(
                latitude: 1, longitude: 2, accuracy: 3, sentAt: sent, measuredAt: sent - .seconds(900)))
        #expect(old.content.contains(#""fix":1699999100"#) && old.content.contains(#""ts":1700000000"#))
        #expect(TestPerson.bob.says(old.content, kind: 1).body == .location(old))
        #expect(old.moment == sent - .seconds(900) && old.fix?.moment == old.moment)
        let new = LocationPayload(latitude: 1, longitude: 2, accuracy: 3, sentAt: sent, measuredAt: sent)
        #expect(new?.content.contains("fix") == false)
        // Nobody was anywhere after they said so.
        let odd = #"{"type":"location","lat":1,"lon":2,"acc":3,"fix":1700000001,"ts":1700000000,"v":1}"#
        guard case .location(let place) = TestPerson.bob.says(odd, kind: 1).body else {
            Issue.record("no place")
            return
        }
        #expect(place.moment == sent)
    }

    @Test("NaN is no place")
    func noNumber() {
        #expect(Self.place(.nan) == nil && Self.place(0, .nan) == nil && Self.place(accuracy: .nan) == nil)
        #expect(Self.place(.infinity) == nil && Self.place(accuracy: -.infinity) == nil)
        #expect(Self.place(altitude: .nan) == Self.place())
    }

    @Test("is written with the digits that mean something, in Whistle's order")
    func writes() throws {
        let place = try #require(
            Self.place(
                51.507_412_345_678, -0.000_000_4, altitude: 10.04, accuracy: 12.34, battery: 7, interval: .seconds(600),
                isStationary: false))
        #expect(
            place.content
                == #"{"type":"location","lat":51.507412,"lon":0,"alt":10,"acc":12.3,"batt":7,"interval":600,"#
                + #""stationary":false,"ts":1700000000,"v":1}"#)
        let small = try #require(Self.place(-0.000_001, 100.000_01, accuracy: 0.04))
        #expect(
            small.content
                == #"{"type":"location","lat":-0.000001,"lon":100.00001,"alt":0,"acc":0,"ts":1700000000,"v":1}"#)
    }

    @Test("comes back as it was sent, wherever it is")
    func roundTrip() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            let place = try #require(
                LocationPayload(
                    latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random),
                    altitude: .random(in: -400...9_000, using: &random),
                    accuracy: .random(in: 0...50_000, using: &random), sentAt: noon,
                    battery: [nil, 0, 50, 100].randomElement(using: &random) ?? nil,
                    interval: [nil, .seconds(10), .seconds(3_600)].randomElement(using: &random) ?? nil,
                    isStationary: [nil, true, false].randomElement(using: &random) ?? nil))
            let draft = CircleMessage.location(place)
            #expect(draft.kind == 1 && draft.createdAt == noon)
            #expect(TestPerson.bob.says(draft).body == .location(place))
        }
    }

    @Test("is not written out by print, nor by what holds it")
    func silent() throws {
        let place = try #require(Self.place(47.123_4, 8.567_8))
        let message = TestPerson.bob.says(CircleMessage.location(place))
        var dumped = ""
        dump(message, to: &dumped)
        dump(message.body, to: &dumped)
        for text in [
            "\(place)", "\(message)", String(reflecting: message), "\(message.body)", String(reflecting: message.body),
            "\([place])", "\([message])", dumped,
        ] {
            #expect(!text.contains("47.1") && !text.contains("8.5"), "\(text)")
        }
    }
}
