import GzipFormat
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

private let alice = TestPerson.alice.publicKey
private let bob = TestPerson.bob.publicKey
private let event = #"{"kind":1,"content":"a+b c","tags":[]}"#
private let written = "%7B%22kind%22%3A1%2C%22content%22%3A%22a%2Bb%20c%22%2C%22tags%22%3A%5B%5D%7D"
private let success = "x-success=myapp%3A%2F%2Fok"

private func parsed(_ text: String) -> SignerLink? {
    if case .request(let link) = SignerLink.read(text) { link } else { nil }
}

private func error(_ text: String) -> LinkError? {
    if case .unusable(_, let error) = SignerLink.read(text) { error } else { nil }
}

@Suite("Reading signer links")
struct SignerLinkReadingTests {
    @Test(
        "reads each method of NIP-155",
        arguments: [
            ("get_public_key?type=get_public_key&\(success)", SignerLink.Action.publicKey([])),
            (
                "get_public_key?\(success)&permissions=%5B%7B%22type%22%3A%22sign_event%22%2C%22kind%22%3A22242%7D%2C"
                    + "%7B%22type%22%3A%22nip44_decrypt%22%7D%2C%7B%22type%22%3A%22fly%22%7D%5D",
                .publicKey([RemotePermission(.signEvent, kind: 22242), RemotePermission(.nip44Decrypt)])
            ),
            ("sign_event?type=sign_event&event=\(written)&\(success)", .sign(event)),
            ("x-callback-url/sign_event?event=\(written)&\(success)", .sign(event)),
            ("nip04_encrypt?plaintext=h%C3%A9&pubkey=\(bob.hex)&\(success)", .encrypt("hé", for: bob, .nip04)),
            ("nip44_encrypt/?plaintext=1%2B1+1&pubkey=\(bob.hex)&\(success)", .encrypt("1+1 1", for: bob, .nip44)),
            (
                "nip04_decrypt?encryptedText=a%2Bb%3D%3Fiv%3Dc&pubkey=\(bob.hex)&\(success)",
                .decrypt("a+b=?iv=c", from: bob, .nip04)
            ),
            ("nip44_decrypt?encryptedText=Ag+/==&pubkey=\(bob.hex)&\(success)", .decrypt("Ag+/==", from: bob, .nip44)),
            ("decrypt_zap_event?event=\(written)&returnType=event&\(success)", .decryptZap(event)),
        ] as [(String, SignerLink.Action)])
    func methods(rest: String, action: SignerLink.Action) throws {
        let link = try #require(parsed("nostrsigner://" + rest))
        #expect(link.action == action)
        #expect(link.envelope.convention == .nip155)
        #expect(link.envelope.success?.text == "myapp://ok")
        #expect(link.envelope.app == .link("myapp:"))
    }

    @Test("reads every parameter")
    func parameters() throws {
        let text =
            "NOSTRSIGNER://sign_event?type=sign_event&event=\(written)&current_user=\(alice.hex)&id=%2542%20+%3D"
            + "&returnType=event&compressionType=gzip&xSuccess=https%3A%2F%2FExample.com%2Fcb%3Fa%3D1%26b%3D%2523%23f"
            + "&x-error=myapp%3A%2F%2Ferr&x-cancel=myapp%3A%2F%2Fno&x-source=My%20App&client_url=https%3A%2F%2Fe.com&v=1#x"
        let link = try #require(parsed(text))
        #expect(link.currentUser == alice)
        #expect(link.returnsEvent)
        #expect(link.envelope.isCompressed)
        #expect(link.envelope.id == "%42 +=")
        #expect(link.envelope.success?.text == "https://Example.com/cb?a=1&b=%23#f")
        #expect(link.envelope.app == .link("https://example.com/cb"))
        #expect(link.envelope.error?.text == "myapp://err")
        #expect(link.envelope.cancel?.text == "myapp://no")
        #expect(link.envelope.claims == ClientMetadata(name: "My App", url: "https://e.com"))
    }

    @Test("tells the conventions apart by their parameters")
    func conventions() throws {
        let cases: [(String, LinkEnvelope.Convention, String?)] = [
            ("nostrsigner://sign_event?event=\(written)&\(success)", .nip155, "myapp://ok"),
            ("nostrsigner:\(written)?type=sign_event&callbackUrl=primal%3A%2F%2Fx%3Fs%3D1", .dip05, "primal://x?s=1"),
            ("nostrsigner://\(written)?type=sign_event&callbackUrl=primal%3A%2F%2Fx", .dip05, "primal://x"),
            ("nostrsigner://sign_event?event=\(written)&callbackUrl=primal%3A%2F%2Fx", .dip05, "primal://x"),
            (
                "nostrsigner:\(written)?compressionType=none&returnType=signature&type=sign_event"
                    + "&callbackUrl=https://example.com/?event=", .nip55, "https://example.com/?event="
            ),
            ("nostrsigner:\(written)?type=sign_event", .nip55, nil),
            ("nostrsigner:\(event)?type=sign_event", .nip55, nil),
            (
                "nostrsigner:\(written)?type=sign_event&callbackUrl=https://e.com/#/cb?event=", .nip55,
                "https://e.com/#/cb?event="
            ),
        ]
        for (text, convention, callback) in cases {
            let link = try #require(parsed(text), "\(text)")
            #expect(link.envelope.convention == convention, "\(text)")
            #expect(link.envelope.success?.text == callback, "\(text)")
            #expect(link.action == .sign(event), "\(text)")
        }
        #expect(parsed("nostrsigner:?type=get_public_key")?.envelope.usesClipboard == true)
        #expect(
            parsed("nostrsigner:hello?type=nip44_encrypt&pubkey=\(bob.hex)")?.action
                == .encrypt("hello", for: bob, .nip44))
    }

    @Test("takes JSON that nobody encoded up to its last brace")
    func rawJSON() throws {
        let raw = #"{"kind":1,"content":"why? #tag 100%","tags":[]}"#
        let link = try #require(parsed("nostrsigner:\(raw)?type=sign_event&callbackUrl=https://e.com/?event="))
        #expect(link.action == .sign(raw))
    }

    @Test("a plus is a space only where a form's encoder wrote the link")
    func plus() throws {
        // URLSearchParams of a browser: every colon encoded, spaces as plus.
        let form = "type=sign_event&event=%7B%22kind%22%3A1%2C%22content%22%3A%22a%2Bb+c%22%2C%22tags%22%3A%5B%5D%7D"
        #expect(parsed("nostrsigner://sign_event?\(form)&\(success)")?.action == .sign(event))
        // URLComponents of Foundation: colons and pluses as they are, spaces as %20.
        let apple = "type=sign_event&event=%7B%22kind%22:1,%22content%22:%22a+b%20c%22,%22tags%22:%5B%5D%7D"
        #expect(parsed("nostrsigner://sign_event?\(apple)&x-success=myapp://ok")?.action == .sign(event))
        // Base64 holds no space, whoever wrote it.
        let base64 = "encryptedText=a+b/c%3D&pubkey=\(bob.hex)&\(success)"
        #expect(parsed("nostrsigner://nip44_decrypt?\(base64)")?.action == .decrypt("a+b/c=", from: bob, .nip44))
    }

    @Test("unpacks what is packed, and bounds it")
    func gzip() throws {
        func request(_ text: String) -> String {
            let packed = PercentEncoding.encode(Base64.encode(Gzip.compress(Array(text.utf8)).span))
            return "nostrsigner://sign_event?event=\(packed)&compressionType=gzip&\(success)"
        }
        #expect(parsed(request(event))?.action == .sign(event))
        #expect(
            parsed("nostrsigner://sign_event?event=\(written)&compressionType=gzip&\(success)")?.action == .sign(event))
        let bomb = "{" + String(repeating: " ", count: 4_000_000) + "}"
        #expect(request(bomb).utf8.count < SignerLink.longest)
        #expect(error(request(bomb))?.code == .payloadTooLarge)
        let cut = Array(Gzip.compress(Array(event.utf8)).dropLast(4))
        let broken = PercentEncoding.encode(Base64.encode(cut.span))
        let text = "nostrsigner://sign_event?event=\(broken)&compressionType=gzip&\(success)"
        #expect(error(text)?.code == .invalidRequest)
    }

    @Test(
        "says what is wrong, in the words of the standard",
        arguments: [
            ("sign_event?event=\(written)", LinkError.Code.invalidRequest),
            ("sign_event?event=\(written)&x-success=", .invalidRequest),
            ("sign_event?event=\(written)&x-success=nonsense", .invalidRequest),
            ("sign_event?event=&\(success)", .invalidRequest),
            ("sign_event?event=5&\(success)", .invalidRequest),
            ("sign_event?event=%7B%22&\(success)", .invalidRequest),
            ("sign_event?event=%7&\(success)", .invalidRequest),
            ("sign_event?event=\(written)&returnType=plaintext&\(success)", .invalidRequest),
            ("sign_event?event=\(written)&compressionType=zip&\(success)", .invalidRequest),
            ("sign_event?event=\(written)&current_user=me&\(success)", .invalidRequest),
            ("sign_event?event=\(written)&v=2&\(success)", .invalidRequest),
            ("sign_event?event=\(written)&id=\(String(repeating: "9", count: 257))&\(success)", .invalidRequest),
            ("nip44_encrypt?plaintext=a&\(success)", .invalidRequest),
            ("nip44_encrypt?plaintext=a&pubkey=00&\(success)", .invalidRequest),
            ("nip44_decrypt?pubkey=\(bob.hex)&\(success)", .invalidRequest),
            ("get_public_key?permissions=%7B%7D&\(success)", .invalidRequest),
            ("?\(success)", .invalidRequest),
            ("get_relays?\(success)", .unsupportedMethod),
            ("connect?type=connect&\(success)", .unsupportedMethod),
        ])
    func refusals(rest: String, code: LinkError.Code) throws {
        let reading = SignerLink.read("nostrsigner://\(rest)&x-error=myapp%3A%2F%2Ferr")
        guard case .unusable(let envelope, let error) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(error.code == code)
        let url: String
        switch envelope.refusal(error).delivery {
        case .open(let told): url = told
        // Without a place for results, the place for errors is opened by the person alone.
        case .offer(let told) where envelope.success == nil: url = told
        case .offer, .post, .copy, .nothing:
            Issue.record("nobody is told")
            return
        }
        #expect(url.hasPrefix("myapp://err?code=\(code.rawValue)&reason="))
    }

    @Test("refuses a link that is too long, and still tells its app")
    func tooLong() {
        let long = "sign_event?event=\(written)&pad=\(String(repeating: "a", count: SignerLink.longest))&\(success)"
        #expect(error("nostrsigner://" + long)?.code == .payloadTooLarge)
        #expect(SignerLink.read("nostrsigner://" + String(repeating: "a", count: 4 * SignerLink.longest)) == .notALink)
    }

    @Test("asks for what lies on the pasteboard, and takes it")
    func pasteboard() throws {
        let text = "nostrsigner://sign_event?type=sign_event&pb=token-1&\(success)"
        guard case .needsPayload(_, token: "token-1") = SignerLink.read(text) else {
            Issue.record("no token was found")
            return
        }
        guard case .request(let link) = SignerLink.read(text, pasted: event) else {
            Issue.record("what was pasted is not taken")
            return
        }
        #expect(link.action == .sign(event))
        #expect(error("nostrsigner://sign_event?pb=a%20b&\(success)")?.code == .invalidRequest)
    }

    @Test("permissions come each once, capped, and none grows by being misread")
    func permissions() throws {
        func wanted(_ json: String) -> [RemotePermission]? {
            let link = parsed("nostrsigner://get_public_key?permissions=\(PercentEncoding.encode(json))&\(success)")
            if case .publicKey(let wanted)? = link?.action { return wanted }
            return nil
        }
        #expect(wanted(#"[{"type":"sign_event","kind":"1"},{"type":"sign_event","kind":70000}]"#) == [])
        #expect(wanted(#"[{"type":"connect"},{"kind":1},5,null]"#) == [])
        #expect(wanted(#"[{"type":"sign_event"},{"type":"sign_event"}]"#) == [RemotePermission(.signEvent)])
        let many = (0..<500).map { #"{"type":"sign_event","kind":\#($0)}"# }.joined(separator: ",")
        #expect(wanted("[\(many)]")?.count == SignerLink.mostPermissions)
    }

    @Test("takes links by other addresses only where it is told to")
    func addresses() {
        let addresses = LinkAddresses(schemes: ["acme-signer"], pages: ["https://acme.example/sign/"])
        for beginning in ["acme-signer://", "nostrsigner://", "https://acme.example/sign/"] {
            let text = "\(beginning)sign_event?type=sign_event&event=\(written)&\(success)"
            guard case .request = SignerLink.read(text, at: addresses) else {
                Issue.record("\(beginning) is not taken")
                continue
            }
        }
        for text in ["", ":", "nostrsigner", "https://acme.example/sign/x", "acme-signer://sign_event?\(success)"] {
            #expect(SignerLink.read(text) == .notALink)
        }
    }

    @Test("noise never traps")
    func noise() {
        let texts = [
            "nostrsigner://sign_event?type=sign_event&event=\(written)&\(success)&x-error=myapp://e&id=1&pb=t",
            "nostrsigner:\(event)?type=sign_event&callbackUrl=https://example.com/?event=&compressionType=gzip",
            "nostrsigner://get_public_key?permissions=%5B%7B%22type%22%3A%22sign_event%22%7D%5D&\(success)",
        ]
        for text in texts {
            Noise.run(Array(text.utf8), rounds: 1500) { bytes in
                let noise = String(decoding: bytes, as: UTF8.self)
                if case .request(let link) = SignerLink.read(noise) {
                    _ = link.envelope.refusal(LinkError(.failed))
                    _ = link.answer(.text(noise), signer: "x")
                }
                _ = SignerLink.read(noise, pasted: noise)
                _ = try? Gzip.decompress(bytes, limit: 1000)
            }
        }
    }
}
