import Foundation
import NostrSigner
import Synchronization
import Testing

@testable import linnet

@Suite("The pasteboard of this machine")
struct LocalPasteboardTests {
    private let folder = NSTemporaryDirectory() + "linnet-pb-" + UUID().uuidString
    private let moment = Moment()

    private final class Moment: Sendable {
        let shift = Mutex<TimeInterval>(0)
        var now: Date { Date().addingTimeInterval(shift.withLock { $0 }) }
    }

    private var board: LocalPasteboard { LocalPasteboard(folder: folder) { [moment] in moment.now } }

    @Test("what is put there is taken once, by whoever knows the token")
    func once() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = String(repeating: "ü\n", count: 150_000)
        try await board.put(text, under: "../t/1", expires: .seconds(120))
        #expect(try await board.text(under: "t2") == nil)
        #expect(try await board.text(under: "../t/1") == text)
        #expect(try await board.text(under: "../t/1") == nil)
    }

    @Test("it is there for two minutes, whatever was asked for, and for its owner alone")
    func expires() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await board.put("a", under: "t", expires: .seconds(9000))
        let files = FileManager.default
        let name = try #require(try files.contentsOfDirectory(atPath: folder).first)
        #expect(try files.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
        #expect(try files.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int == 0o600)
        moment.shift.withLock { $0 = 121 }
        #expect(try await board.text(under: "t") == nil)
        #expect(try files.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("what was not taken is swept, the oldest makes room, and too much is refused")
    func bounded() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for number in 0..<PasteboardRules.most + 5 {
            try await board.put("a", under: "t\(number)", expires: .seconds(120))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == PasteboardRules.most)
        moment.shift.withLock { $0 = 300 }
        try await board.put("b", under: "t", expires: .seconds(120))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        await #expect(throws: CommandFailure.self) {
            let long = String(repeating: "a", count: PasteboardRules.longest + 1)
            try await board.put(long, under: "t", expires: .seconds(1))
        }
        await #expect(throws: CommandFailure.self) { try await board.put("a", under: "a b", expires: .seconds(1)) }
    }

    @Test("the command puts and takes")
    func command() throws {
        let data = NSTemporaryDirectory() + "linnet-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: data) }
        let put = try Program.run(["pasteboard", "put", "--data", data], input: "payload")
        #expect(put.status == 0 && put.line.count == 32)
        let taken = try Program.run(["pasteboard", "take", "pb:" + put.line, "--data", data])
        #expect(taken.output == "payload")
        #expect(try Program.run(["pasteboard", "take", put.line, "--data", data]).status == 1)
    }
}
