import Foundation
import NostrTesting
import Testing

@Suite struct ExampleTests {
    @Test("the chat of three says what it should, and who is out reads nothing")
    func chats() async throws {
        let written = try await ChildProcess.onOwnThread {
            let process = try ChildProcess(Self.executable.path, [])
            var text: [UInt8] = []
            while case let some = process.read(), !some.isEmpty { text += some }
            return (text: String(decoding: text, as: UTF8.self), status: process.wait())
        }
        #expect(written.status == 0)
        #expect(
            written.text == """
                Alice to Bob: Hello, Bob!
                Carol to Alice: Hello, both of you!
                Carol to Bob: Hello, both of you!
                Bob is out
                Bob reads nothing: wrongEpoch: epoch 3
                Alice to Carol: Just us two now.

                """)
    }

    /// Beside the tests, where the build puts it.
    private static var executable: URL {
        #if os(macOS)
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return tests.bundleURL.deletingLastPathComponent().appendingPathComponent("MLSChat")
        #else
            return Bundle.main.bundleURL.appendingPathComponent("MLSChat")
        #endif
    }
}
