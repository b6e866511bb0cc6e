internal import GzipFormat
internal import NostrCore
internal import NostrNIPs

/// What a link gets when it is done.
enum LinkResult: Hashable, Sendable {
    /// Whose key it is, and what of the permissions asked for the app has.
    case publicKey(PublicKey, granted: [RemotePermission])
    /// A signed event.
    case signed(Event)
    /// What was encrypted or decrypted.
    case text(String)
}

extension SignerLink {
    /// The longest answer put into a URL, in bytes.
    public static let longestAnswer = 128 * 1024
    /// The longest answer put into a web address, in bytes: servers commonly take no more of one.
    public static let longestWebAnswer = 8 * 1024
    /// The longest answer that is posted, in bytes.
    public static let longestPost = 2 * 1024 * 1024

    /// The answer with a result.
    ///
    /// - Parameter signer: what the signer is called (`package`).
    /// - Returns: where it goes, posted where a server would not take the URL; or the refusal, when the answer would be
    ///   longer than any.
    func answer(_ result: LinkResult, signer: String) -> LinkOutcome {
        guard let place = envelope.success else { return LinkOutcome(.copy(single(result))) }
        if envelope.convention == .nip155, let posted = posted(items(result, signer: signer) + echo, to: place) {
            return LinkOutcome(.post(posted))
        }
        let text =
            envelope.convention == .nip55
            ? place.appending(single(result)) : place.adding(items(result, signer: signer) + echo)
        guard text.utf8.count <= Self.longestAnswer else {
            return envelope.refusal(LinkError(.resultTooLong))
        }
        return LinkOutcome(.open(text))
    }

    /// The answer as a form, where it is too long for the address of a server.
    private func posted(_ items: [(String, String)], to place: LinkCallback) -> PostedAnswer? {
        guard place.reachesServer, place.adding(items).utf8.count > Self.longestWebAnswer,
            items.reduce(0, { $0 + $1.1.utf8.count }) <= Self.longestPost
        else { return nil }
        return PostedAnswer(items, to: place)
    }

    /// What goes to the pasteboard in place of the callback, and the answer that points there.
    func answerByPasteboard(_ result: LinkResult, token: String) -> (text: String, outcome: LinkOutcome)? {
        guard let place = envelope.success else { return nil }
        return (packed(single(result)), LinkOutcome(.open(place.adding([("result_ref", "pb:" + token)] + echo))))
    }

    private var echo: [(String, String)] { envelope.id.map { [("id", $0)] } ?? [] }

    /// Parameters of the callback (NIP-155, "Methods"; DIP-05, "Response Format").
    private func items(_ result: LinkResult, signer: String) -> [(String, String)] {
        let isNIP155 = envelope.convention == .nip155
        switch result {
        case .publicKey(let key, let granted):
            guard isNIP155 else { return [("result", key.hex)] }
            var items = [("pubkey", key.hex), ("package", signer)]
            if case .publicKey(let wanted) = action, !wanted.isEmpty {
                items.append(("granted_permissions", Self.json(granted)))
            }
            return items
        case .signed(let event):
            let signature = event.signature.hex
            let items = [("result", isNIP155 ? packed(signature) : signature)]
            return returnsEvent ? items + [("event", packedEvent(event))] : items
        case .text(let text): return [("result", isNIP155 ? packed(text) : text)]
        }
    }

    /// The one text of an answer that has no parameters.
    private func single(_ result: LinkResult) -> String {
        switch result {
        case .publicKey(let key, _): key.hex
        case .signed(let event):
            if envelope.convention == .nip55 {
                returnsEvent ? packedEvent(event) : event.signature.hex
            } else {
                returnsEvent ? Self.text(event) : event.signature.hex
            }
        case .text(let text): text
        }
    }

    /// Packed as NIP-155 has it: Base64 of gzip.
    private func packed(_ text: String) -> String {
        envelope.isCompressed ? Base64.encode(Gzip.compress(Array(text.utf8)).span) : text
    }

    /// A signed event; NIP-55 and DIP-05 mark a packed one.
    private func packedEvent(_ event: Event) -> String {
        (envelope.isCompressed && envelope.convention != .nip155 ? "Signer1" : "") + packed(Self.text(event))
    }

    private static func text(_ event: Event) -> String { String(decoding: event.json, as: UTF8.self) }

    /// Permissions as links write them.
    static func json(_ permissions: [RemotePermission]) -> String {
        JSONValue.array(
            permissions.map { permission in
                .object(
                    [JSONMember("type", .string(permission.method.rawValue))]
                        + (permission.kind.map { [JSONMember("kind", .number("\($0.rawValue)"))] } ?? []))
            }
        ).text
    }
}
