import Circles
import Foundation
import Location
import MLS
import Marmot
import NostrClient
import NostrCore

/// What sharing one's place sends in a day, in simulated time, with the bytes of a real event.
func locationFigures(seed: UInt64) throws -> [Measurement] {
    let bytes = try PlaceOnWire(seed: seed)
    let choices = [10, 30, 60, 300, 900, 1800, 3600].map { SharingInterval(clamping: $0) }
    var figures = [
        Measurement(
            name: "place-sent", value: Double(bytes.sent), unit: "bytes", what: "a place to one relay, with its frame"),
        Measurement(
            name: "place-received", value: Double(bytes.received), unit: "bytes",
            what: "what comes back: that the relay took it, and the event itself, as who listens gets it"),
        Measurement(
            name: "place-of-others", value: Double(bytes.echo), unit: "bytes", what: "the place of somebody else"),
    ]
    for (word, day) in [("walking", DayProfile.walking), ("usual", .commute), ("rest", .atRest)] {
        for interval in choices {
            let settings = SharingSettings(interval: interval)
            let traffic = LocationTraffic.perDay(settings, day: day, bytesPerMessage: bytes.sent + bytes.received)
            let name = "place-\(word)-\(interval.seconds)"
            figures += [
                Measurement(
                    name: name, value: Double(traffic.messages), unit: "a day",
                    what: "messages, every \(interval.seconds) s while moving; \(traffic.looks) looks for a position"),
                Measurement(
                    name: name + "-bytes", value: Double(traffic.bytes) / 1000, unit: "kB", what: "there and back"),
            ]
        }
    }
    return figures
}

extension DayProfile {
    /// On foot all day: twelve hours out at 5 km/h, twelve back.
    fileprivate static let walking = DayProfile([
        Leg(seconds: 43_200, speed: 1.4), Leg(seconds: 43_200, speed: -1.4),
    ])
}

/// The bytes of one place, as frames of WebSocket; TLS and TCP come on top.
private struct PlaceOnWire {
    /// The event, to a relay.
    let sent: Int
    /// The event, from a relay to whoever listens.
    let echo: Int
    /// That, and the relay's answer.
    let received: Int

    init(seed: UInt64) throws {
        var random = Draws(state: seed)
        let moment = SignerBench.now
        let key = SecretKey.generate(using: &random).publicKey
        let profile = GenerationB()
        let data = GroupData(
            nostrGroupID: Bytes32(), name: "Family", admins: [key], relays: [try RelayURL("wss://relay.example.com")])
        var group = try MarmotGroup(
            founding: data, with: try profile.newKeyPackage(for: key, now: moment, using: &random), invited: [],
            profile: profile, policy: MarmotPolicy(profile, clock: { moment }), using: &random)
        let place = LocationPayload(
            latitude: 47.376_887, longitude: 8.541_694, altitude: 408.3, accuracy: 12.5, sentAt: moment, battery: 83,
            interval: .seconds(300), isStationary: false)
        guard let place else { throw Late(description: "a place is one") }
        let event = try group.send(CircleMessage.location(place), now: moment, using: &random).event
        let json = event.json.count
        sent = Self.frame(#"["EVENT",]"#.utf8.count + json) + Self.mask
        echo = Self.frame(#"["EVENT","a1",]"#.utf8.count + json)
        received = echo + Self.frame(#"["OK","\#(event.id.hex)",true,""]"#.utf8.count)
    }

    /// What a client's frames have and a relay's do not (RFC 6455, 5.3).
    private static let mask = 4

    /// A frame with its header (RFC 6455, 5.2).
    private static func frame(_ bytes: Int) -> Int { bytes + (bytes < 126 ? 2 : 4) }
}
