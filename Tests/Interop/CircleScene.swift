import Circles
import Foundation
import NostrClient
import NostrCore
import NostrTesting
import Testing

/// What happens between our account and members by MDK, whoever founded their circle.
enum CircleScene {
    /// One of us and two by MDK, who know each other only by a relay.
    static func play(
        _ program: RelayProgram, ours: TestPerson, theirs first: TestPerson, _ second: TestPerson,
        blobs: SealedBlobs? = nil, _ body: (RelayURL, OwnAccount, Peer, Peer) async throws -> Void
    ) async throws {
        try await program.run { relay in
            try await Peer.run("mdk_circle.py", [relay.text, first.secretHex]) { one, _ in
                try await Peer.run("mdk_circle.py", [relay.text, second.secretHex]) { other, _ in
                    try await OwnAccount.run(ours, at: relay, blobs: blobs) { own in
                        try await body(relay, own, one, other)
                    }
                }
            }
        }
    }

    /// All are in one epoch with one tree, one name and the same members.
    static func agree(_ own: OwnAccount, _ id: CircleID, _ peers: [Peer]) async throws {
        let state = try await own.state(id)
        for peer in peers {
            try await peer.must(["until", id.hex, state[0]])
            #expect(try await peer.must(["state", id.hex]) == state)
        }
    }

    static func talk(
        _ own: OwnAccount, _ we: TestPerson, _ peer: Peer, _ they: TestPerson, in id: CircleID
    ) async throws {
        let (ours, theirs) = ("hello from \(we) 🦜 \"\(they)\"", "hello from \(they) ✅\n\"\(we)\"")
        try await own.circles.messaging.send(ours, replyTo: nil, in: id)
        #expect(try await hears(peer, ours, in: id))
        try await peer.must(["say", id.hex, "9", theirs])
        try await own.until("the line of \(they)") { try await own.lines(id).contains(theirs) }
    }

    /// Whether a peer comes to hear a line of the chat.
    static func hears(_ peer: Peer, _ text: String, in id: CircleID) async throws -> Bool {
        while true {
            let heard = try await peer.must(["hear", id.hex])
            if Array(heard.dropFirst()) == ["9", text] { return true }
        }
    }

    /// Both tell where they are; ours is as Whistle reads it, and theirs as Whistle writes it.
    static func sendPlaces(
        _ own: OwnAccount, _ we: TestPerson, _ peer: Peer, _ they: TestPerson, in id: CircleID
    ) async throws {
        let place = try #require(
            LocationPayload(
                latitude: 52.5163, longitude: 13.3777, altitude: 34, accuracy: 12.5,
                sentAt: Timestamp(seconds: now()), battery: 80, interval: .seconds(600), isStationary: false))
        try await own.circles.messaging.send(place, in: id)
        var heard = try await peer.must(["hear", id.hex])
        while heard[1] != "1" { heard = try await peer.must(["hear", id.hex]) }
        #expect(heard[0] == we.publicKey.hex)
        let read = try JSONSerialization.jsonObject(with: Data(heard[2].utf8)) as? [String: Any]
        #expect(read?["type"] as? String == "location" && read?["v"] as? Int == 1)
        #expect(read?["lat"] as? Double == 52.5163 && read?["lon"] as? Double == 13.3777)
        #expect(read?["acc"] as? Double == 12.5 && read?["alt"] as? Double == 34)
        #expect(read?["batt"] as? Int == 80 && read?["interval"] as? Int == 600)
        #expect(read?["stationary"] as? Bool == false && read?["ts"] as? Int == Int(place.sentAt.seconds))

        let sentAt = now()
        let theirs =
            #"{"v":1,"batt":7,"acc":20,"ts":\#(sentAt),"lon":-0.1276,"type":"location","lat":51.5072,"alt":0}"#
        try await peer.must(["say", id.hex, "1", theirs])
        try await own.until("the place of \(they)") { try await own.member(they, of: id)?.place != nil }
        let shown = try #require(try await own.member(they, of: id)?.place)
        #expect(shown.latitude == 51.5072 && shown.longitude == -0.1276 && shown.accuracy == 20)
        #expect(shown.battery == 7 && shown.interval == nil && shown.isStationary == nil)
        #expect(shown.sentAt.seconds == sentAt)
        #expect(try await !own.lines(id).contains { $0.contains("location") })
    }

    /// A peer makes a commit and keeps it back until ours is through, whose date is that of a wrong watch.
    ///
    /// - Parameter theirs: what the peer does then: `commit`, or `concede` where ours is the older one.
    static func race(
        _ own: OwnAccount, ahead error: Duration, _ peer: Peer, _ theirs: String, _ peers: [Peer], in id: CircleID,
        _ name: String, ends epoch: UInt64
    ) async throws {
        let before = try await own.circles.reader.health(of: id).epoch
        try await peer.must(["stage", id.hex])
        own.setWatch(error)
        var edit = CircleEdit()
        edit.name = name
        try await own.circles.administration.edit(id, edit)
        try await own.until(epoch: before + 1, of: id)
        try await peer.must([theirs, id.hex])
        try await own.until(epoch: epoch, of: id)
        for peer in peers { try await peer.must(["all", id.hex]) }
        try await agree(own, id, peers)
        #expect(try await own.state(id)[2] == name)
        own.setWatch(.zero)
    }
}

extension Peer {
    /// Sends a command that must not fail.
    @discardableResult
    func must(_ command: [String]) async throws -> [String] {
        let answer = try await ask(command)
        try #require(answer.first != "failed", "\(command): \(answer)")
        return answer
    }
}
