internal import GzipFormat
internal import NostrCore
internal import NostrNIPs

/// What a text that may be a signer link says.
public enum LinkReading: Hashable, Sendable {
    /// It is no signer link at all, or cannot be told from one.
    case notALink
    /// A request.
    case request(SignerLink)
    /// A request whose payload lies on the pasteboard, under this token.
    case needsPayload(LinkEnvelope, token: String)
    /// A request that no signer can do.
    case unusable(LinkEnvelope, LinkError)
}

extension SignerLink {
    /// Reads a link.
    ///
    /// - Parameters:
    ///   - addresses: where links to this signer begin.
    ///   - pasted: what lay on the pasteboard under the link's token, once that was asked for.
    public static func read(
        _ text: String, at addresses: LinkAddresses = LinkAddresses(), pasted: String? = nil
    ) -> LinkReading {
        // Beyond any length that programs hand over, not even the callback is looked for.
        guard text.utf8.count <= 4 * longest else { return .notALink }
        let trimmed = text.drop { $0.isWhitespace }
        guard let end = trimmed.lastIndex(where: { !$0.isWhitespace }),
            let parameters = LinkParameters(trimmed[...end], at: addresses)
        else { return .notALink }
        var reader = LinkReader(parameters: parameters, pasted: pasted)
        do throws(LinkError) {
            try reader.addressAnswer()
            guard text.utf8.count <= longest else {
                throw LinkError(.linkTooLong(limit: longest))
            }
            return try reader.request()
        } catch {
            return .unusable(reader.envelope, error)
        }
    }
}

/// Reads the parts of one link, first those that say where an error goes.
private struct LinkReader {
    let parameters: LinkParameters
    let pasted: String?
    var envelope: LinkEnvelope

    init(parameters: LinkParameters, pasted: String?) {
        self.parameters = parameters
        self.pasted = pasted
        envelope = LinkEnvelope(Self.convention(of: parameters))
    }

    private static func convention(of parameters: LinkParameters) -> LinkEnvelope.Convention {
        if parameters["x-success"] ?? parameters["xSuccess"] != nil { return .nip155 }
        if let callback = parameters["callbackUrl"] { return callback.hasSuffix("=") ? .nip55 : .dip05 }
        return parameters.isHierarchical ? .nip155 : .nip55
    }

    /// Reads where answers go, and what they carry besides the result.
    mutating func addressAnswer() throws(LinkError) {
        envelope.id = parameters["id"]
        envelope.claims = ClientMetadata(
            name: parameters["x-source"] ?? parameters["appName"], url: parameters["client_url"])
        // Errors have no other place to go, so a place they cannot go to is no error of its own.
        envelope.error = (parameters["x-error"] ?? parameters["xError"]).flatMap { try? LinkCallback($0) }
        envelope.cancel = (parameters["x-cancel"] ?? parameters["xCancel"]).flatMap { try? LinkCallback($0) }
        let place =
            envelope.convention == .nip155
            ? parameters["x-success"] ?? parameters["xSuccess"] : parameters["callbackUrl"]
        if let place {
            envelope.success = try callback(place)
        } else if envelope.convention == .nip155 {
            throw LinkError(.missing("x-success"))
        }
        if let id = envelope.id, id.utf8.count > RemoteRequest.longestID {
            throw LinkError(.idTooLong(limit: RemoteRequest.longestID))
        }
    }

    private func callback(_ text: String) throws(LinkError) -> LinkCallback {
        do throws(LinkCallback.Problem) {
            return try LinkCallback(text)
        } catch {
            throw LinkError(.callback(error))
        }
    }

    /// Reads what is asked for.
    mutating func request() throws(LinkError) -> LinkReading {
        if let version = parameters["v"], version != "1" {
            throw LinkError(.version(String(version.prefix(8))))
        }
        switch parameters["compressionType"] {
        case nil, "none": break
        case "gzip": envelope.isCompressed = true
        default: throw LinkError(.wrong("compressionType", .compression))
        }
        guard let name = parameters.method else { throw LinkError(.missing("type")) }
        guard let method = RemoteMethod(rawValue: name), method == .getPublicKey || method.usesKey else {
            throw LinkError(.method)
        }
        if method != .getPublicKey, envelope.convention == .nip155, let token = parameters["pb"] {
            guard token.utf8.count <= 128, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw LinkError(.wrong("pb", .token))
            }
            envelope.token = token
            if pasted == nil { return .needsPayload(envelope, token: token) }
        }
        return .request(
            SignerLink(
                envelope, try action(method), currentUser: try key("current_user"),
                returnsEvent: try returnsEvent(method)))
    }

    private func returnsEvent(_ method: RemoteMethod) throws(LinkError) -> Bool {
        guard let wanted = parameters["returnType"] else { return false }
        let possible: Set<String> =
            switch method {
            case .signEvent: ["signature", "event"]
            case .nip04Encrypt, .nip44Encrypt: ["ciphertext"]
            case .nip04Decrypt, .nip44Decrypt: ["plaintext"]
            case .decryptZapEvent: ["event"]
            default: ["signature", "event", "ciphertext", "plaintext"]
            }
        // Web clients of NIP-55 write signature or event whatever they ask for.
        let known = envelope.convention == .nip155 ? possible : possible.union(["signature", "event"])
        guard known.contains(wanted) else {
            throw LinkError(.wrong("returnType", .returnable(by: method.rawValue)))
        }
        return method == .signEvent && wanted == "event"
    }

    private func action(_ method: RemoteMethod) throws(LinkError) -> SignerLink.Action {
        switch method {
        case .signEvent: return .sign(try object("event"))
        case .decryptZapEvent: return .decryptZap(try object("event"))
        case .nip04Encrypt, .nip44Encrypt:
            let cipher: ContentCipher = method == .nip04Encrypt ? .nip04 : .nip44
            return .encrypt(try payload(parameters["plaintext"], "plaintext"), for: try peer(), cipher)
        case .nip04Decrypt, .nip44Decrypt:
            let cipher: ContentCipher = method == .nip04Decrypt ? .nip04 : .nip44
            return .decrypt(
                try payload(parameters.base64("encryptedText"), "encryptedText"), from: try peer(), cipher)
        default: return .publicKey(try permissions())
        }
    }

    private func peer() throws(LinkError) -> PublicKey {
        guard let key = try key("pubkey") else { throw LinkError(.missing("pubkey")) }
        return key
    }

    private func key(_ name: String) throws(LinkError) -> PublicKey? {
        guard let text = parameters[name] else { return nil }
        do { return try PublicKey(hex: text.lowercased()) } catch {
            throw LinkError(.wrong(name, .key))
        }
    }

    /// An event, which is a JSON object; whether it is whole is for the signer to say.
    private func object(_ name: String) throws(LinkError) -> String {
        let text = try payload(parameters[name], name)
        // What is not JSON has no reason anybody needs.
        guard case .object? = try? JSONValue(Array(text.utf8)) else {
            throw LinkError(.wrong(name, .object))
        }
        return text
    }

    /// What the method works on: from the pasteboard, from its parameter, or in place of the path.
    private func payload(_ parameter: String?, _ name: String) throws(LinkError) -> String {
        guard let text = envelope.token != nil ? pasted : parameter ?? parameters.payload, !text.isEmpty else {
            throw LinkError(.missing(name))
        }
        guard text.utf8.count <= SignerLink.longestPayload else { throw Self.tooLarge }
        return try unpacked(text)
    }

    /// Unpacks what `compressionType` says is packed; apps that mean only the result by it leave the rest plain.
    private func unpacked(_ text: String) throws(LinkError) -> String {
        guard envelope.isCompressed, envelope.convention == .nip155, let packed = Base64.decode(Self.padded(text)),
            packed.starts(with: [0x1F, 0x8B])
        else { return text }
        do throws(Gzip.Problem) {
            let bytes = try Gzip.decompress(packed, limit: SignerLink.longestPayload)
            guard let text = String(validating: bytes, as: UTF8.self) else { throw Gzip.Problem.malformed }
            return text
        } catch {
            switch error {
            case .tooLarge: throw Self.tooLarge
            case .malformed: throw LinkError(.packing)
            }
        }
    }

    private static let tooLarge = LinkError(.payloadTooLong(limit: SignerLink.longestPayload))

    /// Base64 of RFC 4648 out of what apps write: the URL's alphabet, no padding, a `+` taken for a space.
    private static func padded(_ text: String) -> String {
        let letters = text.map { letter -> Character in
            switch letter {
            case "-": "+"
            case "_": "/"
            case " ": "+"
            default: letter
            }
        }
        return String(letters) + String(repeating: "=", count: (4 - letters.count % 4) % 4)
    }

    /// Permissions an app would like: `[{"type": …, "kind": …}]`; each once, unknown methods left out.
    private func permissions() throws(LinkError) -> [RemotePermission] {
        guard let text = parameters["permissions"] else { return [] }
        guard let json = try? JSONValue(Array(text.utf8), depth: 4), case .array(let entries) = json else {
            throw LinkError(.wrong("permissions", .array))
        }
        var seen: Set<RemotePermission> = []
        return entries.prefix(SignerLink.mostPermissions).compactMap { entry in
            guard let permission = RemotePermission(linked: entry) else { return nil }
            return seen.insert(permission).inserted ? permission : nil
        }
    }
}
