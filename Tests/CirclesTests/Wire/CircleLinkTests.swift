import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

@Suite("Links into a circle") struct CircleLinkTests {
    private static let circle: [UInt8] = Array(1...16)
    private static let circleHex = encodeHex(circle)
    private static let npub = TestPerson.alice.publicKey.npub

    private static func invite(_ relays: [String] = ["wss://relay.example.com"], name: String? = nil) throws
        -> CircleInvite
    {
        try #require(
            CircleInvite(
                circle: circle, inviter: TestPerson.alice.publicKey, relays: relays.map { try RelayURL($0) },
                name: name))
    }

    private static func base64(_ text: String) -> String { Base64.encode(Array(text.utf8).span) }

    private static func json(
        relay: String = "wss://relay.example.com", inviter: String = npub, circle: String = circleHex, rest: String = ""
    ) -> String {
        #"{"relay":"\#(relay)","inviterNpub":"\#(inviter)","groupId":"\#(circle)"\#(rest)}"#
    }

    @Test("reads an invitation in every form it is handed on in")
    func forms() throws {
        let code = Self.base64(Self.json())
        let ios = Self.base64(
            #"{"groupId":"\#(Self.circleHex)","relay":"wss:\/\/relay.example.com","inviterNpub":"\#(Self.npub)"}"#)
        #expect(code.hasSuffix("="))
        let encoded = PercentEncoding.encode(code)
        #expect(encoded != code)
        let unpadded = String(code.prefix { $0 != "=" })
        let lines = code.enumerated().map { $0 > 0 && $0.isMultiple(of: 60) ? "\r\n  \($1)" : "\($1)" }.joined()
        for text in [
            code, ios, " \n\(code)\t", lines, encoded, unpadded, "whistle://invite/\(code)", "whistle://invite/\(ios)",
            "Whistle://Invite/\(code)/", "whistle://invite/\(encoded)", "whistle://invite/\(unpadded)",
            "  whistle://invite/\(lines)\n", "famstr://invite/\(code)", "whistle://invite/\(code)?utm=x#y",
            "https://linnet.example/join#\(code)", "https://linnet.example/#\(encoded)",
            "HTTPS://linnet.example#\(code)",
            "http://127.0.0.1:8080/circles?x=/#\(code)",
        ] {
            #expect(try CircleLink(text) == .invite(Self.invite()), "\(text)")
        }
    }

    @Test("reads a code with slashes and plusses, in a path too")
    func slashes() throws {
        // The tilde becomes a plus or a slash of Base64, depending on where it stands.
        for relay in ["wss://a.example.com/~", "wss://a.example.com/?~?", "wss://a.example.com/x~~~?"] {
            let code = Self.base64(Self.json(relay: relay, rest: #","name":"~?~??~~~ü🦜""#))
            #expect(code.contains("/") || code.contains("+"))
            for text in [
                code, "whistle://invite/\(code)", "whistle://invite/\(PercentEncoding.encode(code))",
                "https://x.example/#\(code)",
                "whistle://invite/\(code.replacing("/", with: "_").replacing("+", with: "-"))",
            ] {
                guard case .invite(let invite) = try CircleLink(text) else {
                    Issue.record("\(text)")
                    continue
                }
                #expect(invite.circle == Self.circle && invite.name == "~?~??~~~ü🦜")
                #expect(try invite.relays == [RelayURL(relay)])
            }
        }
    }

    @Test("what we write has no slash, plus or equals sign, whatever is in it")
    func writes() throws {
        var random = SeededRandom(seed: 5)
        let letters = Array("abc ~?>/+=\u{7F}\"\\äß🦜日<&%")
        for length in 0..<40 {
            let name = String((0..<length).map { _ in letters.randomElement(using: &random) ?? "x" })
            let relays = ["wss://a.example.com/~?=\(length)", "wss://b.example.com"]
            let invite = try Self.invite(relays, name: name)
            let link = try #require(invite.link(on: "https://linnet.example/join?x=1"))
            for text in [invite.whistleLink, link] {
                #expect(try CircleLink(text) == .invite(invite), "\(name)")
            }
            #expect(link.hasPrefix("https://linnet.example/join?x=1#"))
            #expect(invite.whistleLink.hasPrefix("whistle://invite/"))
            #expect(!invite.code.contains { "/+=".contains($0) })
            #expect(!invite.whistleLink.dropFirst(17).contains { "/+=".contains($0) })
            // A QR code says what Whistle says, and no more.
            #expect(try CircleLink(invite.code) == .invite(Self.invite([relays[0]])))
        }
    }

    @Test("a code is JSON with Whistle's three names, for readers that know no others")
    func whistleReads() throws {
        let invite = try Self.invite(["wss://a.example.com", "wss://b.example.com"], name: "Family ü")
        for (code, names) in [
            (invite.code, ["relay", "inviterNpub", "groupId"]),
            (String(invite.whistleLink.dropFirst(17)), ["relay", "inviterNpub", "groupId", "relays", "name"]),
        ] {
            let value = try JSONValue(#require(Base64.decode(code)))
            #expect(value.members.map(\.name) == names)
            #expect(value["relay"]?.string == "wss://a.example.com")
            #expect(value["inviterNpub"]?.string == Self.npub && value["groupId"]?.string == Self.circleHex)
        }
    }

    @Test("relays are bounded, each once, and those that cannot be read are left out")
    func relays() throws {
        let many = (0..<50).map { #""wss://\#($0).example.com""# }.joined(separator: ",")
        let rest = #","relays":["nonsense",7,"wss://relay.example.com",\#(many)]"#
        guard case .invite(let invite) = try CircleLink(Self.base64(Self.json(rest: rest))) else { return }
        #expect(invite.relays.count == 10 && invite.relays.first?.text == "wss://relay.example.com")
        #expect(Set(invite.relays).count == 10)
        guard
            case .invite(let other) = try CircleLink(
                Self.base64(Self.json(relay: "nonsense", rest: #","relays":["wss://b.example.com"]"#)))
        else { return }
        #expect(other.relays.map(\.text) == ["wss://b.example.com"])
    }

    @Test("reads who wants to be let in")
    func admission() throws {
        let key = TestPerson.bob.publicKey
        let link = "whistle://addmember/\(key.hex)/\(Self.circleHex)"
        let admission = try #require(CircleAdmission(applicant: key, circle: Self.circle))
        #expect(admission.link == link)
        for text in [link, " \(link)/\n", link.uppercased(), "famstr://addmember/\(key.npub)/\(Self.circleHex)?x"] {
            #expect(try CircleLink(text) == .admission(admission), "\(text)")
        }
    }

    @Test("refuses everything else, and says why")
    func refuses() throws {
        let code = Self.base64(Self.json())
        let key = TestPerson.bob.publicKey.hex
        for (text, error) in [
            ("", .notALink), ("hello", .notALink), ("hello123", .notALink), ("https://linnet.example/", .notALink),
            ("https://linnet.example/#about", .notALink), ("ftp://invite/\(code)", .notALink), ("://", .notALink),
            ("whistle://", .notALink), ("whistle://burn/\(code)", .notALink), ("nostr:\(Self.npub)", .notALink),
            ("whistle://invite/", .damaged), ("whistle://invite/%", .damaged), ("whistle://invite/%FF", .damaged),
            (String(code.prefix(100)), .damaged), (String(code.prefix(101)), .damaged),
            ("whistle://invite/\(code)\(code)", .damaged), (Self.base64("{\"relay\":"), .damaged),
            (Self.base64("[]"), .notALink), ("whistle://invite/\(Self.base64("[]"))", .damaged),
            (Self.base64(#"{"a":"# + String(repeating: "[", count: 2_000)), .damaged),
            (Self.base64(Self.json(relay: "https://relay.example.com")), .noRelay),
            (Self.base64(#"{"a":1}"#), .noRelay),
            (Self.base64(Self.json(inviter: "npub1x")), .noPerson),
            (Self.base64(Self.json(circle: "family")), .noCircle),
            (Self.base64(Self.json(circle: "")), .noCircle), ("whistle://addmember/", .noPerson),
            ("whistle://addmember/x/\(Self.circleHex)", .noPerson), ("whistle://addmember/\(key)", .noCircle),
            ("whistle://addmember/\(key)/family", .noCircle), (String(repeating: "e", count: 8_193), .tooLong),
        ] as [(String, CircleLinkError)] {
            #expect(throws: error, "\(text.prefix(60))") { try CircleLink(text) }
        }
    }

    @Test("is not made of what leads nowhere")
    func impossible() throws {
        let relay = try RelayURL("wss://relay.example.com")
        let key = TestPerson.alice.publicKey
        #expect(CircleInvite(circle: [], inviter: key, relays: [relay]) == nil)
        #expect(CircleInvite(circle: [UInt8](repeating: 1, count: 65), inviter: key, relays: [relay]) == nil)
        #expect(CircleInvite(circle: Self.circle, inviter: key, relays: []) == nil)
        #expect(
            CircleAdmission(applicant: key, circle: []) == nil && CircleAdmission(applicant: key, circle: nil) == nil)
        let invite = try Self.invite()
        for page in [
            "http://linnet.example", "linnet.example", "https://linnet.example/#x", "https://linnet example", "",
        ] {
            #expect(invite.link(on: page) == nil)
        }
    }
}
