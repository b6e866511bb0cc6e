import AsyncPrimitives
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NostrClient
import NostrCore
import NostrTesting
import ScreenTesting
import Synchronization
import Testing
import ViewModels

@testable import WebUI

/// A web face over an account in memory, with a clock that a test moves.
struct FaceUnderTest: Sendable {
    let face: WebFace
    let account: FakeAccount
    let opening: FakeOpening
    let keys: FakeKeys
    let elsewhere: FakeElsewhere
    let settings: SettingsInMemory
    let clock: MovedClock
    let signer: ScriptedSigningService

    init(
        _ world: FakeWorld = .plain(notes: 40), canSign: Bool = true, lives: Bool = true, locked: Bool = false,
        settings: Settings = Settings(), pictureHosts: [String] = [], isLive: Bool = false,
        messages: FakeMessaging? = nil, notifications: FakeNotifications? = nil, sites: FakeSites? = nil,
        hasSigner: Bool = false,
        links: SignerLinks? = nil, device: DeviceSigners? = nil, waking: (any BrowserWaking)? = nil,
        place: (any MachinePlace)? = nil,
        sessions: any SessionKeeping = SessionsInMemory(), secureHosts: Set<String> = [],
        hosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"],
        probes: WebFace.Probes = WebFace.Probes(),
        addressForDevices: @escaping @Sendable (Int) -> String? = { _ in nil }
    ) throws {
        account = FakeAccount(world, canSign: canSign, messages: messages, notifications: notifications, sites: sites)
        opening = FakeOpening(account, lives: lives, locked: locked)
        keys = FakeKeys(kind: canSign ? .file : .readOnly, opening: opening)
        elsewhere = FakeElsewhere(account)
        self.settings = SettingsInMemory(settings)
        signer = ScriptedSigningService(of: world.own.key)
        let clock = MovedClock(world.newest)
        self.clock = clock
        face = try WebFace(
            WebFace.Configuration(
                hosts: hosts, secureHosts: secureHosts, pictureHosts: pictureHosts, sessions: sessions,
                version: "0.0-test", addressForDevices: addressForDevices),
            opening: opening,
            settings: self.settings, personal: self.settings, keys: keys,
            signers: hasSigner ? ScriptedSigners(signer) : nil,
            elsewhere: elsewhere, links: links, device: device, waking: waking, place: place, probes: probes,
            time: isLive ? .system : clock.time,
            logger: Logger(label: "web face under test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// What the person of the account chose.
    var personal: PersonalSettings { get async { await settings.settings(of: account.publicKey) } }

    /// Runs a test against the router.
    func test<Value: Sendable>(_ body: @Sendable @escaping (Browser) async throws -> Value) async throws -> Value {
        let app = Application(responder: face.responder)
        return try await app.test(.router) { client in try await body(Browser(client: client, face: face)) }
    }
}

/// A clock that stands still until it is moved.
final class MovedClock: Sendable {
    private let moment: Mutex<Timestamp>
    init(_ moment: Timestamp) { self.moment = Mutex(moment) }
    var now: Timestamp { moment.withLock { $0 } }
    /// The date, and a clock on which nobody wakes.
    var time: Time<Timestamp> { Time(clock: ManualClock()) { self.now } }
    func move(_ span: Duration) { moment.withLock { $0 = $0 + span } }
}

/// What an answer held.
struct Page: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let text: String

    var location: String? { headers[.location] }
    /// The form token the page carries.
    var csrf: String {
        guard let start = text.firstRange(of: "name=\"csrf\" value=\"") else { return "" }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}

/// A browser without scripts.
struct Browser: Sendable {
    let client: any TestClientProtocol
    let face: WebFace

    /// Comes in with a login link; returns the cookie.
    func logIn() async throws -> String {
        let page = try await get(face.loginPath())
        let cookie = try #require(page.headers[.setCookie])
        return String(cookie.prefix { $0 != ";" })
    }

    func get(_ path: String, cookie: String = "", _ headers: [String: String] = [:]) async throws -> Page {
        try await send(path, .get, cookie: cookie, headers: headers, body: nil)
    }

    func post(
        _ path: String, _ fields: KeyValuePairs<String, String>, cookie: String, _ headers: [String: String] = [:]
    ) async throws -> Page {
        let body = fields.map { encodePercent($0.key) + "=" + encodePercent($0.value) }.joined(separator: "&")
        return try await send(path, .post, cookie: cookie, headers: headers, body: ByteBuffer(string: body))
    }

    /// Posts a form as a browser does that has a file in it; an empty name stands for none chosen.
    func postParts(
        _ path: String, _ fields: KeyValuePairs<String, String>, file: (name: String, content: String), cookie: String
    ) async throws -> Page {
        var body = ""
        for (name, value) in fields {
            body += "--x7\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body += "--x7\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n"
        body += "Content-Type: application/octet-stream\r\n\r\n\(file.content)\r\n--x7--\r\n"
        let type = ["Content-Type": "multipart/form-data; boundary=x7"]
        return try await send(path, .post, cookie: cookie, headers: type, body: ByteBuffer(string: body))
    }

    private func send(
        _ path: String, _ method: HTTPRequest.Method, cookie: String, headers extra: [String: String], body: ByteBuffer?
    ) async throws -> Page {
        var headers = HTTPFields()
        if !cookie.isEmpty { headers[.cookie] = cookie }
        for (name, value) in extra { headers[try #require(HTTPField.Name(name))] = value }
        return try await client.execute(uri: path, method: method, headers: headers, body: body) { response in
            Page(status: response.status, headers: response.headers, text: String(buffer: response.body))
        }
    }
}
