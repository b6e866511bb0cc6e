import Foundation
import Hummingbird
import NostrCore
import ScreenTesting
import Testing
import WebUI

/// Serves the face over made-up people to a real browser, for those who work on its looks.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LINNET_PREVIEW_PORT"] != nil))
struct PreviewTests {
    @Test("serves a preview until it is stopped")
    func serves() async throws {
        let port = Int(ProcessInfo.processInfo.environment["LINNET_PREVIEW_PORT"] ?? "") ?? 0
        let under = try FaceUnderTest(
            previewWorld(Timestamp(seconds: Int64(Date().timeIntervalSince1970))), lives: false, isLive: true)
        let (relays, coverage) = try previewRelays(.plain(notes: 0))
        await under.account.show(relays: relays, coverage: coverage)
        print("open http://127.0.0.1:\(port)\(under.face.loginPath())")
        let app = Application(
            responder: under.face.responder, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await under.face.run() }
            try await app.runService()
        }
    }
}
