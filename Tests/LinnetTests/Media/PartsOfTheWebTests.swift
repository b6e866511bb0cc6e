import NostrClient
import Testing

@testable import linnet

/// What strangers' notes may have this machine ask for.
@Suite("films on servers of the open web")
struct PartsOfTheWebTests {
    @Test(
        "nothing of this machine or a private network is asked, whatever a note names",
        arguments: [
            "https://localhost/a.mp4", "https://127.0.0.1:4869/a.mp4", "https://10.1.2.3/a.mp4",
            "https://192.168.1.1/a.mp4", "https://169.254.169.254/a.mp4", "http://localhost:4869/a.mp4",
            "http://films.example/a.mp4", "file:///etc/passwd", "",
        ])
    func refused(address: String) async throws {
        await #expect(throws: ServerRefusal(.notAllowed)) {
            try await PartsOfTheWeb().fetch(address, from: 0, to: 511, deadline: .seconds(20)) { _, _ in false }
        }
    }
}
