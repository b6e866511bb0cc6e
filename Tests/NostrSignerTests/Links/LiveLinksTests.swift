import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("Links asked of the signer itself", .timeLimit(.minutes(10)))
struct LiveLinksTests {
    /// One account.
    private struct One: LinkAccounts {
        let service: any SigningService

        func accounts() -> [PublicKey] { [service.account] }
        func signer(of account: PublicKey) -> (any SigningService)? { account == service.account ? service : nil }
    }

    /// Hands links in, lets a person decide each, and tells where the answers went.
    private func outcomes(
        of texts: [String], decide: @escaping @Sendable (LiveSigner, WaitingRequest) async throws -> Void
    ) async throws -> [LinkOutcome] {
        try await SignerRig().running { rig in
            let links = OpenLinks(
                SignerLinkHandler(accounts: One(service: rig.live), name: "linnet", now: { rig.moment.now }),
                now: { rig.moment.now })
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await links.run() }
                defer { group.cancelAll() }
                var outcomes: [LinkOutcome] = []
                for text in texts {
                    var changes = await rig.live.changes().makeAsyncIterator()
                    let link = await links.open(text)
                    let event = try #require(link.request?.event)
                    while try await !rig.live.waiting().contains(where: { $0.id == event }) {
                        guard await changes.next() != nil else { break }
                    }
                    let request = try #require(try await rig.live.waiting().first(where: { $0.id == event }))
                    try await decide(rig.live, request)
                    var outcome = await links.outcome(of: link.id).makeAsyncIterator()
                    let answer = try #require(await outcome.next())
                    outcomes.append(answer)
                }
                return outcomes
            }
        }
    }

    private func link(_ rest: String) -> String {
        "nostrsigner://\(rest)&x-success=myapp%3A%2F%2Fok&x-error=myapp%3A%2F%2Ferr"
    }

    @Test("an app that is not known is asked about, paired by a yes, and asked about again")
    func asks() async throws {
        let event = PercentEncoding.encode(#"{"kind":1,"content":"hello","tags":[],"created_at":5}"#)
        let texts = ["1", "2"].map { link("sign_event?event=\(event)&id=\($0)") }
        let outcomes = try await outcomes(of: texts) {
            live, request in
            #expect(request.client.app == .link("myapp:"))
            #expect(request.client.trust == .low)
            guard case .sign(let draft, _) = request.content else {
                Issue.record("\(request.content)")
                return
            }
            #expect(draft.content == "hello")
            _ = try await live.decide([request.id], .once(allow: true), knowingLoss: false)
        }
        for outcome in outcomes {
            guard case .open(let url) = outcome.delivery else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(url.hasPrefix("myapp://ok?result="))
        }
    }

    @Test("a private zap is read, and a no goes back")
    func zapAndRefusal() async throws {
        var random = SeededRandom(seed: 1)
        let draft = EventDraft(
            kind: 9734, tags: [["p", TestPerson.alice.publicKey.hex]], content: "well said",
            createdAt: Timestamp(seconds: 5))
        let zap = try PrivateZap.request(draft, by: TestPerson.bob.secretKey, using: &random)
        let json = PercentEncoding.encode(String(decoding: zap.json, as: UTF8.self))
        let read = try await outcomes(of: [link("decrypt_zap_event?event=\(json)")]) { live, request in
            #expect(request.content == .decryptZap(zap.id))
            _ = try await live.decide([request.id], .once(allow: true), knowingLoss: false)
        }
        guard case .open(let url)? = read.first?.delivery else {
            Issue.record("\(read)")
            return
        }
        #expect(url.contains("well%20said"))
        let refused = try await outcomes(of: [link("get_public_key?id=1")]) { live, request in
            _ = try await live.decide([request.id], .once(allow: false), knowingLoss: false)
        }
        #expect(refused.first?.error?.code == .userCancelled)
    }
}
