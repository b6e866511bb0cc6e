import Foundation
import NostrCore
import NostrNIPs
import Testing

@testable import linnet

@Suite("linnet circle, over a real relay")
struct CircleCommandTests {
    @Test("a circle is made, joined, talked in, and tells where people are; the relay learns nothing of it")
    func life() async throws {
        try await withCommandPeople(2) { people in
            let (ana, ben) = (people[0], people[1])
            let made = try ana.run(["circle", "create", "The weir", "--relay", ana.relay])
            #expect(made.status == 0, "\(made.errors)")
            let id = try #require(try object(made.line)["id"]?.string)
            let code = try ana.run(["circle", "invite", "The weir"])
            #expect(code.status == 0, "\(code.errors)")
            let asked = try ben.run(["circle", "request", "-", "--name", "Ben"], input: code.line + "\n")
            #expect(asked.status == 0, "\(asked.errors)")
            #expect(try object(asked.line)["standing"]?.string == "asked")
            let waiting = try until {
                try ana.run(["circle", "accept", id])
            } holds: {
                !$0.output.isEmpty
            }
            #expect(try object(waiting.line)["name"]?.string == "Ben", "\(waiting.errors)")
            let accepted = try ana.run(["circle", "accept", id, "--all"])
            #expect(accepted.status == 0, "\(accepted.errors)")
            #expect(accepted.output.split(separator: "\n").count == 2)
            let joined = try until {
                try ben.run(["circle", "list"])
            } holds: {
                $0.output.contains(#""standing":"member""#)
            }
            #expect(try object(joined.line)["name"]?.string == "The weir", "\(joined.errors)")

            let sent = try ana.run(["circle", "send", id, "-"], input: "Sunday at the weir?\n")
            #expect(sent.status == 0, "\(sent.errors)")
            let read = try ben.run(["circle", "read", "The weir"])
            #expect(read.output.contains("Sunday at the weir?"), "\(read.errors)")
            try mutes(ana, ben, in: id)
            let shared = try ben.run(["circle", "share", id, "--accuracy", "20"], input: "52.516300 13.377700\n")
            #expect(shared.status == 0, "\(shared.errors)")
            let place = try ana.run(["circle", "where", id])
            #expect(try object(place.line)["npub"]?.string == ben.key.npub, "\(place.errors)")
            #expect(place.line.contains(#""lat":52.5163,"lon":13.3777,"accuracy":20"#))
            // Ben, who is new, renews his keys while one of his commands runs; then they agree once Ana has read that.
            var fingerprints: Set<String?> = []
            for _ in 0..<5 where fingerprints.count != 1 {
                let (one, other) = (try ana.run(["circle", "health", id]), try ben.run(["circle", "health", id]))
                #expect(one.status == 0 && other.status == 0, "\(one.errors)\(other.errors)")
                fingerprints = [
                    try object(one.line)["fingerprint"]?.string, try object(other.line)["fingerprint"]?.string,
                ]
            }
            #expect(fingerprints.count == 1 && !fingerprints.contains(nil))
            #expect(try ben.run(["circle", "remove", id, "--person", ana.key.npub]).status != 0)
            let removed = try ana.run(["circle", "remove", id, "--person", ben.key.npub])
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(try ben.run(["circle", "list"]).output.contains(#""standing":"removed""#))
            for words in ["Sunday", "52.51", "The weir"] {
                #expect(try !ana.rests(words) && !ben.rests(words), "\(words)")
            }
        }
    }

    /// Ben mutes Ana for a while: her line has a mark in its place, and is printed to whoever asks for that.
    private func mutes(_ ana: CommandPerson, _ ben: CommandPerson, in id: String) throws {
        let muted = try ben.run(["list", "add", "mutes", ana.key.npub])
        #expect(muted.status == 0, "\(muted.errors)")
        let veiled = try ben.run(["circle", "read", id])
        #expect(veiled.output.contains(#""muted":"person""#), "\(veiled.errors)")
        #expect(!veiled.output.contains("Sunday at the weir?"))
        #expect(try ben.run(["circle", "read", id, "--muted"]).output.contains("Sunday at the weir?"))
        let members = try ben.run(["circle", "members", id])
        #expect(members.output.contains(#""muted":true"#), "\(members.errors)")
        let listed = try ben.run(["circle", "list"])
        #expect(listed.output.contains(#""unread":0"#) && !listed.output.contains("Sunday at the weir?"))
        #expect(try ben.run(["list", "remove", "mutes", ana.key.npub]).status == 0)
        #expect(try ben.run(["circle", "read", id]).output.contains("Sunday at the weir?"))
    }

    @Test("pictures are shown and taken back, and a circle is ended for everybody")
    func pictures() async throws {
        try await withCommandPeople(2) { people in
            let (ana, ben) = (people[0], people[1])
            let made = try ana.run(["circle", "create", "The weir", "--relay", ana.relay])
            let id = try #require(try object(made.line)["id"]?.string, "\(made.errors)")
            let code = try ana.run(["circle", "invite", id])
            #expect(try ben.run(["circle", "request", "-"], input: code.line + "\n").status == 0)
            let accepted = try until {
                try ana.run(["circle", "accept", id, "--all"])
            } holds: {
                !$0.output.isEmpty
            }
            #expect(accepted.status == 0, "\(accepted.errors)")
            let joined = try until {
                try ben.run(["circle", "list"])
            } holds: {
                $0.output.contains(#""standing":"member""#)
            }
            #expect(joined.output.contains(#""picture":false"#), "\(joined.errors)")

            let (photo, text) = (ana.directory.path + "/me.jpg", ana.directory.path + "/me.txt")
            let sides: [UInt8] = [0, 64, 0, 64, 1, 1, 0x11, 0]
            let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8] + sides
            let jpeg = head + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0] + Array("blue eyes".utf8) + [0xFF, 0xD9]
            #expect(FileManager.default.createFile(atPath: photo, contents: Data(jpeg)))
            #expect(FileManager.default.createFile(atPath: text, contents: Data("hello".utf8)))
            let odd = try ana.run(["circle", "avatar", id, text])
            #expect(odd.status == 1 && odd.errors.contains("not a JPEG"), "\(odd.errors)")
            #expect(try ana.run(["circle", "avatar", id]).status != 0)
            for verb in ["avatar", "picture"] {
                let shown = try ana.run(["circle", verb, id, photo])
                #expect(shown.status == 0, "\(shown.errors)")
            }
            let notAdmin = try ben.run(["circle", "picture", id, "--none"])
            #expect(notAdmin.status == 1 && notAdmin.errors.contains("Only an admin"), "\(notAdmin.errors)")
            let seen = try until {
                try ben.run(["circle", "members", id])
            } holds: {
                $0.output.contains(#""picture":true"#)
            }
            #expect(seen.output.contains(#""picture":true"#), "\(seen.errors)")
            #expect(try ben.run(["circle", "list"]).output.contains(#""picture":true"#))
            #expect(try ana.run(["circle", "avatar", id, "--none"]).status == 0)
            #expect(try !ben.run(["circle", "members", id]).output.contains(#""picture":true"#))
            #expect(try !ben.rests("blue eyes"))

            let asked = try ana.run(["circle", "burn", id])
            #expect(asked.status == 1 && asked.errors.contains("removes one other person"), "\(asked.errors)")
            let burned = try ana.run(["circle", "burn", id, "--yes"])
            #expect(burned.status == 0, "\(burned.errors)")
            #expect(try ana.run(["circle", "list"]).output.isEmpty)
            let removed = try until {
                try ben.run(["circle", "list"])
            } holds: {
                $0.output.contains(#""standing":"removed""#)
            }
            #expect(removed.output.contains(#""standing":"removed""#), "\(removed.errors)")
            #expect(try ben.run(["circle", "burn", id, "--yes", "--offline"]).status == 0)
            #expect(try ben.run(["circle", "list"]).output.isEmpty)
        }
    }

    @Test("what is no invitation, and a circle that is not there, get one plain sentence")
    func mistakes() async throws {
        try await withCommandPeople(1) { people in
            let odd = try people[0].run(["circle", "request", "hello"])
            #expect(odd.status == 1 && odd.errors.contains("not an invitation to a circle"), "\(odd.errors)")
            let none = try people[0].run(["circle", "read", "nowhere", "--offline"])
            #expect(none.status == 1 && none.errors.contains("There is no circle nowhere here"), "\(none.errors)")
        }
    }

    @Test("a circle is told what gpsd measured; where gpsd does not answer that is said and nothing is told")
    func measured() async throws {
        let position = #"{"class":"TPV","mode":2,"lat":47.25,"lon":8.5,"eph":4.5}"#
        try await StandInGPSD.run(telling: position) { port in
            try await withCommandPeople(1) { people in
                let ana = people[0]
                let made = try ana.run(["circle", "create", "The weir", "--relay", ana.relay])
                #expect(made.status == 0, "\(made.errors)")
                let told = try ana.run(["circle", "share", "The weir", "--gpsd", "127.0.0.1:\(port)"])
                #expect(told.status == 0, "\(told.errors)")
                let place = try ana.run(["circle", "where", "The weir"])
                #expect(place.line.contains(#""lat":47.25,"lon":8.5,"accuracy":4.5"#), "\(place.line)\(place.errors)")
            }
        }
        let port = LoopbackListener.deadPort
        let silent = try Program.run(["circle", "share", "The weir", "--gpsd=127.0.0.1:\(port)", "--wait", "5"])
        #expect(
            silent.status == 1 && silent.errors.contains("gpsd does not answer at 127.0.0.1:\(port); is it running?"))
        for wrong in [["--gpsd", "--geoclue"], ["--gpsd=no where"]] {
            #expect(try Program.run(["circle", "share", "The weir"] + wrong).status == 64)
        }
    }

    /// Runs a command again until what it prints is as expected: wraps may still be on their way.
    private func until(
        _ run: () throws -> Program.Result, holds: (Program.Result) -> Bool
    ) throws -> Program.Result {
        var last = try run()
        for _ in 0..<10 where !holds(last) { last = try run() }
        return last
    }
}

extension CommandPerson {
    /// Whether some words can be read in any file of this person.
    fileprivate func rests(_ words: String) throws -> Bool {
        let files = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
        return files.contains { file in
            // A directory, or what is gone by now, holds no words.
            guard let data = FileManager.default.contents(atPath: directory.path + "/" + file) else { return false }
            return data.range(of: Data(words.utf8)) != nil
        }
    }
}
