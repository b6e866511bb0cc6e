import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

/// `linnet relays`, as a person uses it.
@Suite("relays by name", .timeLimit(.minutes(10)))
struct RelaysCommandTests {
    @Test("a list is begun, added to, marked and taken from; what is no relay changes nothing")
    func wholeWay() async throws {
        // A second relay that answers: a list is changed only when enough of one's relays gave the newest.
        let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(["relay", "--port", "0", "--data", data])
        let second = String(program.line().dropFirst("relay ".count))
        try await withCommandPeople(1) { people in
            let person = people[0]
            func shown() throws -> [String] {
                let result = try person.run(["relays"])
                #expect(result.status == 0, "\(result.errors)")
                return try result.output.split(separator: "\n").map { line in
                    let row = try object(String(line))
                    let uses = ["read", "write"].filter { row[$0] == .bool(true) }
                    return ([row["relay"]?.string ?? ""] + uses + [row["published"] == .bool(true) ? "!" : ""])
                        .joined(separator: " ")
                }
            }
            #expect(try shown() == ["\(person.relay) read write "])
            let begun = try person.run(["relays", "publish"])
            #expect(begun.status == 0, "\(begun.errors)")
            #expect(try object(begun.line)["kind"] == .number("10002"))
            #expect(try person.run(["relays", "publish"]).output.isEmpty)
            #expect(try shown() == ["\(person.relay) read write !"])

            #expect(try person.run(["relays", "add", second, "--for", "read"]).status == 0)
            let marked = try person.run(["relays", "mark", "write", second])
            #expect(marked.status == 0, "\(marked.errors)")
            #expect(try shown() == ["\(person.relay) read write !", "\(second) write !"])
            #expect(try person.run(["relays", "remove", second]).status == 0)
            #expect(try shown() == ["\(person.relay) read write !"])

            let nonsense = try person.run(["relays", "add", "two.example"])
            #expect(nonsense.status != 0)
            #expect(nonsense.errors.contains("wss://"))
            #expect(try shown() == ["\(person.relay) read write !"])
        }
    }

    @Test("other lists of relays are shown, added to and taken from, each where it belongs")
    func otherLists() async throws {
        try await withCommandPeople(1) { people in
            let person = people[0]
            let relay = "wss://far.example"
            for list in ["blocked-relays", "search-relays", "relay-feeds", "inbox-relays", "draft-relays"] {
                let added = try person.run(["relays", "add", relay, "--on", list])
                #expect(added.status == 0, "\(list): \(added.errors)")
                let shown = try object(try person.run(["relays", "show", "--on", list]).line)
                let part = list == "inbox-relays" ? "public" : "private"
                #expect(shown[part]?.elements.contains { $0.elements.last == .string(relay) } == true, "\(list)")
                #expect(try person.run(["relays", "remove", relay, "--on", list]).status == 0)
                #expect(!(try person.run(["relays", "show", "--on", list]).output.contains(relay)), "\(list)")
            }
            for wrong in [["--on", "mutes"], ["--on", "relay-sets"], ["--on", "inbox-relays", "-d", "x"]] {
                #expect(try person.run(["relays", "add", relay] + wrong).status != 0, "\(wrong)")
            }
            let kept = try person.run(["list", "add", "10002", relay])
            #expect(kept.status != 0 && kept.errors.contains("linnet relays"))
        }
    }

    @Test("a relay says what it is, and its notes are read, by whomever they are")
    func readOneRelay() async throws {
        let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let note = TestPerson.alice.event("A note for whoever reads this relay.")
        let kept = try Program.run(["import", "--data", data], input: String(decoding: note.json, as: UTF8.self))
        #expect(kept.status == 0, "\(kept.errors)")
        let program = try RunningProgram(["relay", "--port", "0", "--data", data])
        let relay = String(program.line().dropFirst("relay ".count))
        try await withCommandPeople(1) { people in
            let person = people[0]
            let said = try object(try person.run(["relays", "info", relay]).line)
            #expect(said["relay"] == .string(relay))
            #expect(said["information"]?["supported_nips"]?.elements.contains(.number("1")) == true)
            let notes = try person.run(["relays", "notes", relay, "--limit", "5"])
            #expect(notes.status == 0, "\(notes.errors)")
            #expect(notes.output.contains("A note for whoever reads this relay."))
            #expect(try person.run(["relays", "notes"]).status != 0)
            let silent = try object(try person.run(["relays", "info", "ws://127.0.0.1:9"]).line)
            #expect(silent["information"] == nil)
        }
    }

    @Test("relays are found without a key; nothing is published, and without a relay that answers it says so")
    func find() async throws {
        try await withCommandPeople(1) { people in
            let person = people[0]
            let found = try person.run(["relays", "find"])
            #expect(found.status == 0, "\(found.errors)")
            let row = try object(found.line)
            #expect(row["relay"]?.string == person.relay)
            #expect(row["answer"]?.string == "answered" && row["chosen"] == .bool(true))
            #expect(try person.run(["relays"]).output.contains("\"published\":false"))
            let nobody = try person.run(["relays", "find", "--indexer", "ws://127.0.0.1:9"])
            #expect(nobody.status != 0 && nobody.errors.contains("No relay answered"))
            #expect(nobody.output.contains("\"answer\":\"unreachable\""))
        }
    }

    @Test("a relay in a private network is allowed, listed and taken back; what is no relay is not allowed")
    func allowed() async throws {
        let person = try await CommandPerson(relay: "ws://127.0.0.1:9")
        defer { person.forget() }
        let (near, home) = ("ws://192.168.1.5:7777", "ws://nas.local")
        #expect(try person.run(["relays", "allow"]).output.isEmpty)
        let made = try person.run(["relays", "allow", near, home])
        #expect(made.status == 0, "\(made.errors)")
        let rows = try made.output.split(separator: "\n").map { try object(String($0)) }
        #expect(rows.map { $0["relay"]?.string } == [near, home])
        #expect(rows.allSatisfy { $0["allowed"] == .bool(true) })
        let taken = try person.run(["relays", "allow", "--revoke", home])
        #expect(taken.status == 0, "\(taken.errors)")
        let row = try object(taken.line)
        #expect(row["relay"] == .string(home) && row["allowed"] == .bool(false))
        let left = try object(try person.run(["relays", "allow"]).line)
        #expect(left["relay"] == .string(near) && left["allowed"] == .bool(true))
        let nonsense = try person.run(["relays", "allow", "192.168.1.6"])
        #expect(nonsense.status != 0 && nonsense.errors.contains("wss://"))
        #expect(try person.run(["relays", "allow", "--revoke"]).status != 0)
        #expect(try !person.run(["relays", "allow"]).output.contains("192.168.1.6"))
    }

    @Test("what was said to relays is listed, holds over runs and is taken back")
    func consents() async throws {
        try await withCommandPeople(1) { people in
            let person = people[0]
            #expect(try person.run(["relays", "auth"]).output.isEmpty)
            #expect(try person.run(["relays", "auth", "always", "wss://one.example"]).status == 0)
            #expect(try person.run(["relays", "auth", "never", "wss://two.example"]).status == 0)
            let listed = try person.run(["relays", "auth", "list"]).output.split(separator: "\n").map {
                try object(String($0))
            }
            #expect(listed.map { $0["relay"]?.string } == ["wss://one.example", "wss://two.example"])
            #expect(listed.map { $0["answer"]?.string } == ["always", "never"])
            #expect(try person.run(["relays", "auth", "revoke", "wss://one.example"]).status == 0)
            #expect(try person.run(["relays", "auth"]).output.contains("two.example"))
            #expect(try !person.run(["relays", "auth"]).output.contains("one.example"))
            let nonsense = try person.run(["relays", "auth", "always", "one.example"])
            #expect(nonsense.status != 0 && nonsense.errors.contains("wss://"))
        }
    }
}
