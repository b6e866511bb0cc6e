import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

private let alice = TestPerson.alice

/// Drafts rest encrypted here first, and go to the relays for private content only.
struct DraftTests {
    let bench = AccountBench()

    private func lists() async throws -> any DraftKeeping {
        await bench.account.keyDidUnlock()
        return try #require(bench.account.drafts)
    }

    private func usePrivateRelay() async throws {
        let content = try await sealed(#"[["relay","wss://private.example"]]"#)
        _ = await bench.store.save([alice.event(content, kind: 10_013, at: seconds(-9))], from: nil)
    }

    @Test("without private relays a draft stays here, encrypted")
    func staysHere() async throws {
        let lists = try await lists()
        let composition = Composition(text: "a planted secret", contentWarning: "why")
        let draft = try await lists.saveDraft(composition, id: nil)
        #expect(draft.composition == composition)
        #expect(draft.isEditable)
        #expect(try await lists.drafts() == [draft])
        #expect(await bench.store.query([Filter(kinds: [31_234])]).isEmpty)
        for record in try await bench.records.records(in: "drafts") {
            #expect(!String(decoding: record.value, as: UTF8.self).contains("planted"))
        }
        bench.clock.advance(by: .seconds(1))
        let later = try await lists.saveDraft(Composition(text: "more"), id: draft.id)
        #expect(try await lists.drafts() == [later])
        try await lists.deleteDraft(draft.id)
        #expect(try await lists.drafts().isEmpty)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("goes to private relays alone, and is deleted there by a blank version and a request")
    func privateRelays() async throws {
        try await usePrivateRelay()
        let lists = try await lists()
        let target = alice.event("root")
        let draft = try await lists.saveDraft(Composition(text: "hi", replyTo: target.id), id: nil)
        let event = try #require(await bench.store.query([Filter(kinds: [31_234])]).first)
        #expect(event.tags.firstValue("d") == draft.id)
        #expect(event.tags.expiration == draft.expires)
        #expect(try await bench.account.publishing.receipts(for: event.id).map(\.relay) == [relay("private")])
        let text = try await LocalSigner(alice.secretKey).decrypt(event.content, from: alice.publicKey, by: .nip44)
        #expect(UnsignedDraft(json: text)?.draft.content == "hi")
        bench.clock.advance(by: .seconds(1))
        try await lists.deleteDraft(draft.id)
        let request = try #require(await bench.store.query([Filter(kinds: [5])]).first)
        #expect(request.tags.contains(["a", "31234:\(alice.publicKey.hex):\(draft.id)"]))
        #expect(try await bench.account.publishing.receipts(for: request.id).map(\.relay) == [relay("private")])
        let blank = await bench.store.versions(of: alice.publicKey, kind: 31_234, identifier: draft.id).first
        #expect(blank?.content == "")
        #expect(try await lists.drafts().isEmpty)
    }

    @Test("drafts of another program are taken in once it is unlocked; what cannot be taken up is only shown")
    func foreign() async throws {
        try await usePrivateRelay()
        let note = #"{"kind":1,"content":"from elsewhere","tags":[["q","\#(alice.event("q").id.hex)"]]}"#
        let article = #"{"kind":30023,"content":"long","tags":[],"created_at":1}"#
        let media = #"{"kind":1,"content":"place","tags":[["g","u33"]]}"#
        for (index, text) in [note, article, media].enumerated() {
            let wrap = alice.event(
                try await sealed(text), kind: 31_234, tags: [["d", "\(index)"], ["k", "1"]], at: seconds(-20))
            bench.network.put([wrap], on: relay(index == 0 ? "private" : "fallback"))
        }
        bench.network.put(
            [alice.event("broken", kind: 31_234, tags: [["d", "x"]], at: seconds(-20))], on: relay("private"))
        let lists = try await lists()
        try await bench.running {
            try await bench.eventually("all three drafts are here") { try await lists.drafts().count == 3 }
        }
        let drafts = try await lists.drafts()
        #expect(drafts.filter(\.isEditable).map(\.composition.text) == ["from elsewhere"])
        #expect(drafts.first { $0.id == "0" }?.composition.quote == alice.event("q").id)
    }

    @Test("a draft that another device blanked goes, a newer one of theirs comes")
    func otherDevice() async throws {
        let lists = try await lists()
        let first = try await lists.saveDraft(Composition(text: "one"), id: "a")
        _ = try await lists.saveDraft(Composition(text: "two"), id: "b")
        let newer = UnsignedDraft(
            EventDraft(kind: 1, content: "one, longer", createdAt: first.changedAt), author: alice.publicKey)
        _ = await bench.store.save(
            [
                alice.event(
                    try await sealed(newer.json), kind: 31_234, tags: [["d", "a"], ["k", "1"]], at: seconds(9)),
                alice.event("", kind: 31_234, tags: [["d", "b"], ["k", "1"]], at: seconds(9)),
            ], from: nil)
        #expect(try await lists.drafts().map(\.composition.text) == ["one, longer"])
    }

    @Test("drafts are there after a restart, once the key is unlocked")
    func restart() async throws {
        let draft = try await lists().saveDraft(Composition(text: "kept"), id: nil)
        let again = bench.account(signer: LocalSigner(alice.secretKey), records: bench.records)
        await again.keyDidUnlock()
        #expect(try await again.drafts?.drafts() == [draft])
    }

    // MARK: As Wisp writes them

    /// A wrapped draft in Wisp's shape: no expiration, the kind in `k`, the author's key inside, no id and no signature.
    private func wisp(_ name: String, _ content: String, tags: String = "[]", at offset: Int64 = -20) async throws
        -> Event
    {
        let text = """
            {"kind":1,"pubkey":"\(alice.publicKey.hex)","created_at":\(seconds(offset)),"tags":\(tags),\
            "content":"\(content)"}
            """
        return alice.event(
            try await sealed(text), kind: 31_234, tags: [["d", name], ["k", "1"]], at: seconds(offset))
    }

    @Test("a draft that Wisp put on a well-known relay is found, opens with its picture, and is deleted there")
    func fromWisp() async throws {
        let bench = AccountBench { $0.draftRelays = [relay("popular")] }
        let name = "6F1D0C9E-0E0B-4F5C-9B53-0B6C8E3A1B11"
        let imeta = #"[["imeta","url https://blossom.example/a.jpg","m image/jpeg","dim 640x480"]]"#
        bench.network.put([try await wisp(name, "a heron", tags: imeta)], on: relay("popular"))
        await bench.account.keyDidUnlock()
        let drafts = try #require(bench.account.drafts)
        try await bench.running {
            try await bench.eventually("the draft is here") { try await !drafts.drafts().isEmpty }
        }
        let draft = try #require(try await drafts.drafts().first)
        #expect(draft.id == name && draft.isEditable && draft.composition.text == "a heron")
        #expect(draft.media == ["https://blossom.example/a.jpg"])
        // Gone on with, it keeps what is known of the picture; published, it names it in the text too.
        bench.clock.advance(by: .seconds(1))
        var longer = draft.composition
        longer.text = "a heron, at last"
        let kept = try await drafts.saveDraft(longer, id: name)
        #expect(kept.media == draft.media && kept.composition.attachments == draft.composition.attachments)
        let note = try await bench.account.publishing.publish(kept.composition)
        #expect(note.content == "a heron, at last\nhttps://blossom.example/a.jpg")
        #expect(note.tags.first { $0.name == "imeta" }?.elements.contains("dim 640x480") == true)
        bench.clock.advance(by: .seconds(1))
        try await drafts.deleteDraft(name)
        #expect(try await drafts.drafts().isEmpty)
        let request = try #require(await bench.store.query([Filter(kinds: [5])]).first)
        #expect(request.tags.contains(["a", "31234:\(alice.publicKey.hex):\(name)"]))
        #expect(try await bench.account.publishing.receipts(for: request.id).map(\.relay) == [relay("popular")])
        let blank = try #require(
            await bench.store.versions(of: alice.publicKey, kind: 31_234, identifier: name).first)
        #expect(blank.content.isEmpty)
        #expect(try await bench.account.publishing.receipts(for: blank.id).map(\.relay) == [relay("popular")])
    }

    @Test("a draft that Wisp deleted, by one without words in its place, goes")
    func deletedByWisp() async throws {
        let drafts = try await lists()
        _ = await bench.store.save([try await wisp("a", "one"), try await wisp("b", "two")], from: nil)
        #expect(try await drafts.drafts().map(\.id).sorted() == ["a", "b"])
        _ = await bench.store.save([try await wisp("a", "", at: 5)], from: nil)
        #expect(try await drafts.drafts().map(\.id) == ["b"])
        // One that never was here does not come either.
        _ = await bench.store.save([try await wisp("c", "", at: 5)], from: nil)
        #expect(try await drafts.drafts().map(\.id) == ["b"])
    }

    @Test("which relays are searched is decided by the account, and none is an answer")
    func searching() async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records) { $0.draftRelays = [relay("popular")] }
        bench.network.put([try await wisp("a", "popular")], on: relay("popular"))
        bench.network.put([try await wisp("b", "chosen")], on: relay("chosen"))
        await bench.account.keyDidUnlock()
        let drafts = try #require(bench.account.drafts)
        #expect(try await drafts.relays().searched == [relay("popular")])
        try await drafts.search([])
        #expect(try await drafts.relays().searched == [])
        try await bench.running {
            try await bench.eventually("own relays were asked") {
                bench.network.questions.contains { $0.filters.contains { $0.kinds == [31_234] } }
            }
            #expect(
                !bench.network.questions.contains { question in
                    question.relay == relay("popular") && question.filters.contains { $0.kinds == [31_234] }
                })
            try await drafts.search([relay("chosen"), relay("chosen")])
            try await bench.eventually("the chosen one is asked") { try await drafts.drafts().map(\.id) == ["b"] }
        }
        for filter in bench.network.questions.flatMap(\.filters) where [[31_234], [1234]].contains(filter.kinds) {
            #expect(filter.limit == 200)
        }
    }

    // MARK: Where drafts go

    @Test("relays the account writes on are offered where they ask who reads, and hold what was here once taken")
    func offered() async throws {
        let bench = AccountBench()
        let tags: [NostrCore.Tag] = [["r", "wss://open.example"], ["r", "wss://asking.example", "write"]]
        _ = await bench.store.save([alice.event(kind: 10_002, tags: tags, at: seconds(-9))], from: nil)
        for name in ["open", "asking"] {
            var statistics = RelayStatistics()
            statistics.authenticates = name == "asking"
            bench.network.setStatistics(statistics, of: relay(name))
        }
        await bench.account.keyDidUnlock()
        let drafts = try #require(bench.account.drafts)
        let before = try await drafts.saveDraft(Composition(text: "first thought"), id: nil)
        #expect(
            try await drafts.relays()
                == DraftRelays(kept: [], offered: [relay("asking")], isDeclined: false, searched: []))
        try await drafts.keepHere()
        #expect(try await drafts.relays().isDeclined)
        #expect(await bench.store.query([Filter(kinds: [10_013, 31_234])]).isEmpty)
        try await drafts.keep(on: [relay("asking")])
        #expect(try await drafts.relays().kept == [relay("asking")])
        #expect(try await !drafts.relays().isDeclined)
        let list = try #require(await bench.store.query([Filter(kinds: [10_013])]).first)
        #expect(!list.tags.contains { $0.name == "relay" } && !list.content.isEmpty)
        let wrap = try #require(await bench.store.query([Filter(kinds: [31_234])]).first)
        #expect(wrap.tags.firstValue("d") == before.id)
        #expect(try await bench.account.publishing.receipts(for: wrap.id).map(\.relay) == [relay("asking")])
    }

    @Test("a relay that is typed to be searched is the person's choice, and is told of where it cannot be reached")
    func typed() async throws {
        let bench = AccountBench { $0.draftRelays = [relay("popular")] }
        let near = try RelayURL("ws://192.168.1.5:7777")
        bench.network.put([try await wisp("a", "there")], on: near)
        bench.network.set(near, .dead)
        bench.network.set(relay("popular"), .dead)
        await bench.account.keyDidUnlock()
        let drafts = try #require(bench.account.drafts)
        let gossip = bench.account.services.gossip
        #expect(!gossip.isChosen(near))
        try await bench.running {
            try await drafts.search([near])
            try await bench.eventually("it is told, and is the person's choice") {
                guard gossip.isChosen(near) else { return false }
                return try await drafts.relays().unreached == [near: .failed(.refused)]
            }
            bench.network.set(near, .answers)
            try await drafts.search([near])
            try await bench.eventually("it is asked once more") { try await drafts.drafts().map(\.id) == ["a"] }
            #expect(try await drafts.relays().unreached.isEmpty)
            #expect(!gossip.isChosen(relay("popular")))
            try await drafts.search([])
            try await bench.eventually("it is their choice no longer") { !gossip.isChosen(near) }
        }
    }

    @Test("relays typed to be searched are the person's choice after a restart, too")
    func typedBefore() async throws {
        let records = MemoryRecordStore()
        let near = try RelayURL("ws://192.168.1.5:7777")
        let before = AccountBench(records: records)
        await before.account.keyDidUnlock()
        try await before.account.drafts?.search([near])
        let bench = AccountBench(records: records)
        await bench.account.keyDidUnlock()
        try await bench.running {
            try await bench.eventually("it is known") { bench.account.services.gossip.isChosen(near) }
        }
    }

    @Test("a relay for private content stands in the private part, however it is put there")
    func alwaysPrivate() async throws {
        await bench.account.keyDidUnlock()
        let lists = try #require(bench.account.lists)
        _ = try await lists.change(.privateRelays, identifier: "", .add(.relay(relay("asking")), isPrivate: false))
        let list = try await lists.list(.privateRelays, identifier: "")
        #expect(list.publicItems.isEmpty && list.privateItems == [.relay(relay("asking"))])
    }

    // MARK: Earlier states and other kinds

    @Test("earlier states that a program kept can be read, and go with the draft")
    func checkpoints() async throws {
        let drafts = try await lists()
        let address = "31234:\(alice.publicKey.hex):a"
        let states = try await [(1, "one"), (2, "one, two")].asyncMap { number, text in
            alice.event(
                try await sealed(#"{"kind":1,"content":"\#(text)"}"#), kind: 1234, tags: [["a", address]],
                at: seconds(-100 + Int64(number)))
        }
        _ = await bench.store.save(states + [try await wisp("a", "one, two, three")], from: nil)
        #expect(try await drafts.drafts().map(\.hasCheckpoints) == [true])
        #expect(try await drafts.checkpoints(of: "a").map(\.composition.text) == ["one, two", "one"])
        #expect(try await drafts.checkpoints(of: "b").isEmpty)
        try await drafts.deleteDraft("a")
        let request = try #require(await bench.store.query([Filter(kinds: [5])]).first)
        for state in states { #expect(request.tags.contains(["e", state.id.hex])) }
    }

    @Test(
        "drafts of pictures, polls, comments and messages are told apart",
        arguments: [20, 1068, 9, 14, 1111] as [UInt16])
    func kinds(number: UInt16) async throws {
        let drafts = try await lists()
        let text = #"{"kind":\#(number),"content":"words","tags":[["p","\#(alice.publicKey.hex)"]]}"#
        _ = await bench.store.save(
            [
                alice.event(
                    try await sealed(text), kind: 31_234, tags: [["d", "a"], ["k", "\(number)"]], at: seconds(-20))
            ], from: nil)
        let draft = try #require(try await drafts.drafts().first)
        #expect(draft.kind == Kind(number) && draft.composition.text == "words")
        #expect(draft.isEditable == (number == 1111))
    }
}

extension Sequence {
    /// The results of a transformation that waits, in order.
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
