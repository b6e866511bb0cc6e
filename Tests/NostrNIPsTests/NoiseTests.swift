import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIPs: never traps on Noise")
struct NIPsNoiseTests {
    private static let hex = TestPerson.alice.publicKey.hex

    /// A tag of every name a parser looks at, with plausible values to damage.
    private static let tagLines = [
        "p \(hex) wss://r.example.com name", "e \(hex) wss://r.example.com root \(hex)", "e \(hex) _ reply",
        "a 30023:\(hex):x:y wss://r.example.com", "q \(hex)", "r wss://r.example.com write", "E \(hex)",
        "A 30023:\(hex):x",
        "K 30023", "k 1", "P \(hex)", "I web x", "i web x", "d wss://r.example.com", "t Topic",
        "emoji wave https://x.example.com/y",
        "expiration 1700000000", "content-warning x", "nonce 1 20", "relay wss://r.example.com", "challenge c",
        "server https://x.example.com", "group a wss://r.example.com n", "word x", "-", "rtt-open 5", "N 1", "R !auth",
        "option a A\noption b B", "response a", "endsAt 5", "polltype multiplechoice", "poll_option 0 A", "closed_at 5",
        "timeout open 5", "frequency 5", "published_at 5", "title x",
    ].joined(separator: "\n")

    @Test("events of every kind with damaged tags and content")
    func events() {
        let kinds: [Kind] = [
            0, 1, 3, 5, 6, 7, 16, 1111, 10_000, 10_002, 10_006, 10_166, 22_242, 30_000, 30_023, 30_166, 1984, 1018,
            1068, 6969, 1063,
        ]
        let inside = String(decoding: TestPerson.bob.event("x").unverified.json, as: UTF8.self)
        let contents = [
            inside, #"{"name":"a","nip05":"a@b.c","birthday":{"year":1}}"#, "+", "hi https://x.example.com",
        ]
        var turn = 0
        Noise.run(Array(Self.tagLines.utf8), rounds: 4_000) { bytes in
            let tags = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .map { Tag($0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)) }
            var random = SeededRandom(seed: UInt64(turn))
            let content = Noise.damaged(Array(contents[turn % contents.count].utf8), using: &random)
            let event = UnverifiedEvent.noise(
                kinds[turn % kinds.count], tags: tags, content: String(decoding: content, as: UTF8.self))
            readEverything(event)
            turn += 1
        }
    }

    private func readEverything(_ event: Event) {
        if var list = FollowList(event) {
            list.follow(TestPerson.eve.publicKey)
            list.unfollow(TestPerson.alice.publicKey)
            _ = (list.entries, list.difference, list.draft(now: event.createdAt))
        }
        if let poll = Poll(event) {
            _ = PollTally(of: poll, [PollResponse(event)].compactMap(\.self), now: event.createdAt)
        }
        if let response = PollResponse(event) { _ = response.options }
        if let poll = ZapPoll(event) { _ = ZapPollTally(of: poll, []) }
        if let report = Report(event) { _ = (report.person, report.event, report.reason) }
        if let app = AppHandler(event) { _ = (app.kinds, app.page(opening: ["naddr1x", "note1x"])) }
        _ = (AppRecommendation(event)?.apps, AddressRepost(event)?.target)
        if let list = RelayList(event) { _ = (list.entries, list.difference) }
        if var list = PublicList(event) {
            list.rename(title: "x", summary: "")
            for item in list.items { list.remove(item) }
            _ = (list.title, list.difference, list.privatePart, list.unknownEntries)
        }
        if var profile = ProfileMetadata(event) {
            profile["name"] = "x"
            profile["nip05"] = nil
            _ = (profile.fields, profile.nip05, profile.birthday, profile.content)
            #expect(profile.name == "x")
        }
        _ = (DeletionRequest(event)?.covers(event), Repost(event), Reaction(event), Comment(event), Article(event))
        _ = (RelayDiscovery(event), RelayMonitor(event), ProofOfWork(event), ThreadReferences(event.tags))
        _ = (DraftWrap(event), UserStatus(event), AppData(event), FileMetadata(event)?.isGIF)
        _ = (event.tags.quotes, event.tags.customEmoji, event.tags.expiration, event.tags.contentWarning)
        _ = ContentToken.split(event.content, tags: event.tags).referenceTags
    }

    @Test("entities, addresses and search texts")
    func codes() throws {
        let address = EventAddress(kind: 30_023, author: TestPerson.alice.publicKey, identifier: "x")
        let relays = [try RelayURL("wss://r.example.com")]
        let pointer = AddressPointer(address: address, relays: relays)
        let event = EventPointer(TestPerson.alice.event(), relays: relays)
        for entity in [NostrEntity.naddr(pointer), .nevent(event)] {
            let text = try entity.encoded()
            Noise.run(Array(text.utf8), rounds: 4_000) { bytes in
                // Only that it returns matters here.
                _ = try? NostrEntity(String(decoding: bytes, as: UTF8.self))
            }
            // The checksum refuses nearly all damage above; here the parts inside are damaged.
            let inside = try bech32Decode(text, maxLength: NostrEntity.maxLength)
            Noise.run(inside.bytes, rounds: 6_000) { bytes in
                guard let read = try? NostrEntity(bech32Encode(prefix: inside.prefix, bytes: bytes)) else { return }
                #expect((try? NostrEntity(read.encoded())) == read)
            }
        }
        Noise.run(Array(address.description.utf8), rounds: 20_000) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let read = EventAddress(text) { #expect(EventAddress(read.description) == read) }
            _ = (InternetIdentifier(text), ProfilePointer(pasted: text))
        }
        Noise.run(Array("orange domain:example.com a:b".utf8), rounds: 25_000) { bytes in
            let query = SearchQuery(String(decoding: bytes, as: UTF8.self))
            #expect(SearchQuery(query.text) == query)
        }
    }

    @Test("documents of relays and domains, and encrypted keys")
    func documents() throws {
        let relay = #"{"name":"x","supported_nips":[1,"2",3.0],"limitation":{"max_limit":5,"auth_required":true}}"#
        Noise.run(Array(relay.utf8), rounds: 20_000) { bytes in
            if let read = RelayInformation(json: bytes) { #expect(RelayInformation(json: read.json) == read) }
        }
        let names = #"{"names":{"bob":"\#(Self.hex)"},"relays":{"\#(Self.hex)":["wss://r.example.com"]}}"#
        Noise.run(Array(names.utf8), rounds: 10_000) { _ = WellKnownNames(json: $0) }
        let key = [2, 16] + [UInt8](repeating: 7, count: 89)
        Noise.run(key, rounds: 4_000) { bytes in
            // Only that it returns matters here.
            _ = try? EncryptedSecretKey(bech32Encode(prefix: "ncryptsec", bytes: bytes))
        }
    }
}

extension UnverifiedEvent {
    /// A signed event, so that parsers which take only checked ones can be damaged too.
    fileprivate static func noise(_ kind: Kind, tags: [Tag], content: String) -> Event {
        TestPerson.alice.event(content, kind: kind, tags: tags)
    }
}
