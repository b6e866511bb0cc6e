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

    @Test("drafts are kept, go to the relays for private content once they are named, and are deleted")
    func drafts() async throws {
        try await withCommandPeople(1) { people in
            let person = people[0]
            let saved = try person.run(["draft", "save", "-"], input: "half a thought\r\n")
            #expect(saved.status == 0, "\(saved.errors)")
            let id = try #require(try object(saved.line)["id"]?.string)
            #expect(try object(saved.line)["content"]?.string == "half a thought")
            let own = try #require(try object(person.run(["draft", "relays"]).line)["relays"])
            #expect(own.elements.isEmpty)
            let named = try person.run(["draft", "relays", person.relay])
            #expect(named.status == 0, "\(named.errors)")
            let list = try person.run(["list", "show", "draft-relays"])
            #expect(try object(list.line)["private"]?.elements.count == 1, "\(list.errors)")
            #expect(try object(list.line)["public"]?.elements.isEmpty == true)
            #expect(try object(person.run(["draft", "list", "--wait", "0"]).line)["id"]?.string == id)
            #expect(try person.run(["draft", "search", "--none"]).status == 0)
            #expect(try person.run(["draft", "delete", id]).status == 0)
            #expect(try person.run(["draft", "list", "--offline"]).output.isEmpty)
            let gone = try person.run(["draft", "delete", id])
            #expect(gone.status == 1 && gone.errors.contains("There is no draft"), "\(gone.errors)")
            #expect(try person.run(["draft", "save", " "]).errors == "Error: There is nothing to keep yet.\n")
            #expect(try person.run(["draft", "search"]).status == 64)
            #expect(try person.run(["draft", "relays", "--here", person.relay]).status == 64)
        }
    }

    @Test("earlier states of a draft that another program kept are printed, the last one first")
    func earlierDrafts() async throws {
        let (person, relay) = (LocalSigner.generate(), "ws://127.0.0.1:9")
        let somebody = try await CommandPerson(relay: relay, signer: person)
        defer { somebody.forget() }
        let now = Timestamp.current
        func sealed(_ text: String, kind: Kind, tags: [NostrCore.Tag], age: Int64) async throws -> String {
            let moment = Timestamp(seconds: now.seconds - age)
            let inner = UnsignedDraft(EventDraft(kind: 1, content: text, createdAt: moment), author: person.publicKey)
            let payload = try await person.encrypt(inner.json, for: person.publicKey, by: .nip44)
            let event = try await person.sign(
                EventDraft(kind: kind, tags: tags + [["k", "1"]], content: payload, createdAt: moment))
            return String(decoding: event.json, as: UTF8.self)
        }
        let address: NostrCore.Tag = ["a", "31234:\(person.publicKey.hex):thought"]
        let lines = [
            try await sealed("a whole thought", kind: DraftWrap.kind, tags: [["d", "thought"]], age: 10),
            try await sealed("half a thought", kind: DraftWrap.checkpointKind, tags: [address], age: 20),
            try await sealed("a quarter of one", kind: DraftWrap.checkpointKind, tags: [address], age: 30),
            try await sealed(
                "of another draft", kind: DraftWrap.checkpointKind,
                tags: [["a", "31234:\(person.publicKey.hex):other"]], age: 5),
        ]
        let imported = try somebody.run(["import", "-"], input: lines.joined(separator: "\n") + "\n")
        #expect(imported.status == 0, "\(imported.errors)")
        let earlier = try somebody.run(["draft", "earlier", "thought"])
        let texts = try earlier.output.split(separator: "\n").map { try object(String($0))["content"]?.string }
        #expect(texts == ["half a thought", "a quarter of one"], "\(earlier.errors)")
        #expect(try somebody.run(["draft", "earlier", "nothing"]).output.isEmpty)
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
