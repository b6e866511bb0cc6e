public import NostrNIPs

/// What of a link does not depend on what it asks: who asks, and how the answer goes back.
public struct LinkEnvelope: Hashable, Sendable {
    /// The ways signer links are written; they share their scheme and are told apart by their parameters.
    public enum Convention: String, Hashable, Sendable, CaseIterable {
        /// `x-success`, `x-error` and `x-cancel`.
        case nip155
        /// `callbackUrl`, which gets parameters of its own.
        case dip05
        /// `callbackUrl` that ends with `=`, behind which the result is put, or none: then it goes to the clipboard.
        case nip55
    }

    /// How the link is written.
    public var convention: Convention
    /// Where a result goes; `nil` for the clipboard, or when the link names no place that may be used.
    public var success: LinkCallback?
    /// Where errors go.
    public var error: LinkCallback?
    /// Where it goes when the person says no and there is no place for errors.
    public var cancel: LinkCallback?
    /// Chosen by the app; the answer repeats it byte for byte.
    public var id: String?
    /// Whether results are packed.
    public var isCompressed: Bool
    /// Under what on the pasteboard payload and result are exchanged.
    public var token: String?
    /// What the app says of itself.
    public var claims: ClientMetadata

    /// An envelope without a payload, for a parser to fill.
    init(_ convention: Convention) {
        self.convention = convention
        isCompressed = false
        claims = ClientMetadata()
    }

    /// Who asks: the place where results go, since that cannot be borrowed.
    public var app: RequestingApp { success.map { .link($0.destination) } ?? .anonymousLink }

    /// Whether the result goes to the clipboard, so that it is unknown who asks.
    public var usesClipboard: Bool { convention == .nip55 && success == nil }

    /// The answer to a link that gets no result.
    public func refusal(_ error: LinkError) -> LinkOutcome {
        let echo = id.map { [("id", $0)] } ?? []
        switch convention {
        case .nip155:
            if let place = self.error {
                let items = [("code", error.code.rawValue), ("reason", error.reason)] + echo
                return LinkOutcome(delivery(place.adding(items), to: place), error)
            }
            if error.code == .userCancelled, let place = cancel {
                return LinkOutcome(delivery(place.adding(echo), to: place), error)
            }
        case .dip05:
            if let place = success {
                let rejected = Self.isRejection(error) ? [("rejected", "true")] : []
                return LinkOutcome(.open(place.adding([("error", Self.dip05Code(error))] + rejected + echo)), error)
            }
        case .nip55: break
        }
        return LinkOutcome(.nothing, error)
    }

    /// Where no result goes is a place the person has seen nothing of: it is opened by their click alone.
    private func delivery(_ url: String, to place: LinkCallback) -> LinkOutcome.Delivery {
        place.origin == success?.origin ? .open(url) : .offer(url)
    }

    private static func isRejection(_ error: LinkError) -> Bool {
        error.code == .userCancelled || error.code == .permissionDenied
    }

    /// DIP-05, "Error Response".
    private static func dip05Code(_ error: LinkError) -> String {
        switch error.code {
        case .userCancelled, .permissionDenied: "user_rejected"
        case .invalidRequest, .payloadTooLarge: "invalid_content"
        case .unsupportedMethod: "unsupported_type"
        case .notLoggedIn, .rateLimited, .internalError: "internal_error"
        }
    }
}

/// What becomes of a link: where its answer goes, and why it has no result.
public struct LinkOutcome: Hashable, Sendable {
    /// What to do with the answer.
    public enum Delivery: Hashable, Sendable {
        /// Open this URL.
        case open(String)
        /// Open this URL once the person asks for it, and not before.
        case offer(String)
        /// Post this, as it is too long for an address; the browser goes where it is posted to.
        case post(PostedAnswer)
        /// Put this on the clipboard.
        case copy(String)
        /// The app is told nothing.
        case nothing
    }

    /// What to do with the answer.
    public let delivery: Delivery
    /// Why there is no result; `nil` when there is one.
    public let error: LinkError?

    /// An envelope.
    init(_ delivery: Delivery, _ error: LinkError? = nil) {
        self.delivery = delivery
        self.error = error
    }
}
