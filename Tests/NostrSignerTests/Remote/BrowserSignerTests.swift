import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("Signing with a key in a browser", .timeLimit(.minutes(10)))
struct BrowserSignerTests {
    private let draft = EventDraft(kind: 1, content: "hi", createdAt: Timestamp(seconds: 1_700_000_000))
    private let key = LocalSigner(TestPerson.alice.secretKey)

    private func bench() throws -> (BrowserSigner, RemoteBench) {
        let bench = try RemoteBench()
        return (BrowserSigner(TestPerson.alice.publicKey, time: bench.time), bench)
    }

    /// A page that answers until cancelled.
    private func page(_ signer: BrowserSigner, _ answer: @Sendable (BrowserRequest) async -> BrowserAnswer) async {
        while !Task.isCancelled {
            for request in await signer.requests(for: "page") { signer.answer(request.id, await answer(request)) }
        }
    }

    private func honest(_ request: BrowserRequest) async -> BrowserAnswer {
        let (first, second) = (request.parameters.first ?? "", request.parameters.last ?? "")
        do {
            switch request.method {
            case .signEvent:
                let event = try JSONValue(Array(first.utf8))
                let draft = EventDraft(
                    kind: Kind(UInt16(event["kind"]?.integer ?? 0)), tags: [], content: event["content"]?.string ?? "",
                    createdAt: Timestamp(seconds: event["created_at"]?.integer ?? 0))
                return .result(String(decoding: try await key.sign(draft).unverified.json, as: UTF8.self))
            case .nip44Encrypt:
                return .result(try await key.encrypt(second, for: try PublicKey(hex: first), by: .nip44))
            case .nip44Decrypt:
                return .result(try await key.decrypt(second, from: try PublicKey(hex: first), by: .nip44))
            default: return .cannot
            }
        } catch {
            return .failure("it failed")
        }
    }

    private func served(
        _ signer: BrowserSigner, by answer: @escaping @Sendable (BrowserRequest) async -> BrowserAnswer,
        _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await page(signer, answer) }
            defer { group.cancelAll() }
            try await body()
        }
    }

    @Test("an open page signs, encrypts and decrypts")
    func signs() async throws {
        let (signer, _) = try bench()
        try await served(signer, by: honest) {
            let event = try await signer.sign(draft)
            #expect(event.content == "hi")
            let payload = try await signer.encrypt("x", for: TestPerson.bob.publicKey, by: .nip44)
            #expect(try await signer.decrypt(payload, from: TestPerson.bob.publicKey, by: .nip44) == "x")
            await #expect(throws: SigningFailure.cannotEncrypt) {
                try await signer.encrypt("x", for: TestPerson.bob.publicKey, by: .nip04)
            }
            #expect(signer.isPageOpen)
        }
    }

    @Test("what is not what was asked for is refused", arguments: ["", "{}", "other"])
    func wrong(how: String) async throws {
        let (signer, _) = try bench()
        let other = String(decoding: TestPerson.alice.event("other").unverified.json, as: UTF8.self)
        try await served(signer) { _ in
            .result(how == "other" ? other : how)
        } _: {
            await #expect(throws: SigningFailure.wrongAnswer) { try await signer.sign(draft) }
        }
    }

    @Test("a refusal is told in the extension's words")
    func refused() async throws {
        let (signer, _) = try bench()
        try await served(signer) { _ in
            .failure("user\n said no")
        } _: {
            await #expect(throws: SigningFailure.said("user said no")) { try await signer.sign(draft) }
        }
    }

    @Test("without a page it ends with a name, and a page that never answers with another")
    func nobody() async throws {
        let (signer, bench) = try bench()
        let draft = draft
        let alone = await bench.advancing { await Result { try await signer.sign(draft) } }
        #expect(throws: SigningFailure.noPage) { try alone.get() }
        _ = await bench.advancing { await signer.requests(for: "page") }
        let silent = await bench.advancing { await Result { try await signer.sign(draft) } }
        #expect(throws: SigningFailure.timedOut) { try silent.get() }
    }

    @Test("each request goes to one page, and to another when that one closes")
    func onePage() async throws {
        let (signer, bench) = try bench()
        let draft = draft
        async let event = signer.sign(draft)
        await bench.clock.waitForSleepers()
        let first = await signer.requests(for: "one")
        #expect(await bench.advancing { await signer.requests(for: "two") }.isEmpty)
        signer.leave("one")
        let again = await signer.requests(for: "two")
        #expect(again == first)
        for request in again { signer.answer(request.id, await honest(request)) }
        let signed = try await event
        #expect(signed.content == "hi")
        signer.answer("nothing", .result("x"))
    }

    @Test("what a closed page asked last takes nothing from the page that is open")
    func closedPageStillAsks() async throws {
        let (signer, bench) = try bench()
        let draft = draft
        async let event = signer.sign(draft)
        await bench.clock.waitForSleepers()
        let first = await signer.requests(for: "closing")
        // As when the browser has gone, and the server has not noticed: one wait goes on, one comes late.
        let lingering = Task { await signer.requests(for: "closing") }
        await bench.clock.waitForSleepers(2)
        signer.leave("closing")
        let late = Task { await signer.requests(for: "closing") }
        let again = await signer.requests(for: "open")
        #expect(again == first)
        for request in again { signer.answer(request.id, await honest(request)) }
        #expect(try await event.content == "hi")
        let none = await bench.advancing { await lingering.value + late.value }
        #expect(none.isEmpty)
    }

    @Test("locked, it refuses what waits and what comes")
    func locks() async throws {
        let (signer, _) = try bench()
        try await served(signer) { _ in
            signer.lock()
            return .result("x")
        } _: {
            await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
            await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
        }
    }
}
