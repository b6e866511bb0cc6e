internal import NostrCore

/// What a browser's extension signs to prove that it has a key: an event that is never published.
///
/// Shape: kind 27235 (NIP-98) with the tag `challenge`, at most ten minutes old; Linnet gives the challenge out and takes
/// it back in one session.
struct BrowserProof {
    /// Whose key it is.
    let key: PublicKey

    private static let kind: Kind = 27_235
    private static let validity: Int64 = 600

    /// Checks a proof.
    ///
    /// - Throws: a ``Trouble`` that says what is wrong with it.
    init(_ json: String, of challenge: String, now: Timestamp) throws(Trouble) {
        let event: Event
        do { event = try Event(verifying: UnverifiedEvent(json: json.utf8.span)) } catch {
            throw Trouble(SigningElsewhereWords.proofNotSigned)
        }
        guard event.kind == Self.kind, !challenge.isEmpty, event.tags.firstValue("challenge") == challenge else {
            throw Trouble(SigningElsewhereWords.proofOfSomethingElse)
        }
        guard abs(event.createdAt.seconds - now.seconds) <= Self.validity else {
            throw Trouble(SigningElsewhereWords.proofTooOld)
        }
        key = event.pubkey
    }
}
