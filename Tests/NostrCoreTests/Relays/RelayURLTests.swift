import NostrCore
import NostrTesting
import Testing

@Suite("relay addresses")
struct RelayURLTests {
    @Test(
        "are normalised",
        arguments: [
            ("wss://relay.example.com", "wss://relay.example.com"),
            (" WSS://Relay.Example.COM/ \n", "wss://relay.example.com"),
            ("wss://relay.example.com:443/", "wss://relay.example.com"),
            ("wss://relay.example.com//", "wss://relay.example.com"),
            ("ws://relay.example.com:80", "ws://relay.example.com"),
            ("ws://relay.example.com:443", "ws://relay.example.com:443"),
            ("wss://relay.example.com.", "wss://relay.example.com"),
            ("wss://relay.example.com:/x/", "wss://relay.example.com/x/"),
            ("wss://relay.example.com?a=b", "wss://relay.example.com/?a=b"),
            ("wss://relay.example.com/%7euser%2f%c3%a9#frag", "wss://relay.example.com/~user%2F%C3%A9"),
            ("wss://relay.example.com/é", "wss://relay.example.com/%C3%A9"),
            ("ws://[0:0:0:0:0:0:0:1]:7777", "ws://[::1]:7777"),
            ("wss://[2001:DB8:0:0:1:0:0:1]", "wss://[2001:db8::1:0:0:1]"),
            ("wss://[::ffff:1.2.3.4]", "wss://[::ffff:102:304]"),
            ("ws://127.0.0.1:4869", "ws://127.0.0.1:4869"),
        ])
    func normalises(text: String, normal: String) throws {
        let url = try RelayURL(text)
        #expect(url.text == normal)
        #expect(try RelayURL(url.text) == url)
    }

    @Test(
        "that are none are refused",
        arguments: [
            ("https://relay.example.com", RelayURLError.notWebSocket), ("", .notWebSocket),
            ("wss:relay", .notWebSocket),
            ("wss://", .invalidHost), ("wss:///x", .invalidHost), ("wss://a..b", .invalidHost),
            ("wss://relay.example.com,", .invalidHost), ("wss://relay example.com", .invalidHost),
            ("wss://relay.example.com%20", .invalidHost), ("wss://rélay.example", .invalidHost),
            ("wss://127.1", .invalidHost), ("wss://0x7f.0.0.1", .invalidHost), ("wss://2130706433", .invalidHost),
            ("wss://0x7f000001", .invalidHost), ("wss://010.0.0.1", .invalidHost), ("wss://-a.com", .invalidHost),
            ("wss://[::1", .invalidHost), ("wss://[::1]x", .invalidHost), ("wss://[1.2.3.4]", .invalidHost),
            ("wss://[fe80::1%25eth0]", .invalidHost), ("wss://[:::]", .invalidHost),
            ("wss://a.com:0", .invalidPort), ("wss://a.com:65536", .invalidPort), ("wss://a.com:8x", .invalidPort),
            ("wss://user@a.com", .hasCredentials), ("wss://user:pass@a.com", .hasCredentials),
            ("wss://a.com/a b", .invalidPath), ("wss://a.com/%zz", .invalidPath), ("wss://a.com/\u{7}", .invalidPath),
            ("wss://a.com/" + String(repeating: "x", count: 512), .tooLong),
        ])
    func refuses(text: String, why: RelayURLError) {
        #expect(throws: why) { try RelayURL(text) }
    }

    @Test(
        "of near hosts are private",
        arguments: [
            "localhost", "a.localhost", "printer.local", "x.internal", "umbrel", "127.0.0.1", "10.1.2.3", "192.168.1.1",
            "172.16.0.1", "172.31.255.255", "169.254.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
            "[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[fdff::1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]", "[ff02::1]", "[::127.0.0.1]",
        ])
    func isPrivate(host: String) throws {
        #expect(try RelayURL("ws://\(host)").isPrivate)
    }

    @Test(
        "of far hosts are not private",
        arguments: [
            "relay.example.com", "8.8.8.8", "172.32.0.1", "172.15.0.1", "11.0.0.1", "192.169.0.1", "[2606:4700::1111]",
            "[::ffff:8.8.8.8]", "local.example", "localhost.example", "abcdef.onion",
        ])
    func isPublic(host: String) throws {
        #expect(try !RelayURL("ws://\(host)").isPrivate)
    }

    @Test("never trap on noise, and are stable when they parse")
    func noise() {
        let seeds = ["wss://relay.example.com:8080/path?query#x", "ws://[2001:db8::1]:7777/", "wss://1.2.3.4/%41"]
        for text in seeds {
            Noise.run(Array(text.utf8), rounds: 4_000) { bytes in
                // What does not parse has not trapped.
                guard let url = try? RelayURL(String(decoding: bytes, as: UTF8.self)) else { return }
                #expect((try? RelayURL(url.text)) == url)
                _ = url.isPrivate
            }
        }
    }
}
