import Foundation
import NostrCore
import NostrNIPs
import Testing

@testable import linnet

@Suite("linnet circle guest, over a real relay")
struct CircleGuestCommandTests {
    @Test("a guest link is made, listed with its end, told a place while sharing runs, and taken back")
    func whole() async throws {
        try await withCommandPeople(1) { people in
            let ana = people[0]
            #expect(try ana.run(["circle", "create", "The weir", "--relay", ana.relay]).status == 0)
            #expect(try ana.run(["circle", "guest", "The weir"]).output.isEmpty)
            for wrong in [["--hours", "0"], ["--hours", "169"], ["--hours", "1", "--revoke", "x"]] {
                #expect(try ana.run(["circle", "guest", "The weir"] + wrong).status == 64)
            }
            let refused = try ana.run(
                ["circle", "guest", "The weir", "--hours", "2", "--page", "http://home.example/guest"])
            #expect(refused.status == 1 && refused.output.isEmpty && refused.errors.contains("https://"))

            let made = try ana.run(
                [
                    "circle", "guest", "The weir", "--hours", "2", "--note", "Gran", "--page",
                    "https://home.example/guest",
                ])
            #expect(made.status == 0, "\(made.errors)")
            let link = try object(made.line)
            let address = try #require(link["url"]?.string)
            #expect(address.hasPrefix("https://home.example/guest#") && link["note"] == .string("Gran"))
            let end = try #require(link["ends_at"]?.integer)
            #expect(abs(end - Timestamp.current.seconds - 7200) < 600 && link["sent_at"] == nil)
            #expect(!made.errors.contains(address.split(separator: "#")[1]))

            let shared = try ana.run(
                ["circle", "share", "The weir", "--every", "10", "--for", "8"], input: "52.516300 13.377700\n")
            #expect(shared.status == 0, "\(shared.errors)")
            let listed = try object(ana.run(["circle", "guest", "The weir"]).line)
            #expect(listed["url"] == link["url"] && listed["sent_at"] != nil && listed["revoked"] == .bool(false))

            let unknown = try ana.run(["circle", "guest", "The weir", "--revoke", "00000000x"])
            #expect(unknown.status == 1 && unknown.errors.contains("no guest link"))
            let id = try #require(link["id"]?.string)
            let revoked = try ana.run(["circle", "guest", "The weir", "--revoke", id])
            #expect(revoked.status == 0, "\(revoked.errors)")
            #expect(try ana.run(["circle", "guest", "The weir"]).output.isEmpty)
        }
    }
}
