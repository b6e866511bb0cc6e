import AsyncPrimitives
import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// Recorded ways: what is read, what is refused, and going them again.
struct GPXTests {
    private static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a > comment <trkpt> -->
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" creator='it"s'>
          <metadata><time>1999-01-01T00:00:00Z</time></metadata>
          <wpt lat="1" lon="1"><ele>9</ele></wpt>
          <trk><name><![CDATA[<trkseg> & more]]></name><trkseg>
            <trkpt lat="47.0" lon="8.0"><ele> 400.5 </ele><time>2024-05-01T10:00:00Z</time>
              <extensions><time>1999-01-01T00:00:00Z</time><ele>1</ele></extensions></trkpt>
            <trkpt lon="8.0" lat="47.001"><time>2024-05-01T10:01:40.5Z</time><ele>4.105e2</ele></trkpt>
          </trkseg><trkseg></trkseg><trkseg>
            <trkpt lat="47.002" lon="8.0" ><time>2024-05-01T10:05:00Z</time></trkpt>
            <trkpt lat="47.002" lon="8.001"><time>2024-05-01T10:06:40Z</time></trkpt>
          </trkseg></trk>
        </gpx>
        """

    @Test("points of tracks are read, with height and time, and nothing else is")
    func reads() throws {
        let track = try GPXTrack(gpx: Array(Self.document.utf8))
        #expect(track.segments.map(\.count) == [2, 2])
        let first = try #require(track.segments.first?.first)
        #expect(first.place == Coordinate(latitude: 47, longitude: 8))
        #expect(first.altitude == 400.5)
        #expect(first.moment == Timestamp(iso8601: "2024-05-01T10:00:00Z".utf8))
        #expect(track.segments[0][1].altitude == 410.5)
        #expect(track.segments[1][0].altitude == nil)
        #expect(track.seconds == 400)
        let prefixed = Self.document.replacing("<trk", with: "<g:trk").replacing("</trk", with: "</g:trk")
            .replacing("<gpx", with: "<g:gpx").replacing("</gpx", with: "</g:gpx")
        #expect(try GPXTrack(gpx: [0xEF, 0xBB, 0xBF] + Array(prefixed.utf8)) == track)
    }

    private static func point(_ attributes: String, _ inside: String = "") -> String {
        "<gpx><trk><trkseg><trkpt \(attributes)>\(inside)</trkpt></trkseg></trk></gpx>"
    }

    @Test(
        "what is no track is refused, and where",
        arguments: [
            ("", GPXProblem.notXML(at: 0)), ("{}", .notXML(at: 0)), ("<gpx>", .notXML(at: 5)),
            ("<gpx></trk>", .notXML(at: 7)), ("<gpx/>", .noTrack), ("<kml></kml>", .noTrack),
            ("<gpx></gpx><gpx></gpx>", .notXML(at: 11)), ("<gpx a></gpx>", .notXML(at: 6)),
            ("<gpx a='<'></gpx>", .notXML(at: 8)), ("<gpx a=\"1\"b=\"2\"/>", .notXML(at: 10)), ("<", .notXML(at: 1)),
            ("<gpx><!-- </gpx>", .notXML(at: 16)), ("<gpx", .notXML(at: 4)), ("<gpx a=", .notXML(at: 7)),
            ("<!DOCTYPE gpx SYSTEM \"file:///etc/passwd\"><gpx/>", .documentType(at: 0)),
            ("<gpx><!ENTITY x \"y\"></gpx>", .documentType(at: 5)),
            (point("lat='91' lon='0'"), .badPoint(at: 18)), (point("lat='1'"), .badPoint(at: 18)),
            (point("lat='nan' lon='0'"), .badPoint(at: 18)), (point("lat='0x1' lon='0'"), .badPoint(at: 18)),
            (point("lat='1e400' lon='0'"), .badPoint(at: 18)), (point("lat='&#49;' lon='0'"), .badPoint(at: 18)),
            (point("lat='1' lon='1'", "<ele>&x;</ele>"), .badPoint(at: 41)),
            (point("lat='1' lon='1'", "<ele>" + String(repeating: "1", count: 99) + "</ele>"), .badPoint(at: 41)),
        ])
    func refuses(text: String, why: GPXProblem) {
        #expect(throws: why) { try GPXTrack(gpx: Array(text.utf8)) }
    }

    @Test("what is too long, too deep or too much is refused")
    func bounds() {
        #expect(throws: GPXProblem.tooLong(limit: 16 << 20)) {
            try GPXTrack(gpx: [UInt8](repeating: 0x20, count: 16 << 20 + 1))
        }
        #expect(throws: GPXProblem.tooDeep(limit: 32)) {
            try GPXTrack(gpx: Array(String(repeating: "<gpx>", count: 33).utf8))
        }
        let points = "<gpx><trk><trkseg><trkpt lat='1' lon='1'/><trkpt lat='1' lon='1'/></trkseg></trk></gpx>"
        #expect(throws: GPXProblem.tooManyPoints(limit: 1)) {
            var reader = try GPXReader(Array(points.utf8), mostPoints: 1)
            _ = try reader.segmentsOfDocument()
        }
    }

    @Test("noise never traps")
    func noise() {
        Noise.run(Array(Self.document.utf8), rounds: 1500) { bytes in
            // Most of it is refused; what is taken can be gone.
            guard let track = try? GPXTrack(gpx: bytes) else { return }
            for seconds in [-1, 0, 1, 150, 1e9] { _ = track.whereabouts(after: seconds) }
        }
    }

    @Test("between points one goes straight; between segments nobody knows; behind the end it is over")
    func whereabouts() throws {
        let track = try GPXTrack(gpx: Array(Self.document.utf8))
        guard case .on(let place, let altitude, let speed) = track.whereabouts(after: 50) else {
            Issue.record("not on the way")
            return
        }
        #expect(abs(place.latitude - 47.0005) < 1e-6)
        #expect(altitude == 405.5)
        #expect(abs((speed ?? 0) - 1.112) < 0.001)
        #expect(track.whereabouts(after: -9) == .on(track.segments[0][0].place, altitude: 400.5, speed: 0))
        #expect(track.whereabouts(after: 101) == .gap)
        #expect(track.whereabouts(after: 400) == .on(track.segments[1][1].place, altitude: nil, speed: 0))
        #expect(track.whereabouts(after: 400.5) == .ended)
    }

    @Test("a way without times, or with times that go back, is walked")
    func untimed() throws {
        let far = Places.home.destination(distance: 140, bearing: 0)
        let later = GPXTrack.Point(place: Places.home, moment: Places.start + .seconds(5))
        let earlier = GPXTrack.Point(place: far, moment: Places.start)
        for points in [[GPXTrack.Point(place: Places.home), .init(place: far)], [later, earlier]] {
            let track = try #require(GPXTrack(segments: [[], points]))
            #expect(abs(track.seconds - 100) < 0.01)
        }
        #expect(GPXTrack(segments: [[]]) == nil)
    }

    @Test("going it again tells positions of now, begins again or ends")
    func replay() throws {
        let track = try GPXTrack(gpx: Array(Self.document.utf8))
        let clock = ManualClock()
        let now = { @Sendable in Places.start }
        let once = try GPXReplay(track, from: Places.start, time: Time(clock: clock, now: now))
        let ever = try GPXReplay(track, from: Places.start, isLooping: true, time: Time(clock: clock, now: now))
        guard case .fix(let first)? = once.reading(at: Places.start + .seconds(50)) else {
            Issue.record("no position")
            return
        }
        #expect(first.moment == Places.start + .seconds(50))
        #expect(once.reading(at: Places.start + .seconds(150)) == .failure(.noFix))
        #expect(once.reading(at: Places.start + .seconds(401)) == nil)
        guard case .fix(let again)? = ever.reading(at: Places.start + .seconds(450)) else {
            Issue.record("no position")
            return
        }
        #expect(again.place == first.place)
        #expect(once.reading(at: Timestamp(seconds: .min)) == .failure(.noFix))
        #expect(once.reading(at: Timestamp(seconds: .max)) == nil)
        #expect(ever.reading(at: Timestamp(seconds: .max)) != nil)
    }
}
