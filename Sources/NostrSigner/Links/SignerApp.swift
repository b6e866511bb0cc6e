internal import NostrNIPs

/// A signer that links can be sent to.
public struct SignerApp: Hashable, Sendable, Identifiable {
    /// How it is reached.
    public enum Address: Hashable, Sendable {
        /// By a scheme: its own, or the one that all share and of which the system picks one.
        case scheme(String)
        /// By a page of its own that the system hands to it (universal link): `https://host/path/`.
        case page(String)
    }

    /// What people call it; `nil` for whichever the system has chosen.
    public let name: String?
    /// How it is reached.
    public let address: Address
    /// How it reads links.
    public let convention: LinkEnvelope.Convention

    public var id: String { name ?? beginning }

    /// An app as a link names it.
    public init(name: String?, address: Address, convention: LinkEnvelope.Convention = .nip155) {
        self.name = name
        self.address = address
        self.convention = convention
    }

    /// Whichever signer the system has chosen for the shared scheme.
    public static let shared = SignerApp(name: nil, address: .scheme("nostrsigner"))

    /// Signers that are known, the shared scheme last.
    public static let known = [
        SignerApp(name: "Linnet", address: .scheme("linnet-signer")),
        SignerApp(name: "Aegis", address: .scheme("aegis")),
        SignerApp(name: "Amber", address: .scheme("nostrsigner"), convention: .nip55),
        SignerApp(name: "Damus", address: .scheme("nostrsigner"), convention: .dip05),
        shared,
    ]

    /// The URL of a request, up to its method or payload.
    var beginning: String {
        switch address {
        case .scheme(let scheme): convention == .nip155 ? scheme + "://" : scheme + ":"
        case .page(let page): page
        }
    }

    /// A URL that tells whether the signer is there (NIP-155, "Versioning & Discovery").
    public var probe: String {
        convention == .nip155 ? beginning + "get_public_key?type=get_public_key" : beginning
    }

    /// Those of some signers that may be there, for a person to choose from: the system tells who takes a scheme only
    /// when it is opened.
    public static func available(among apps: [SignerApp] = known, by opener: some URLOpening) async -> [SignerApp] {
        var found: [SignerApp] = []
        for app in apps {
            if await opener.canOpen(app.probe) { found.append(app) }
        }
        return found
    }
}
