public import MLS
public import NostrCore
internal import NostrNIPs

/// Key packages of generation B.
///
/// Source: MIP-00, as MDK 0.8 has it.
extension GenerationB {
    /// A key package as MDK makes it: for 84 days from an hour ago, to be used more than once.
    public func newKeyPackage(
        for identity: PublicKey, now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> OwnKeyPackage {
        let second = UInt64(clamping: now.seconds)
        let lifetime = Lifetime(
            notBefore: second - min(second, 3_600), notAfter: UInt64(clamping: (now + .seconds(84 * 86_400)).seconds))
        do {
            return try OwnKeyPackage(
                cipherSuite: Self.suite, signer: SignaturePrivateKey(for: Self.suite),
                credential: Credential(identity),
                capabilities: Capabilities(
                    cipherSuites: [Self.suite], extensions: [.lastResort, .marmotGroupData], proposals: [.selfRemove]),
                lifetime: lifetime, extensions: [Extension(type: .lastResort, data: [])], grease: .capabilities,
                random: &random)
        } catch {
            throw MarmotError(.refusedByMLS, "A key package could not be made.", cause: error)
        }
    }

    /// The event of kind 30443 that publishes a key package.
    ///
    /// - Throws: `badTag` without a relay, `refusedByMLS`.
    public func draft(
        of keyPackage: KeyPackage, _ publication: KeyPackagePublication
    ) throws(MarmotError) -> EventDraft {
        guard !publication.relays.isEmpty else { throw MarmotError(.badTag, "A key package needs a relay.") }
        let reference = try throughMLS("The key package has no reference.") { () throws(MLSError) in
            try keyPackage.reference()
        }
        var tags: [Tag] = [
            ["d", publication.slot.hex], ["mls_protocol_version", Self.protocolVersion],
            ["mls_ciphersuite", Self.text(Self.suite.rawValue)],
            Tag(["mls_extensions"] + Self.extensions.map { Self.text($0.rawValue) }),
            ["mls_proposals", Self.text(ProposalType.selfRemove.rawValue)],
            Tag(["relays"] + publication.relays.map(\.text)), ["i", encodeHex(reference.bytes)],
        ]
        if publication.isProtected { tags.append(.protected) }
        if let client = publication.client { tags.append(["client", client]) }
        tags.append(["encoding", "base64"])
        return EventDraft(
            kind: .keyPackage, tags: tags, content: Base64.encode(keyPackage.encoded.span), createdAt: publication.now)
    }

    /// Reads an event of kind 30443 or 443.
    ///
    /// MDK takes a 30443 only if SelfRemove is the one proposal its tag names; here it may name others too.
    ///
    /// - Throws: `wrongKind`, `missingTag`, `badTag`, `tooLarge`, `badEncoding`, `malformed`, `unsupported`,
    ///   `wrongAuthor`, or `refusedByMLS` for a package that is out of its lifetime or wrong in itself.
    public func keyPackage(in event: Event, now: Timestamp) throws(MarmotError) -> PublishedKeyPackage {
        guard event.kind == .keyPackage || event.kind == .legacyKeyPackage else {
            throw MarmotError(.wrongKind, "The event is no key package.")
        }
        let isLegacy = event.kind == .legacyKeyPackage
        try Self.checkCapabilityTags(event.tags, isLegacy: isLegacy)
        let slot = isLegacy ? nil : try Self.slot(event.tags)
        let relays = try event.tags.requiredRelays()
        try event.tags.requireBase64()
        let encoded = try bytes(of: event.content, limit: Self.longestKeyPackage)
        let package = try throughMLS("The content is no key package.", .malformed) { () throws(MLSError) in
            try KeyPackage(bytes: encoded)
        }
        try Self.check(package, of: event.pubkey, now: now)
        let reference = try throughMLS("The key package has no reference.") { () throws(MLSError) in
            try package.reference()
        }
        try Self.check(reference, event.tags, isLegacy: isLegacy)
        return PublishedKeyPackage(
            eventID: event.id, owner: event.pubkey, createdAt: event.createdAt, slot: slot, keyPackage: package,
            reference: reference, relays: relays, client: event.tags.firstValue("client"))
    }

    /// What every leaf must be able to do, in the order MDK names it.
    static let extensions: [ExtensionType] = [.lastResort, .marmotGroupData]
    private static let protocolVersion = "1.0"
    /// The longest lifetime of a key package that we add: a year.
    private static let longestLifetime: UInt64 = 366 * 86_400

    private static func slot(_ tags: [Tag]) throws(MarmotError) -> String {
        guard let slot = try tags.required("d").value, (try? decodeHex(slot.lowercased(), byteCount: 32)) != nil else {
            throw MarmotError(.badTag, "The tag “d” is not 64 hex digits.")
        }
        return slot
    }

    private static func checkCapabilityTags(_ tags: [Tag], isLegacy: Bool) throws(MarmotError) {
        guard try tags.required("mls_protocol_version").value == protocolVersion else {
            throw MarmotError(.unsupported, "The key package is for another version of MLS.")
        }
        guard try number(tags.required("mls_ciphersuite")[1]) == suite.rawValue else {
            throw MarmotError(.unsupported, "The key package is for another cipher suite.")
        }
        let named = try numbers(tags.required("mls_extensions"))
        guard extensions.allSatisfy({ named.contains($0.rawValue) }) else {
            throw MarmotError(.unsupported, "The tag “mls_extensions” lacks one that Marmot needs.")
        }
        if isLegacy, tags.first(where: { $0.name == "mls_proposals" }) == nil { return }
        guard try numbers(tags.required("mls_proposals")).contains(ProposalType.selfRemove.rawValue) else {
            throw MarmotError(.unsupported, "The tag “mls_proposals” lacks SelfRemove.")
        }
    }

    private static func check(_ package: KeyPackage, of owner: PublicKey, now: Timestamp) throws(MarmotError) {
        guard package.cipherSuite == suite else {
            throw MarmotError(.unsupported, "The key package is for another cipher suite.")
        }
        try throughMLS("The key package is not valid.") { () throws(MLSError) in
            try package.validate(at: UInt64(clamping: now.seconds), maximumLifetime: longestLifetime)
        }
        guard package.leafNode.credential.nostrKey == owner else {
            throw MarmotError(.wrongAuthor, "The key package is of somebody else than the event.")
        }
        guard extensions.allSatisfy(package.leafNode.capabilities.extensions.contains) else {
            throw MarmotError(.unsupported, "The leaf lacks an extension that Marmot needs.")
        }
    }

    private static func check(_ reference: KeyPackageRef, _ tags: [Tag], isLegacy: Bool) throws(MarmotError) {
        if isLegacy, tags.first(where: { $0.name == "i" }) == nil { return }
        guard try tags.required("i").value?.lowercased() == encodeHex(reference.bytes) else {
            throw MarmotError(.badTag, "The tag “i” names another key package.")
        }
    }

    private static func numbers(_ tag: Tag) throws(MarmotError) -> [UInt16] {
        var numbers: [UInt16] = []
        for text in tag.elements.dropFirst() { numbers.append(try number(text)) }
        return numbers
    }

    /// A number as `0x` and four hex digits.
    private static func number(_ text: String?) throws(MarmotError) -> UInt16 {
        guard let text = text?.lowercased(), text.utf8.count == 6, text.hasPrefix("0x"),
            let bytes = try? decodeHex(String(text.dropFirst(2)), byteCount: 2)
        else { throw MarmotError(.badTag, "A number in a tag is not “0x” and four hex digits.") }
        return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    }

    private static func text(_ number: UInt16) -> String {
        "0x" + encodeHex([UInt8(number >> 8), UInt8(number & 0xff)])
    }
}
