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
}
