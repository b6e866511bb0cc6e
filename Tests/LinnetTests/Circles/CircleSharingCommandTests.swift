import Foundation
import NostrCore
import NostrNIPs
import Testing

@testable import linnet

@Suite("linnet circle settings, share --every, pause and resume, over a real relay")
struct CircleSharingCommandTests {
    @Test("settings are printed and changed without beginning to share; what is out of range changes nothing")
    func settings() async throws {
        try await withCommandPeople(1) { people in
            let ana = people[0]
            let made = try ana.run(["circle", "create", "The weir", "--relay", ana.relay])
            #expect(made.status == 0, "\(made.errors)")
            let before = try object(ana.run(["circle", "settings", "The weir"]).line)
            #expect(before["sharing"] == .bool(false) && before["every"] == .number("3600"))
            #expect(before["blur"] == .null && before["renew_days"] == .number("7"))
            let chosen = ["--every", "300", "--blur", "10", "--low-power", "--trail", "--no-why"]
            let changed = try ana.run(
                ["circle", "settings", "The weir"] + chosen + ["--battery", "15", "--renew", "3"])
            #expect(changed.status == 0, "\(changed.errors)")
            for wrong in [["--every", "9"], ["--blur", "9"], ["--battery", "100"], ["--renew", "0"]] {
                let refused = try ana.run(["circle", "settings", "The weir"] + wrong)
                #expect(refused.status == 64 && refused.output.isEmpty && refused.errors.contains(wrong[0]))
            }
            let after = try ana.run(["circle", "settings", "The weir"])
            #expect(after.output == changed.output)
            let values = try object(after.line)
            #expect(values["sharing"] == .bool(false) && values["paused"] == .bool(false))
            #expect(values["every"] == .number("300") && values["blur"] == .number("10"))
            #expect(values["low_power"] == .bool(true) && values["trail"] == .bool(true))
            #expect(values["why"] == .bool(false) && values["low_battery"] == .number("15"))
            #expect(values["renew_days"] == .number("3"))
            let none = try object(ana.run(["circle", "settings", "The weir", "--blur", "0", "--battery", "0"]).line)
            #expect(none["blur"] == .null && none["low_battery"] == .null && none["every"] == .number("300"))
        }
    }

    @Test("sharing for some seconds tells the place, says so and has ended then")
    func sharingForAWhile() async throws {
        try await withCommandPeople(1) { people in
            let ana = people[0]
            let made = try ana.run(["circle", "create", "The weir", "--relay", ana.relay])
            #expect(made.status == 0, "\(made.errors)")
            let shared = try ana.run(
                ["circle", "share", "The weir", "--every", "10", "--for", "8"], input: "52.516300 13.377700\n")
            #expect(shared.status == 0, "\(shared.errors)")
            let values = try object(shared.line)
            #expect(values["sharing"] == .bool(true) && values["sent_at"] != nil && values["every"] == .number("10"))
            #expect(try object(ana.run(["circle", "settings", "The weir"]).line)["sharing"] == .bool(false))
            for verb in ["pause", "resume"] {
                let late = try ana.run(["circle", verb, "The weir"])
                #expect(late.status == 1 && late.output.isEmpty && late.errors.contains("do not share"))
            }
            for wrong in [["--every", "9"], ["--for", "5"], ["--every", "10", "--for", "0"]] {
                #expect(try ana.run(["circle", "share", "The weir"] + wrong, input: "52 13\n").status == 64)
            }
        }
    }

    @Test("what is shared when Linnet runs next is paused, goes on and is stopped by verbs that say how it stands")
    func verbs() async throws {
        try await withCommandPeople(1) { people in
            let ana = people[0]
            #expect(try ana.run(["circle", "create", "The weir", "--relay", ana.relay]).status == 0)
            #expect(try ana.run(["circle", "stop", "The weir"]).status == 0)
            let sharing = try RunningProgram(
                ["circle", "share", "The weir", "--every", "10"], environment: ana.environment, speaksOfErrors: true,
                input: "52.516300 13.377700\n")
            #expect(sharing.complaint().contains("Ctrl-C ends it"))
            // As a machine that loses its power.
            #expect(sharing.end(by: SIGKILL).status == SIGKILL)
            let paused = try ana.run(["circle", "pause", "The weir", "--hours", "2"])
            #expect(paused.status == 0, "\(paused.errors)")
            let values = try object(paused.line)
            #expect(values["sharing"] == .bool(true) && values["paused"] == .bool(true))
            let until = try #require(values["paused_until"]?.integer)
            #expect(abs(until - Timestamp.current.seconds - 7200) < 600)
            #expect(try object(ana.run(["circle", "settings", "The weir"]).line)["paused"] == .bool(true))
            let resumed = try object(ana.run(["circle", "resume", "The weir"]).line)
            #expect(resumed["sharing"] == .bool(true) && resumed["paused"] == .bool(false))
            #expect(try object(ana.run(["circle", "pause", "The weir"]).line)["paused_until"] == nil)
            let stopped = try object(ana.run(["circle", "stop", "The weir"]).line)
            #expect(stopped["sharing"] == .bool(false) && stopped["paused"] == .bool(false))
            #expect(try ana.run(["circle", "resume", "The weir"]).errors.contains("do not share"))
            for wrong in ["0", "169", "x"] {
                #expect(try ana.run(["circle", "pause", "The weir", "--hours", wrong]).status == 64)
            }
        }
    }

    @Test(
        "sharing goes on until it is told to end, and stops then",
        arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        try await withCommandPeople(1) { people in
            let ana = people[0]
            #expect(try ana.run(["circle", "create", "The weir", "--relay", ana.relay]).status == 0)
            let sharing = try RunningProgram(
                ["circle", "share", "The weir", "--every", "10"], environment: ana.environment, speaksOfErrors: true,
                input: "52.516300 13.377700\n")
            #expect(sharing.complaint().contains("Ctrl-C ends it"))
            let ended = sharing.end(by: signal)
            let values = try object(String(ended.output.split(separator: "\n").last ?? ""))
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(values["sharing"] == .bool(true) && values["every"] == .number("10"))
            #expect(try object(ana.run(["circle", "settings", "The weir"]).line)["sharing"] == .bool(false))
        }
    }

    @Test("verbs reach what shares in another process: it pauses, goes on, and ends when it is stopped")
    func beside() async throws {
        try await withCommandPeople(1) { people in
            let ana = people[0]
            for name in ["The weir", "The mill"] {
                #expect(try ana.run(["circle", "create", name, "--relay", ana.relay]).status == 0)
            }
            let sharing = try RunningProgram(
                ["circle", "share", "The weir", "--every", "10"], environment: ana.environment, speaksOfErrors: true,
                input: "52.516300 13.377700\n")
            #expect(sharing.complaint().contains("Ctrl-C ends it"))
            let paused = try ana.run(["circle", "pause", "The weir", "--hours", "1"])
            #expect(paused.status == 0, "\(paused.errors)")
            #expect(try object(paused.line)["paused"] == .bool(true))
            let resumed = try object(ana.run(["circle", "resume", "The weir"]).line)
            #expect(resumed["sharing"] == .bool(true) && resumed["paused"] == .bool(false))
            let unknown = try ana.run(["circle", "stop", "Nowhere"])
            #expect(unknown.status == 1 && unknown.output.isEmpty && unknown.errors.contains("no circle Nowhere"))
            // What belongs to another circle ends nothing, and what needs the directory itself says so.
            #expect(try object(ana.run(["circle", "stop", "The mill"]).line)["sharing"] == .bool(false))
            #expect(try ana.run(["circle", "settings", "The weir"]).errors.contains("Another Linnet is using"))
            #expect(try ana.run(["signer", "clients"]).errors.contains("only shares a place"))
            let stopped = try ana.run(["circle", "stop", "The weir"])
            #expect(stopped.status == 0, "\(stopped.errors)")
            #expect(try object(stopped.line)["sharing"] == .bool(false))
            let ended = sharing.ended()
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(try object(ana.run(["circle", "settings", "The weir"]).line)["sharing"] == .bool(false))
        }
    }
}
