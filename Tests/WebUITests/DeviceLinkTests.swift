import HTTPTypes
import NostrClient
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("a login link for another device")
struct DeviceLinkTests {
    private func page(_ under: FaceUnderTest) async throws -> String {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            return try await browser.post("/settings/link", ["csrf": csrf], cookie: cookie).text
        }
    }

    @Test("where only this machine reaches the home there is no code to scan")
    func loopback() async throws {
        let text = try await page(try FaceUnderTest())
        #expect(text.contains("/login?token=") && !text.contains("class=\"qr\""))
    }

    @Test("where a phone reaches it, the same link by that address is a code to scan")
    func network() async throws {
        let text = try await page(try FaceUnderTest(addressForDevices: { _ in "http://192.168.1.5:4869" }))
        #expect(text.contains("http://192.168.1.5:4869/login?token=") && text.contains("class=\"qr\""))
        let tokens = text.split(separator: "token=").dropFirst().map { $0.prefix { $0 != "<" } }
        #expect(Set(tokens).count == 1)
    }
}
