import Foundation
import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// Single events of MDK 0.8.0, whose groups' secrets nobody kept.
@Suite("Samples of MDK 0.8.0") struct SampleTests {
    private static let folder = "marmot/samples"

    private static func event(_ name: String) throws -> Event {
        try Event(verifying: UnverifiedEvent(json: Array(Vectors.data("\(folder)/\(name).json"))))
    }

    @Test(
        "key packages are read, as 30443 and as 443", .enabled(if: Vectors.hold(folder), Capture.reason),
        arguments: ["01-keypackage-30443", "02-keypackage-443-legacy", "09-keypackage-30443-carol"])
    func keyPackages(name: String) throws {
        let event = try Self.event(name)
        let package = try GenerationB().keyPackage(in: event, now: event.createdAt)
        #expect(package.keyPackage.encoded == Base64.decode(event.content))
        #expect(package.relays.map(\.text) == ["wss://relay.example.com"])
    }

    @Test("a Welcome names the key package it is for", .enabled(if: Vectors.hold(folder), Capture.reason))
    func welcome() throws {
        let event = try Self.event("09-keypackage-30443-carol")
        let package = try GenerationB().keyPackage(in: event, now: event.createdAt)
        let rumor = try WelcomeRumor(Rumor(json: Vectors.text("\(Self.folder)/11-welcome-rumor-444-carol.json")))
        #expect(rumor.keyPackageEvent == package.eventID && rumor.welcome.newMembers == [package.reference])
    }

    @Test(
        "events of a group have the form that is read", .enabled(if: Vectors.hold(folder), Capture.reason),
        arguments: [
            "06-445-app-alice", "08-445-app-bob-with-expiration", "10-445-commit-add-carol",
            "12-445-commit-selfupdate-bob", "13-445-commit-groupdata-alice", "14-race-a", "14-race-b",
            "15-445-proposal-leave-carol", "16-445-autocommit-alice", "16-445-autocommit-bob",
            "18-445-commit-remove-bob",
        ])
    func events(name: String) throws {
        let event = try Self.event(name)
        let group = try GenerationB.groupID(of: event)
        #expect(group.hex == "364a6c19ba696e05f81ec25c24267cdabe689d61d3f2f18ea0f0943a3f8b6506")
        // Another group's keys open none of them, and say so.
        var keyring = try Circle.open().alice.keyring
        refuses(.wrongGroup) { _ = try GenerationB().open(event, with: keyring, now: event.createdAt) }
        var data = try Circle.data()
        data.nostrGroupID = group
        keyring = EpochKeyring(try EpochKeys(of: Circle.open().alice.mls, data))
        refuses(.undecryptable) { _ = try GenerationB().open(event, with: keyring, now: event.createdAt) }
    }

    @Test("of two commits that raced, all choose the same", .enabled(if: Vectors.hold(folder), Capture.reason))
    func race() throws {
        let (a, b) = (try Self.event("14-race-a"), try Self.event("14-race-b"))
        #expect(a.createdAt == b.createdAt)
        // 3047… is lower than 3447….
        #expect(GenerationB().prefers(RivalCommit(b), to: RivalCommit(a)))
        #expect(!GenerationB().prefers(RivalCommit(a), to: RivalCommit(b)))
    }

    @Test("a file's tag is read and written the same", .enabled(if: Vectors.hold(folder), Capture.reason))
    func media() throws {
        struct Sample: Decodable { let imeta: [[String]] }
        let tags = try Vectors.decode(Sample.self, from: "\(Self.folder)/17-media-imeta.json").imeta
        for tag in tags.map({ NostrCore.Tag($0) }) { #expect(try MediaReference(tag)?.tag == tag) }
        #expect(tags.count == 1)
    }
}
