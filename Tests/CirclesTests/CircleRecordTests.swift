import NostrClient
import NostrCore
import NostrTesting
import Testing

@testable import Circles

/// What rests of a circle on the disk.
struct CircleRecordTests {
    @Test("a record reads as it always rested: one level, members beside the rest")
    func stored() throws {
        let old = """
            {"enteredAt":5,"enteredBy":"ab","id":"01","joinedAt":7,"leaving":["aa"],"name":"Family",\
            "nicknames":{"aa":"Al"},"owesPictures":true,"pictures":{"circle":{"id":"cc","isGone":false,"sentAt":3}},\
            "places":{"aa":{"arrivedAt":2,"rumor":"{}","sentAt":1}},"programs":{"aa":"linnet"},\
            "relays":["wss://a.example"],"sharing":{},"standing":"leaving","troubles":[{"at":9,"notice":1}],"unread":4}
            """
        let record = try #require(CircleRecord.record(Array(old.utf8)))
        #expect(record.standing == .leaving && record.unread == 4 && record.enteredAt == 5)
        #expect(record.members.nicknames == ["aa": "Al"] && record.members.leaving == ["aa"])
        #expect(record.members.places["aa"]?.sentAt == 1 && record.members.owesPictures == true)
        let again = String(decoding: try record.recordBytes(), as: UTF8.self)
        // The order of members, and how a slash is written, are the encoder's own.
        #expect(again.filter { $0 != "\\" }.sorted() == old.sorted())
        let reread = try #require(CircleRecord.record(Array(again.utf8)))
        #expect(reread.members.pictures == record.members.pictures && reread.troubles.count == 1)
        #expect(reread.name == "Family" && reread.relays == ["wss://a.example"] && reread.joinedAt == 7)
    }

    @Test("the relays that its founder chose are kept, and absent where nobody here founded it")
    func typedRelays() throws {
        var record = CircleRecord(try #require(CircleID([1])), name: "Family", joinedAt: Timestamp(seconds: 1))
        let joined = try record.recordBytes()
        #expect(!String(decoding: joined, as: UTF8.self).contains("typedRelays"))
        #expect(CircleRecord.record(joined)?.typedRelays == [])
        record.typedRelays = ["ws://192.168.1.5"]
        #expect(CircleRecord.record(try record.recordBytes())?.typedRelays == ["ws://192.168.1.5"])
    }

    @Test("whose lines are unread is kept, and those of a record that does not say it count whoever is muted")
    func unread() throws {
        let (alice, bob) = (TestPerson.alice.publicKey, TestPerson.bob.publicKey)
        var mutes = Mutes()
        mutes.people = [bob]
        var record = CircleRecord(try #require(CircleID([1])), name: "Family", joinedAt: Timestamp(seconds: 1))
        #expect(!String(decoding: try record.recordBytes(), as: UTF8.self).contains("unreadBy"))
        for author in [alice, bob, bob] { record.countUnread(by: author.hex) }
        let kept = try #require(CircleRecord.record(try record.recordBytes()))
        #expect(kept.unread == 3 && kept.unread(without: mutes) == 1 && kept.unread(without: Mutes()) == 3)
        record.markRead()
        #expect(record.unread(without: Mutes()) == 0)
        let text = String(decoding: try record.recordBytes(), as: UTF8.self)
        var old = try #require(CircleRecord.record(Array(text.replacing("\"unread\":0", with: "\"unread\":4").utf8)))
        #expect(old.unread(without: mutes) == 4)
        old.countUnread(by: bob.hex)
        #expect(old.unread == 5 && old.unread(without: mutes) == 4)
    }

    @Test("a record older than pictures reads")
    func beforePictures() throws {
        let id = try #require(CircleID([1]))
        let record = CircleRecord(id, name: "Family", joinedAt: Timestamp(seconds: 1))
        let text = String(decoding: try record.recordBytes(), as: UTF8.self)
        #expect(!text.contains("members") && !text.contains("pictures"))
        #expect(CircleRecord.record(Array(text.utf8))?.members.pictures == nil)
    }
}
