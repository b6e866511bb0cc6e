import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import Testing

@testable import linnet

@Suite("linnet dm and list, over a real relay")
struct PrivateMessageCommandTests {
    @Test("a message goes to a group and is read by everybody, and nothing of it is in the clear at the relay")
    func group() async throws {
        try await withCommandPeople(3) { people in
            let sent = try people[0].run(
                ["dm", "send", "--to", people[1].key.npub, "--to", people[2].key.hex, "--subject", "Picnic", "-"],
                input: "Sunday at the weir?\n")
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(try object(sent.line)["recipients"]?.elements.count == 3)
            for reader in [people[1], people[2], people[0]] {
                let others = people.filter { $0.key != reader.key }.map(\.key.npub)
                let read = try reader.run(["dm", "read"] + others)
                #expect(try object(read.line)["content"]?.string == "Sunday at the weir?", "\(read.errors)")
                #expect(try object(read.line)["pubkey"]?.string == people[0].key.hex)
            }
            let conversations = try people[1].run(["dm", "list", "--requests", "--offline"])
            #expect(try object(conversations.line)["subject"]?.string == "Picnic")
        }
    }

    @Test("a message to somebody who has no inbox and no relays stays queued, and the command says so")
    func unreachable() async throws {
        try await withCommandPeople(1) { people in
            let stranger = LocalSigner.generate().publicKey
            let sent = try people[0].run(["dm", "send", "--wait", "1", "--to", stranger.npub, "anybody there?"])
            #expect(sent.status == 1)
            #expect(sent.errors.contains("stays queued"))
        }
    }

    @Test("a private bookmark is readable by its owner only, and is taken off again")
    func lists() async throws {
        try await withCommandPeople(1) { people in
            let added = try people[0].run(["list", "add", "mutes", "--private", "-"], input: "Giveaway\n")
            #expect(added.status == 0, "\(added.errors)")
            #expect(!added.output.contains("giveaway"))
            let shown = try people[0].run(["list", "show", "mutes"])
            #expect(shown.output.contains(#"["word","giveaway"]"#), "\(shown.errors)")
            #expect(try people[0].run(["list", "remove", "mutes", "giveaway"]).status == 0)
            #expect(try !people[0].run(["list", "show", "mutes"]).output.contains("giveaway"))
        }
    }
}
