internal import GzipFormat
internal import NostrCore
internal import NostrNIPs

extension SignerLinkCaller.Pending {
    /// What a callback's parameters say.
    func reply(_ query: URIQuery) -> SignerLinkCaller.Reply {
        if let refusal = refusal(query) { return .refused(refusal) }
        if let place = query["result_ref"], place.hasPrefix("pb:"), place.utf8.count > 3 {
            return .onPasteboard(token: String(place.dropFirst(3)))
        }
        return reply(result: query["pubkey"] ?? query["result"], event: query["event"], query)
    }

    /// What a result says, wherever it was found.
    func reply(result: String?, event: String?, _ query: URIQuery) -> SignerLinkCaller.Reply {
        let broken = LinkError(.answerUnreadable)
        switch action {
        case .publicKey:
            // A key that is none is an answer that cannot be read.
            guard let key = result.flatMap({ try? PublicKey(hex: $0.lowercased()) }) else { return .refused(broken) }
            let granted = query["granted_permissions"].map(Self.permissions) ?? []
            return .publicKey(key, signer: query["package"], granted: granted)
        case .sign(let asked):
            guard let event = [event, result].lazy.compactMap({ $0 }).compactMap(signed).first,
                Self.isSame(event, as: asked), user == nil || event.pubkey == user
            else { return .refused(broken) }
            return .signed(event)
        case .encrypt, .decrypt, .decryptZap:
            guard let text = result.flatMap(unpacked) else { return .refused(broken) }
            return .text(text)
        }
    }

    private func refusal(_ query: URIQuery) -> LinkError? {
        if let code = query["code"], query["signer"] == "error" {
            let known = LinkError.Code(rawValue: code) ?? .internalError
            return LinkError(known, .said(String((query["reason"] ?? code).prefix(200))))
        }
        if query["signer"] == "cancel" { return LinkError(.refused(.person)) }
        guard convention == .dip05, let code = query["error"] else { return nil }
        let known: LinkError.Code =
            switch code {
            case "user_rejected": .userCancelled
            case "unsupported_type": .unsupportedMethod
            case "invalid_content", "invalid_callback", "invalid_pubkey": .invalidRequest
            default: query["rejected"] == "true" ? .userCancelled : .internalError
            }
        return LinkError(known, .said(String(code.prefix(200))))
    }

    /// An event whose id and signature are right.
    private func signed(_ text: String) -> Event? {
        guard let json = unpacked(text), let raw = try? UnverifiedEvent(json: Array(json.utf8)) else { return nil }
        // What is forged is as good as nothing.
        return try? Event(verifying: raw)
    }

    private func unpacked(_ text: String) -> String? {
        guard isCompressed else { return text }
        let packed = text.hasPrefix("Signer1") ? String(text.dropFirst(7)) : text
        guard convention == .nip155 || text.hasPrefix("Signer1") else { return text }
        guard let bytes = Base64.decode(packed) else { return nil }
        // What does not unpack is no answer.
        return (try? Gzip.decompress(bytes, limit: SignerLink.longestPayload)).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }

    /// Whether an event says what was asked to be signed.
    private static func isSame(_ event: Event, as asked: String) -> Bool {
        guard let json = try? JSONValue(Array(asked.utf8)) else { return false }
        let tags = (json["tags"]?.elements ?? []).map { Tag($0.elements.compactMap(\.string)) }
        return json["kind"]?.integer == Int64(event.kind.rawValue)
            && json["content"]?.string?.utf8.elementsEqual(event.content.utf8) == true && tags == event.tags
            && (json["created_at"]?.integer.map { $0 == event.createdAt.seconds } ?? true)
    }

    private static func permissions(_ text: String) -> [RemotePermission] {
        // Permissions that cannot be read are none.
        let entries = (try? JSONValue(Array(text.utf8), depth: 4))?.elements ?? []
        return entries.prefix(SignerLink.mostPermissions).compactMap(RemotePermission.init(linked:))
    }
}

extension RemotePermission {
    /// Reads one permission as links write it: `{"type": …, "kind": …}`.
    init?(linked entry: JSONValue) {
        guard let method = entry["type"]?.string.flatMap(RemoteMethod.init(rawValue:)), method.usesKey else {
            return nil
        }
        let kind = entry["kind"]?.integer.flatMap { UInt16(exactly: $0) }
        // A kind that is none must not become every kind.
        if entry["kind"] != nil, kind == nil { return nil }
        self.init(method, kind: kind.map { Kind($0) })
    }
}
