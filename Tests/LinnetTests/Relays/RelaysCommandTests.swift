import Foundation
import NostrNIPs
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
            #expect(try person.run(["relays", "mark", "write", second]).status == 0)
            #expect(try shown() == ["\(person.relay) read write !", "\(second) write !"])
            #expect(try person.run(["relays", "remove", second]).status == 0)
            #expect(try shown() == ["\(person.relay) read write !"])

            let nonsense = try person.run(["relays", "add", "two.example"])
            #expect(nonsense.status != 0)
            #expect(nonsense.errors.contains("wss://"))
            #expect(try shown() == ["\(person.relay) read write !"])
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
