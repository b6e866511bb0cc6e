import Foundation
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import SQLiteStorage
import Testing

@testable import NostrClient

@Suite(
    "Polls, pictures, reactions, comments and live chats against nostr-sdk", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct PostsAgainstPeersTests {
    /// Whose account is ours, and who uses nostr-sdk.
    private let alice = TestPerson.alice, bob = TestPerson.bob
    private let evening = EventAddress(
        kind: LiveActivity.kind, author: TestPerson.bob.publicKey, identifier: "evening")

    private static let parrot = ["emoji", "parrot", "https://example.com/parrot.png"]
    private static let hill = [
        "imeta", "url https://example.com/hill.jpg", "m image/jpeg", "alt a green hill", "dim 640x480",
    ]

    @Test("what nostr-sdk posts is shown as what it is", arguments: RelayProgram.allCases)
    func shown(_ program: RelayProgram) async throws {
        try await program.run { relay in
            try await withBob(at: relay) { bob in
                let poll = try await post(bob, 1068, "Tea or coffee?", choices(relay))
                _ = try await post(bob, 1018, "", [["e", poll.hex], ["response", "b2"]])
                let picture = try await post(bob, 20, "from above", [["title", "Hill"], Self.hill])
                let comment = try await commentOn(picture, bob)
                let line = try await openRoom(bob, relay)
                try await OwnAccount.run(alice, at: relay) { own in
                    try await own.until("home shows the picture, and the poll with its vote") {
                        let notes = try await own.account.timeline.page(.home, before: nil, limit: 50).notes
                        let post = notes.first { $0.id == picture }.flatMap { PicturePost($0.event) }
                        guard case .votes(let standing)? = notes.first(where: { $0.id == poll })?.poll else {
                            return false
                        }
                        return post?.pictures.first?.description == "a green hill"
                            && standing.everyone.votes == ["b2": 1]
                    }
                    try await own.until("the picture's page shows the comment, and that somebody reacted") {
                        let thread = try await own.account.timeline.thread(picture, hints: [relay])
                        return thread.replies.map(\.note.id) == [comment] && thread.focus?.reactions == 1
                    }
                    try await own.until("the room shows the line, and what was reacted with") {
                        let room = try await own.account.streams?.room(evening, hints: [relay])
                        let shown = room?.lines.first { $0.id == line }
                        return room?.stream?.status == .live && shown?.reactions.map(\.content) == [":parrot:"]
                    }
                }
            }
        }
    }

    @Test("nostr-sdk reads and believes what Linnet posts of each", arguments: RelayProgram.allCases)
    func read(_ program: RelayProgram) async throws {
        try await program.run { relay in
            try await withBob(at: relay) { bob in
                let poll = try await post(bob, 1068, "Tea or coffee?", choices(relay))
                let picture = try await post(bob, 20, "from above", [["title", "Hill"], Self.hill])
                let line = try await openRoom(bob, relay)
                try await OwnAccount.run(alice, at: relay) { own in
                    try await own.until("all of it is here") {
                        let notes = try await own.account.timeline.page(.home, before: nil, limit: 50).notes
                        let room = try await own.account.streams?.room(evening, hints: [relay])
                        let emoji = try await own.account.reactions?.ownEmoji() ?? []
                        return Set([poll, picture]).isSubset(of: notes.map(\.id)) && room?.lines.map(\.id) == [line]
                            && emoji.map(\.shortcode) == ["parrot"]
                    }
                    let posted = try await posts(own, about: picture, poll, line)
                    try await own.until("all of it has left") { try await haveLeft(posted, own) }
                    let answer = try await bob.ask(["read", ["ids": posted.map(\.id.hex)]])
                    #expect(answer.first == "found")
                    let read = try answer.dropFirst().map { json in
                        try Event(verifying: UnverifiedEvent(json: Array(json.utf8)))
                    }
                    #expect(Set(read) == Set(posted))
                }
            }
        }
    }

    @Test("what nostr-sdk says to Linnet's posts is told once, also after a restart", arguments: RelayProgram.allCases)
    func told(_ program: RelayProgram) async throws {
        let folder = NSTemporaryDirectory() + "linnet-interop-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A folder that stays behind in the temporary one harms nobody.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await program.run { relay in
            try await withBob(at: relay) { bob in
                var told: [EventID] = []
                var note: Event?
                try await withAlice(in: folder, at: relay) { own in
                    let posted = try await ownPosts(own)
                    note = posted.first
                    told = try await answers(bob, to: posted)
                    try await own.until("all of it is told") { try await self.told(own).sorted() == told.sorted() }
                    try await own.account.notifications?.markRead(through: nil)
                    let unread = try await own.account.notifications?.unread()
                    #expect(unread == 0)
                }
                let target = try #require(note)
                let about = [["e", target.id.hex], ["p", alice.publicKey.hex]]
                told.append(try await post(bob, 7, "🌱", about, ahead: 5))
                try await withAlice(in: folder, at: relay) { own in
                    try await own.until("what came meanwhile is told too, and all of it once") {
                        try await self.told(own).sorted() == told.sorted()
                    }
                    let unread = try await own.account.notifications?.unread()
                    #expect(unread == 1)
                }
            }
        }
    }

    // MARK: - Who is there

    /// Runs Bob's program at a relay that has Alice's lists: she writes and reads there, follows Bob, and has an emoji.
    private func withBob(at relay: RelayURL, _ body: (Peer) async throws -> Void) async throws {
        try await withPool { pool in
            for list in [
                alice.event(kind: 10_002, tags: [["r", relay.text]], at: now() - 60),
                alice.event(kind: 3, tags: [["p", bob.publicKey.hex]], at: now() - 60),
                alice.event(kind: 10_030, tags: [Tag(Self.parrot)], at: now() - 60),
                bob.event(kind: 10_002, tags: [["r", relay.text]], at: now() - 60),
            ] {
                let outcome = await pool.publish(list, to: relay, deadline: .seconds(60))
                guard case .accepted = outcome else { throw Surprise.notAccepted }
            }
        }
        try await Peer.run("sdk_posts.py", [relay.text, bob.secretHex]) { peer, _ in try await body(peer) }
    }

    /// Runs Alice's account over the files of a folder.
    private func withAlice(
        in folder: String, at relay: RelayURL, _ body: (OwnAccount) async throws -> Void
    ) async throws {
        let store = try SQLiteEventStore(path: folder + "/events.sqlite", now: { Timestamp(seconds: now()) })
        let records = try SQLiteRecordStore(path: folder + "/account.sqlite")
        try await OwnAccount.run(alice, at: relay, store: store, records: records) { own in
            try await own.until("it follows Bob") { own.account.services.gossip.followed == [bob.publicKey] }
            try await body(own)
        }
        try store.close()
        try records.close()
    }

    // MARK: - What is posted

    private func post(
        _ peer: Peer, _ kind: Int, _ content: String, _ tags: [[String]], ahead: Int = 0
    ) async throws -> EventID {
        let answer = try await peer.ask(["publish", kind, content, tags, ahead])
        try #require(answer.first == "published", "\(answer)")
        return try EventID(hex: try #require(answer.last))
    }

    private func choices(_ relay: RelayURL) -> [[String]] {
        [["option", "a1", "Tea"], ["option", "b2", "Coffee"], ["relay", relay.text], ["polltype", "singlechoice"]]
    }

    /// Bob comments on a picture of his own, and reacts to it; the comment.
    private func commentOn(_ picture: EventID, _ peer: Peer) async throws -> EventID {
        let his = bob.publicKey.hex
        _ = try await post(peer, 7, "🌱", [["e", picture.hex], ["p", his], ["k", "20"]])
        let subject = [
            ["E", picture.hex, "", his], ["K", "20"], ["P", his], ["e", picture.hex, "", his], ["k", "20"], ["p", his],
        ]
        return try await post(peer, 1111, "that was early", subject)
    }

    /// Bob is live, and says a line that he reacts to; the line.
    private func openRoom(_ peer: Peer, _ relay: RelayURL) async throws -> EventID {
        _ = try await post(
            peer, 30_311, "",
            [["d", "evening"], ["title", "An evening"], ["status", "live"], ["relays", relay.text]])
        let root = ["a", evening.description, relay.text, "root"]
        let line = try await post(peer, 1311, "good evening", [root])
        let reacted = [["e", line.hex], ["p", bob.publicKey.hex], ["k", "1311"], ["a", evening.description]]
        _ = try await post(peer, 7, ":parrot:", reacted + [Self.parrot])
        return line
    }

    /// Alice answers each of Bob's posts, and posts what he did.
    private func posts(
        _ own: OwnAccount, about picture: EventID, _ poll: EventID, _ line: EventID
    ) async throws -> [Event] {
        let (publishing, polls) = (own.account.publishing, try #require(own.account.polls))
        let streams = try #require(own.account.streams)
        let vote = try await polls.vote(["a1"], on: poll)
        #expect(vote.tags.contains(["response", "a1"]))
        let reaction = try await publishing.react(to: picture, with: ":parrot:")
        #expect(reaction.tags.contains(Tag(Self.parrot)))
        let comment = try await publishing.publish(Composition(text: "what a hill", replyTo: picture))
        #expect(comment.kind == 1111 && comment.tags.contains(["K", "20"]))
        let said = try await streams.send("to you too", in: evening, replyTo: line)
        let liked = try await streams.react(to: line, in: evening, with: "+")
        let posted = try await ownPosts(own)
        return [vote, reaction, comment, said, liked] + posted
    }

    /// A note, a poll and a picture of Alice's.
    private func ownPosts(_ own: OwnAccount) async throws -> [Event] {
        let note = try await own.account.publishing.publish(Composition(text: "good morning"))
        let polls = try #require(own.account.polls)
        let poll = try await polls.publish(NewPoll(question: "Sea or hills?", options: ["Sea", "Hills"]))
        let picture = try await own.account.publishing.publish(
            Composition(
                text: "by the sea", attachments: [Tag(Self.hill)], mediaPost: MediaPost(.pictures, title: "Sea")))
        let posts = [note, poll, picture]
        try await own.until("her posts have left") { try await haveLeft(posts, own) }
        return posts
    }

    /// Bob says something to each of Alice's posts; what he said.
    private func answers(_ peer: Peer, to posts: [Event]) async throws -> [EventID] {
        let (note, poll, picture) = (posts[0], posts[1], posts[2])
        let hers = ["p", alice.publicKey.hex]
        let option = try #require(Poll(poll)?.options.first)
        let subject = [
            ["E", picture.id.hex], ["K", "20"], ["P", alice.publicKey.hex], ["e", picture.id.hex], ["k", "20"], hers,
        ]
        return [
            try await post(peer, 7, ":parrot:", [["e", note.id.hex], hers, Self.parrot]),
            try await post(peer, 6, "", [["e", note.id.hex], hers]),
            try await post(peer, 1018, "", [["e", poll.id.hex], ["response", option.id]]),
            try await post(peer, 1111, "I was there", subject),
            try await post(peer, 1, "good morning nostr:\(alice.publicKey.npub)", [hers]),
        ]
    }

    // MARK: - What came of it

    /// What is told, each as often as it is.
    private func told(_ own: OwnAccount) async throws -> [EventID] {
        let page = try await own.account.notifications?.page(nil, before: nil, since: nil, limit: 100)
        return page?.groups.flatMap { $0.members.map(\.id) } ?? []
    }

    private func haveLeft(_ posts: [Event], _ own: OwnAccount) async throws -> Bool {
        for post in posts {
            let receipts = try await own.account.publishing.receipts(for: post.id)
            let hasLeft = receipts.contains { if case .accepted = $0.state { true } else { false } }
            guard hasLeft else { return false }
        }
        return true
    }
}
