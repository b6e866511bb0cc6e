import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing
import ViewModels

@testable import linnet

@Suite("Settings of accounts on the disk", .timeLimit(.minutes(5)))
struct AccountSettingsTests {
    private static let passphrase = "correct horse"
    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func settings(_ host: AccountHost, _ home: AccountHome) throws -> AccountSettings {
        let program = SettingsRecords(records: try SQLiteRecordStore(path: home.directory.program), log: log)
        return AccountSettings(host: host, program: program, log: log)
    }

    @Test("begin with what was chosen for all before, are each account's own, and are there after a restart")
    func kept() async throws {
        let home = try AccountHome()
        let before = try SQLiteRecordStore(path: home.directory.program)
        try await before.put(
            Array(#"{"theme":"dark","remoteMedia":"never","placeSource":{"geoClue":{}}}"#.utf8), for: "face",
            in: "settings")
        let host = home.host(try home.store())
        let ana = try await host.create(name: "", passphrase: Self.passphrase).publicKey
        let ben = try await host.create(name: "", passphrase: Self.passphrase).publicKey
        let first = PersonalSettings(look: Look(scheme: .dark), remoteMedia: .never, placeSource: .geoClue)
        let settings = try Self.settings(host, home)
        #expect(await settings.settings(of: ana) == first)
        var chosen = first
        chosen.look.theme = .nord
        chosen.placeSource = nil
        try await settings.keep(chosen, of: ana)

        let later = home.host(try home.store())
        _ = try await later.open(ana)
        _ = try await later.open(ben)
        let again = try Self.settings(later, home)
        #expect(await again.settings(of: ana) == chosen)
        #expect(await again.settings(of: ben) == first)
    }

    @Test(
        "the media server that an earlier version kept with them is used on, once; none stays none",
        arguments: [("https://media.example", ["https://media.example"]), ("", [])])
    func mediaServer(kept: String, used: [String]) async throws {
        let home = try AccountHome()
        let ana = try await home.host(try home.store()).create(name: "", passphrase: Self.passphrase).publicKey
        let records = try SQLiteRecordStore(path: home.directory.account(ana.hex))
        try await records.put(
            Array(#"{"remoteMedia":"never","mediaServer":"\#(kept)"}"#.utf8), for: "face", in: "settings")
        let host = home.host(try home.store(), media: MediaOfTheWeb())
        let files = try #require(try await host.open(ana).files)
        #expect(try await files.servers().usual.map { $0.address } == used)
        // What is chosen now is not taken back by the next start.
        let other = try #require(MediaServer("https://other.example"))
        try await files.keepUsual([other])
        let later = try #require(try await home.host(try home.store(), media: MediaOfTheWeb()).open(ana).files)
        #expect(try await later.servers().usual == [other])
    }

    @Test("of the whole program that cannot be read are not replaced by allowing a relay")
    func unreadable() async throws {
        let home = try AccountHome()
        let records = try SQLiteRecordStore(path: home.directory.program)
        try await records.put(Array("{".utf8), for: "face", in: "settings")
        let settings = SettingsRecords(records: records, log: Self.log)
        #expect(await settings.settings() == Settings())
        await #expect(throws: Trouble(SettingsWords.unreadable)) {
            try await AllowedRelays(settings).set("ws://192.168.1.5:7777", true)
        }
        let kept = try await records.value("face", in: "settings")
        #expect(kept == Array("{".utf8))
        try await records.put(Array("{}".utf8), for: "face", in: "settings")
        _ = try await AllowedRelays(settings).set("ws://192.168.1.5:7777", true)
        #expect(await settings.settings().allowedRelays == ["ws://192.168.1.5:7777"])
    }

    @Test("that cannot be read load nothing from elsewhere; those of an account that is not here are not kept")
    func broken() async throws {
        let home = try AccountHome()
        let host = home.host(try home.store())
        let ana = try await host.create(name: "", passphrase: Self.passphrase).publicKey
        let settings = try Self.settings(host, home)
        let records = try SQLiteRecordStore(path: home.directory.account(ana.hex))
        try await records.put(Array("{".utf8), for: "face", in: "settings")
        #expect(await settings.settings(of: ana) == PersonalSettings(remoteMedia: .never))
        await #expect(throws: Trouble.self) {
            try await settings.keep(PersonalSettings(), of: TestPerson.carol.publicKey)
        }
    }
}
