import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
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
        let media = #"{"kind":1,"content":"picture","tags":[["imeta","url https://x.example"]]}"#
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
}
