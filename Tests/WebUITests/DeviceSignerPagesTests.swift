import Foundation
import HTTPTypes
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the door of a signer on this device", .timeLimit(.minutes(10)))
struct DeviceSignerPagesTests {
    /// A desktop that has Linnet's own signer and no other.
    private struct Desktop: URLOpening {
        func open(_ url: String) async throws {}
        func canOpen(_ url: String) async -> Bool { url.hasPrefix("linnet-signer:") }
    }

    private func under() throws -> FaceUnderTest {
        let world = FakeWorld.plain(notes: 1)
        let now = world.newest
        return try FaceUnderTest(world, device: DeviceSigners(opener: Desktop(), now: { now }))
    }

    /// The link to the signer on a page.
    private static func link(in page: String) throws -> String {
        let start = try #require(page.range(of: "href=\"linnet-signer:"))
        let rest = page[start.lowerBound...].dropFirst("href=\"".count)
        return String(rest.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }

    /// What a signer answers to a link that asks to sign an event, as NIP-155 has it.
    private func answer(to link: String, by person: TestPerson, changing content: String? = nil) throws -> String {
        let text = try #require(link.split(separator: "?", maxSplits: 1).last)
        let query = URIQuery(parsing: text)
        let asked = try JSONValue(Array(try #require(query["event"]).utf8))
        let tags = (asked["tags"]?.elements ?? []).map { Tag($0.elements.compactMap(\.string)) }
        let event = person.event(
            content ?? asked["content"]?.string ?? "", kind: Kind(UInt16(asked["kind"]?.integer ?? 0)), tags: tags,
            at: asked["created_at"]?.integer ?? 0)
        let success = try #require(query["x-success"])
        return success + "&result=\(event.signature.hex)&event="
            + PercentEncoding.encode(String(decoding: event.json, as: UTF8.self)) + "&id=" + (query["id"] ?? "")
    }

    @Test("offers what is installed first, asks by a link, and opens the account whose key signed")
    func enters() async throws {
        let under = try under()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let welcome = try await browser.get("/welcome", cookie: cookie)
            #expect(welcome.text.contains("Use a signer on this device"))
            let page = try await browser.get("/device-signer", cookie: cookie)
            let first = try #require(page.text.range(of: "value=\"linnet\" checked"))
            let other = try #require(page.text.range(of: "value=\"amber\""))
            #expect(first.lowerBound < other.lowerBound && page.text.contains("Installed where Linnet runs."))
            let begun = try await browser.post(
                "/device-signer/login", ["csrf": page.csrf, "app": "linnet"], cookie: cookie)
            let place = try #require(begun.location)
            #expect(begun.headers[.setCookie]?.contains("linnet_device_signer=linnet") == true)
            let waiting = try await browser.get(place, cookie: cookie)
            let link = try Self.link(in: waiting.text)
            #expect(link.hasPrefix("linnet-signer://sign_event?"))
            #expect(waiting.headers[try #require(HTTPField.Name("Refresh"))] == "3")
            // Without an address by https answers come by the desktop.
            let came = try answer(to: link, by: .alice)
            #expect(came.hasPrefix("linnet-answer://answer?"))
            let taken = try await browser.get("/open?url=" + PercentEncoding.encode(came), cookie: cookie)
            #expect(taken.location == place)
            #expect(try await browser.get(place, cookie: cookie).location == "/home")
            #expect(await under.elsewhere.asked == ["browser \(TestPerson.alice.publicKey.hex)"])
            // Once only.
            let again = try await browser.get("/open?url=" + PercentEncoding.encode(came), cookie: cookie)
            #expect(again.status == .notFound)
        }
    }

    @Test("hands an open account's request to the signer, and takes an answer of 300 kB that the signer's page posts")
    func posted() async throws {
        let world = FakeWorld.plain(notes: 1)
        let now = world.newest
        let event = world.own.event(String(repeating: "0123456789abcdef", count: 300_000 / 16), at: now)
        let json = String(decoding: event.json, as: UTF8.self)
        let under = try FaceUnderTest(
            world, device: DeviceSigners(opener: Desktop(), now: { now }), secureHosts: ["localhost"])
        let wanted = ExtensionRequest(id: "note", method: "sign_event", parameters: [json])
        await under.elsewhere.set(signer: .pageOpen, errands: [wanted])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let script = ["X-Linnet-Fragment": "1"]
            let unchosen = try await browser.get("/device-signer/requests?page=p", cookie: cookie, script)
            #expect(unchosen.text.contains("href=\"/device-signer\""))
            let page = try await browser.get("/device-signer", cookie: cookie)
            let chosen = try await browser.post(
                "/device-signer/choice", ["csrf": page.csrf, "app": "linnet"], cookie: cookie)
            let choice = try #require(chosen.headers[.setCookie]?.split(separator: ";").first)
            let cookies = cookie + "; " + choice
            let strip = try await browser.get("/device-signer/requests?page=p", cookie: cookies, script)
            let again = try await browser.get("/device-signer/requests?page=p", cookie: cookies, script)
            #expect(strip.text == again.text)
            // Each is handed out once, and its link stays until it is answered.
            await under.elsewhere.set(signer: .pageOpen)
            let still = try await browser.get("/device-signer/requests?page=p", cookie: cookies, script)
            #expect(still.text == strip.text)
            let link = try Self.link(in: strip.text)
            #expect(link.utf8.count > 300_000)
            let query = URIQuery(parsing: try #require(link.split(separator: "?", maxSplits: 1).last))
            #expect(query["event"] == json && query["current_user"] == world.own.key.hex)
            let place = try #require(query["x-success"])
            #expect(place.hasPrefix("https://localhost/device-signer/answer?"))
            // The page that posts is another site's, so no cookie comes along; the id that nobody guesses counts.
            let posted = try await browser.post(
                String(place.dropFirst("https://localhost".count)),
                ["result": event.signature.hex, "event": json, "id": query["id"] ?? ""], cookie: "",
                ["Sec-Fetch-Site": "cross-site"])
            let answered = try #require(posted.location)
            #expect(posted.status == .seeOther && answered.hasPrefix("/device-signer/asked/"))
            let arrival = try await browser.get(answered, ["Sec-Fetch-Site": "cross-site"])
            #expect(arrival.status == .ok && arrival.text.contains("Another page leads here."))
            #expect(try await browser.get(answered, cookie: cookies).text.contains("<h1>Done</h1>"))
            #expect(await under.elsewhere.replies == ["note": .result(json)])
            #expect(try await browser.get("/device-signer/requests?page=p", cookie: cookies, script).text.isEmpty)
            let twice = try await browser.post(
                String(place.dropFirst("https://localhost".count)), ["result": "", "event": json], cookie: "")
            #expect(twice.status == .notFound)
        }
    }

    @Test("an answer that signs something else, or says no, lets nobody in")
    func refuses() async throws {
        let under = try under()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/device-signer", cookie: cookie).csrf
            for isNo in [true, false] {
                let begun = try await browser.post(
                    "/device-signer/login", ["csrf": csrf, "app": "linnet"], cookie: cookie)
                let place = try #require(begun.location)
                let link = try Self.link(in: try await browser.get(place, cookie: cookie).text)
                let query = URIQuery(parsing: try #require(link.split(separator: "?", maxSplits: 1).last))
                let came =
                    isNo
                    ? try #require(query["x-error"]) + "&code=user_cancelled&reason=no"
                    : try answer(to: link, by: .alice, changing: "other")
                _ = try await browser.get("/open?url=" + PercentEncoding.encode(came), cookie: cookie)
                let page = try await browser.get(place, cookie: cookie)
                #expect(page.status == .ok && page.text.contains("No answer to use"))
            }
            let unknown = try await browser.post(
                "/device-signer/login", ["csrf": csrf, "app": "nobody"], cookie: cookie)
            #expect(unknown.status == .badRequest)
            #expect(await under.elsewhere.asked.isEmpty)
        }
    }
}
