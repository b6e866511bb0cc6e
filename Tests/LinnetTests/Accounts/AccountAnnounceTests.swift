import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

/// A key that is made in a terminal, and how others find it.
@Suite("a new account by name", .timeLimit(.minutes(10)))
struct AccountAnnounceTests {
    @Test("a key made in a terminal sends nothing, says which verb does, and that verb publishes list and name at once")
    func announce() throws {
        let (relayHome, home) = (try AccountHome(), try AccountHome())
        let relay = try RunningProgram(["relay", "--port", "0", "--data", relayHome.directory.path])
        let address = String(relay.line().dropFirst("relay ".count))
        let environment = [
            "LINNET_DATA": home.directory.path, "LINNET_PASSWORD": "correct horse", "LINNET_INDEXERS": address,
        ]
        func run(_ arguments: String...) throws -> Program.Result {
            try Program.run(arguments, environment: environment)
        }
        let added = try run("account", "add", "--generate", "--name", "Ada Quince")
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.errors.contains("linnet account announce"), "\(added.errors)")
        let npub = try #require(try object(added.line)["npub"]?.string)
        func held() throws -> [JSONValue] {
            let export = try Program.run(["export", "--data", relayHome.directory.path, "--author", npub])
            return try export.output.split(separator: "\n").map { try object(String($0)) }
        }
        #expect(try held().isEmpty)
        // A second time it says the same, and publishes nothing anew.
        for _ in 0..<2 {
            let announced = try run("account", "announce")
            #expect(announced.status == 0, "\(announced.errors)")
            let events = try announced.output.split(separator: "\n").map { try object(String($0)) }
            #expect(events.map { $0["kind"] } == [.number("10002"), .number("0")])
            #expect(events.last?["content"]?.string?.contains("Ada Quince") == true)
            let there = try held()
            for event in events { #expect(there.contains { $0["id"] == event["id"] }) }
            #expect(there.count { $0["kind"] == .number("10002") } == 1)
        }
        withExtendedLifetime(relay) {}
    }

    @Test("while another Linnet runs the key is kept, and it says what to do")
    func heldDirectory() throws {
        let home = try AccountHome()
        let lock = try DirectoryLock(home.directory)
        let added = try Program.run(
            ["account", "add", "--generate"],
            environment: ["LINNET_DATA": home.directory.path, "LINNET_PASSWORD": "correct horse"])
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.errors.contains("relays page") && added.errors.contains("linnet account announce"))
        _ = lock
    }
}
