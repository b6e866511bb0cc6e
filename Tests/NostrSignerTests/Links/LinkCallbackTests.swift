import NostrCore
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("Where answers to links go")
struct LinkCallbackTests {
    @Test(
        "schemes that reach something else than an app that asked are refused",
        arguments: [
            "http://a.example/", "HTTP://a.example/", "file:///etc/passwd", "javascript:alert(1)", "JavaScript://x/%0a",
            "data:text/html,x", "tel:1", "sms:1", "mailto:a@b", "blob:https://a/1", "nostrsigner://sign_event",
            "about:blank", "view-source:https://a", "intent://x#Intent;end", "ms-msdt:/id", "chrome-extension://x/",
            "itms-apps://x", "x-apple.systempreferences:", "vbscript:x", "ws://a", "bunker://x", "lightning:lnbc1",
        ])
    func refused(text: String) throws {
        #expect(throws: (LinkCallback.Problem).self) { try LinkCallback(text) }
        do { _ = try LinkCallback(text) } catch {
            guard case .refusedScheme = error else {
                Issue.record("\(text): \(error)")
                return
            }
        }
    }

    @Test(
        "what is no URL is refused",
        arguments: [
            ("", LinkCallback.Problem.notAURL), ("myapp", .notAURL), ("://x", .notAURL), ("1app://x", .notAURL),
            ("my app://x", .notAURL), ("https:", .notAURL), ("https://", .notAURL), ("https:///x", .notAURL),
            ("https://a.example:x/", .notAURL), ("https://a.example:999999/", .notAURL),
            ("https://bü.example/", .notAURL),
            ("https://a%2eexample/", .notAURL), ("myapp://a\u{0}b", .notAURL), ("myapp://a\r\nLocation: x", .notAURL),
            ("https://a.example/\"><script>", .notAURL), ("https://bank.example@evil.example/", .userInformation),
            ("myapp://user@x", .userInformation),
            ("https://a.example/" + String(repeating: "a", count: 9000), .tooLong),
        ])
    func malformed(text: String, problem: LinkCallback.Problem) {
        #expect(throws: problem) { try LinkCallback(text) }
    }

    @Test(
        "grants are bound to the path of a page and to the scheme of an app",
        arguments: [
            ("https://Example.COM/cb?x=1", "https://example.com/cb"),
            ("https://example.com:443", "https://example.com/"),
            ("https://example.com:8443/cb#f", "https://example.com:8443/cb"),
            ("https://[::1]:8443/", "https://[::1]:8443/"),
            ("https://example.com?x", "https://example.com/"), ("https://example.com/Cb/", "https://example.com/Cb/"),
            ("https://example.com/cb/../x", "https://example.com/cb/../x"), ("https://e.com/é", "https://e.com/%C3%A9"),
            ("MyApp://nostr/signed", "myapp:"), ("myapp:", "myapp:"), ("com.example.app:/oauth", "com.example.app:"),
        ])
    func destinations(text: String, destination: String) throws {
        let callback = try LinkCallback(text)
        #expect(callback.destination == destination)
        #expect(destination.hasPrefix(callback.origin))
    }

    @Test(
        "its own query and fragment stay as they are",
        arguments: [
            ("myapp://ok", "myapp://ok?id=4%202&result=%2B%26%3D%25%C3%A9"),
            ("myapp://ok?", "myapp://ok?id=4%202&result=%2B%26%3D%25%C3%A9"),
            ("myapp://ok?a=%20+b", "myapp://ok?a=%20+b&id=4%202&result=%2B%26%3D%25%C3%A9"),
            ("myapp://ok?a=1&", "myapp://ok?a=1&id=4%202&result=%2B%26%3D%25%C3%A9"),
            ("https://e.com/p#/r?x", "https://e.com/p?id=4%202&result=%2B%26%3D%25%C3%A9#/r?x"),
            ("https://e.com/é?q=é", "https://e.com/%C3%A9?q=%C3%A9&id=4%202&result=%2B%26%3D%25%C3%A9"),
        ])
    func adding(text: String, result: String) throws {
        #expect(try LinkCallback(text).adding([("id", "4 2"), ("result", "+&=%é")]) == result)
    }

    @Test("noise never traps, and nothing gets a line break or a refused scheme through")
    func noise() {
        for text in ["https://user@example.com:8443/a?b=c#d", "myapp://host/path?x", "javascript://x"] {
            Noise.run(Array(text.utf8), rounds: 3000) { bytes in
                guard let callback = try? LinkCallback(String(decoding: bytes, as: UTF8.self)) else { return }
                #expect(callback.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
                #expect(callback.scheme != "javascript" && callback.scheme != "http")
            }
        }
    }
}
