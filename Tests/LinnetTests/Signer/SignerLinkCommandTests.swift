import Foundation
import Logging
import NostrCore
import NostrSigner
import NostrTesting
import Synchronization
import Testing

@testable import linnet

@Suite("The command line: signer links", .timeLimit(.minutes(10)))
struct SignerLinkCommandTests {
    private let broken = "nostrsigner://sign_event?event=5&x-success=myapp%3A%2F%2Fok&x-error=myapp%3A%2F%2Ferr&id=1"

    @Test("hands a link to the running program and opens, or prints, the answer")
    func handsOver() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "l\(UInt32.random(in: 0...UInt32.max))")
        let directory = DataDirectory(path: home.path)
        try directory.prepare()
        defer { try? FileManager.default.removeItem(at: home) }
        await #expect(throws: ControlClient.NotRunning.self) {
            try await LinkDelivery(
                client: ControlClient(directory: directory), prints: false, urls: Opened(), folder: home.path
            ).hand(
                broken)
        }
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await ControlServer.bind(directory, log: log)
        let desk = SignerLinkHandler(accounts: Nobody(), name: "linnet", now: { .current })
        let links = LinkOrders(links: OpenLinks(desk, now: { .current }), page: { _ in nil })
        let orders = SignerControl(signers: Nobody(), now: { .current }, links: links)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run { try await orders.perform($0, $1) } }
            let opened = Opened()
            let delivery = LinkDelivery(
                client: ControlClient(directory: directory), prints: false, urls: opened, folder: home.path)
            try await delivery.hand(broken)
            #expect(
                await opened.urls == [
                    "myapp://err?code=invalid_request&reason=event%20is%20not%20a%20JSON%20object&id=1"
                ])
            await #expect(throws: CommandFailure.self) {
                try await delivery.hand("nostrsigner://get_public_key?x-success=myapp%3A%2F%2Fok")
            }
            let run = try Program.run(["sign-url", "--print", "--data", directory.path, "-"], input: broken + "\n")
            #expect(run.line.hasPrefix("myapp://err?code=invalid_request"))
            #expect(run.status == 1 && run.errors.contains("event is not a JSON object."))
            group.cancelAll()
        }
    }

    @Test("says what is no link, and that nothing runs")
    func refusals() throws {
        let nothing = FileManager.default.temporaryDirectory.appending(path: "none").path
        for (link, words) in [("https://example.com", "not a signer link"), (broken, "Nothing runs here")] {
            let run = try Program.run(["sign-url", "--data", nothing, link])
            #expect(run.status == 1 && run.errors.contains(words))
        }
    }

    @Test("what the program says of a link is read back")
    func replies() {
        let replies: [LinkReply] = [
            .asks(id: "a", page: nil), .asks(id: "a", page: "http://x/?a=\"b\""),
            .answered(open: "myapp://ok", copy: nil, problem: nil), .answered(open: nil, copy: "é\n", problem: "no"),
            .offered("other://err", problem: "no"),
        ]
        for reply in replies { #expect(LinkReply(json: reply.json) == reply) }
        for text in ["", "{}", "[]", "5"] { #expect(LinkReply(json: text) == nil) }
    }

    @Test("prints the entry for the desktop, quoted as it must be")
    func entry() throws {
        let run = try Program.run(["signer", "install-handler", "--print", "--demo", "--data", "/a b/$c%"])
        #expect(run.status == 0)
        #expect(run.output.contains(#"sign-url --demo --data "/a b/\\$c%%" %u"#))
        #expect(run.output.contains("MimeType=x-scheme-handler/nostrsigner;x-scheme-handler/linnet-signer;\n"))
        #expect(run.output.contains(#"open --demo --data "/a b/\\$c%%" %u"#))
        #expect(run.output.contains("x-scheme-handler/nostr;x-scheme-handler/bunker;x-scheme-handler/nostrconnect;"))
        #expect(run.output.contains("x-scheme-handler/web+lightning;"))
        #expect(run.output.contains("x-scheme-handler/linnet-answer;x-scheme-handler/lightning;\n"))
        let mac = MacLinkApplication(
            folder: "/a", signing: ["/x y/linnet", "sign-url"], opening: ["/x y/linnet", "open"])
        #expect(mac.script.contains("set theCommand to \"'/x y/linnet' 'sign-url' -\""))
        #expect(mac.declarations.contains("Add :CFBundleURLTypes:0:CFBundleURLSchemes: string nostr"))
        #expect(mac.declarations.contains("Add :CFBundleURLTypes:0:CFBundleURLSchemes: string lightning"))
        let cases = [
            ("/usr/bin/x-y_z.1", "/usr/bin/x-y_z.1"), ("", "\"\""), ("a\"b", "\"a\\\\\"b\""), ("a\\", "\"a\\\\\\\\\""),
        ]
        for (argument, written) in cases { #expect(DesktopHandler.quoted(argument) == written) }
    }

    @Test("takes only itself out of the person's choices")
    func choices() {
        let own = DesktopHandler.Links.signer.name
        let cases: [(Substring, String?)] = [
            ("[Default Applications]", "[Default Applications]"), ("x-scheme-handler/nostrsigner=\(own)", nil),
            ("x-scheme-handler/nostrsigner=\(own);", nil),
            ("x-scheme-handler/nostrsigner=\(own);other.desktop;", "x-scheme-handler/nostrsigner=other.desktop;"),
            ("text/html=\(own);", "text/html=\(own);"), ("", ""),
        ]
        for (line, kept) in cases { #expect(DesktopHandler.without(own, line) == kept) }
    }
}

private actor Opened: URLOpening {
    private(set) var urls: [String] = []

    func open(_ url: String) { urls.append(url) }
    func canOpen(_ url: String) -> Bool { true }
}

private struct Nobody: LinkAccounts, SignersAtWork {
    func accounts() -> [PublicKey] { [] }
    func signer(of account: PublicKey) -> (any SigningService)? { nil }
    func signersAtWork() -> [any SigningService] { [] }
}
