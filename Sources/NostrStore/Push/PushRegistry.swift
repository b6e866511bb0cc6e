public import NostrCore

/// Who is woken, for whom, and what has been done already: all a push proxy remembers.
///
/// Several proxies may share one registry. Every registry passes the one contract suite
/// (`NostrTesting/PushRegistryContract.swift`).
public protocol PushRegistry: Sendable {
    /// Adds a device, or notes that it was seen again and replaces its keys; returns only after that is durable.
    ///
    /// Where a signer has more devices than its quota then, those not seen for longest go.
    ///
    /// - Throws: ``StoreError``; then nothing has changed.
    func register(_ device: PushDevice, quota: PushQuota) async throws

    /// Forgets one signer's device.
    ///
    /// - Parameter identity: ``PushAddress/identity``.
    /// - Returns: whether there was one.
    /// - Throws: ``StoreError``.
    @discardableResult func unregister(_ identity: String, of signer: PublicKey) async throws -> Bool

    /// Forgets an address for every signer, because its push service says that it is gone.
    ///
    /// Keeps a device that registered since: an answer about an old registration says nothing of the new one.
    ///
    /// - Parameter moment: only registrations last seen before this moment go; `nil` for all.
    /// - Throws: ``StoreError``.
    func prune(_ identity: String, seenBefore moment: Timestamp?) async throws

    /// The devices of some signers, in no order; signers without one are left out.
    ///
    /// - Throws: ``StoreError``.
    func devices(of signers: Set<PublicKey>) async throws -> [PublicKey: [PushDevice]]

    /// Adds a pairing, or replaces the relays of a known one; returns only after that is durable.
    ///
    /// - Throws: ``StoreError``; then nothing has changed.
    func pair(_ pairing: PushPairing, quota: PushQuota, now: Timestamp) async throws -> PairingOutcome

    /// Forgets a pairing.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``StoreError``.
    @discardableResult func unpair(_ client: PublicKey, of signer: PublicKey) async throws -> Bool

    /// The clients some signers are paired with; signers without one are left out.
    ///
    /// - Throws: ``StoreError``.
    func clients(of signers: Set<PublicKey>) async throws -> [PublicKey: Set<PublicKey>]

    /// The relays of all pairings of signers that have a device.
    ///
    /// - Throws: ``StoreError``.
    func watchedRelays() async throws -> [RelayURL: WatchedRelay]

    /// Notes that wakes for paired apps, which came over some relays, reached a device.
    ///
    /// - Throws: ``StoreError``.
    func noteDeliveries(over relays: Set<RelayURL>, at moment: Timestamp) async throws

    /// A number that changes whenever ``watchedRelays()`` may, but for deliveries, whichever proxy changed it.
    ///
    /// - Throws: ``StoreError``.
    func revision() async throws -> Int64

    /// Claims ids, each for whoever comes first.
    ///
    /// - Parameter expiry: how long a claim must be remembered.
    /// - Returns: those that nobody had claimed before.
    /// - Throws: ``StoreError``.
    func claim(_ ids: [EventID], for claim: PushClaim, until expiry: Timestamp) async throws -> Set<EventID>

    /// Forgets claims whose expiry has passed.
    ///
    /// - Throws: ``StoreError``.
    func dropClaims(expiredBy moment: Timestamp) async throws

    /// Forgets devices not seen since a moment, the pairings of signers that have none and were paired before it, and
    /// deliveries of before it.
    ///
    /// - Returns: how many devices went.
    /// - Throws: ``StoreError``.
    @discardableResult func dropUnseen(since moment: Timestamp) async throws -> Int

    /// How much is held.
    ///
    /// - Throws: ``StoreError``.
    func counts() async throws -> PushCounts
}
