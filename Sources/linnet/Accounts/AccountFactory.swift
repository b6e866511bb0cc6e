import AsyncPrimitives
import Circles
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import NostrStore
import SQLiteStorage

/// Where accounts are put to work: the shared event store, the sockets, and what holds for all of them.
///
/// Every account has relay connections of its own, so that no relay can tell by a shared socket that two accounts are
/// one person, and so that each answers authentication (NIP-42) with its own key.
struct AccountFactory: Sendable {
    let store: any EventStore & VersionStore
    let transport: any NamingTransport
    let configuration: AccountConfiguration
    let directory: DataDirectory
    let log: Logger
    /// What domains say of their names; `nil` where none are asked.
    var names: (any NamesFetching)?
    /// What places of payment say of themselves; `nil` where none are asked.
    var payees: (any PayeeFetching)?
    /// The beginnings of pages of the web; `nil` where none are fetched.
    var pages: (any PageFetching)?
    /// Sealed files from where others say they lie; `nil` where none are fetched.
    var blobs: (any SealedBlobFetching)?
    /// Speaks with media servers; `nil` where no files are kept there.
    var media: (any BlobTransferring)?
    /// Speaks with media servers that an account's person typed, which may be near; `nil` where those are as others.
    var nearMedia: (any NearBlobTransferring)?
    /// Reads films and sounds of others part by part; `nil` where browsers do that themselves.
    var parts: (any PartFetching)?
    /// Makes files ready before they are brought there.
    var preparing: any MediaPreparing = MediaProgram()
    /// Where accounts also sign for other apps; `nil` where they do not.
    var signing: SignerFactory?

    /// Whether an account has been at work on this machine before.
    func hasWorked(_ key: PublicKey) -> Bool {
        FileManager.default.fileExists(atPath: directory.account(key.hex))
    }

    /// Puts an account together; nothing runs yet.
    ///
    /// - Parameter passphrases: checks the passphrase of its key for its signer.
    func open(
        _ key: PublicKey, signer: LockableSigner?, passphrases: (any PassphraseChecking)? = nil
    ) throws -> AccountAtWork {
        let clock = ContinuousClock()
        let own = ListedRelays()
        let blocked = BlockedRelaysInForce()
        let authenticator = signer.map { RelaysByConsent(signer: $0, relays: own, clock: clock) }
        let pool = RelayPool(
            transport: transport.naming { own.contains($0) }, blocked: blocked, authenticator: authenticator,
            clock: clock, wall: { .current }, logger: Logger(label: "linnet.relays"))
        // What is to say nothing of who asks goes over connections of its own, where nobody authenticates.
        let keyless = RelayPool(
            transport: transport, blocked: blocked, clock: clock, wall: { .current },
            logger: Logger(label: "linnet.relays"))
        let records = try SQLiteRecordStore(path: directory.account(key.hex))
        let places = LocationSourceSetting()
        let account = LiveAccount(
            publicKey: key, signer: signer, store: store, records: records, versions: store, network: pool,
            keyless: keyless, blocked: blocked, names: names, payees: payees, pages: pages,
            media: access(of: key), blobs: blobs,
            configuration: configuration,
            time: Time(clock: clock, now: { .current }), log: Logger(label: "linnet.account"),
            unlocked: [AccountCircles.factory(source: places)])
        own.serve(account)
        let signerAtWork = signer.flatMap { signing?.open($0, of: account, passphrases: passphrases) }
        let work = StoppableWork {
            // Whatever connects for the account waits until it is known where it must not.
            guard await account.loadFromDisk() else { return }
            await withTaskGroup { group in
                group.addTask { await pool.run() }
                group.addTask { await keyless.run() }
                group.addTask { await account.run() }
                if let signerAtWork { group.addTask { await signerAtWork.run() } }
            }
        }
        return AccountAtWork(
            account: account, records: records, signer: signer, signing: signerAtWork, places: places, work: work)
    }

    private func access(of key: PublicKey) -> MediaAccess? {
        media.map { transfer in
            MediaAccess(
                transfer: transfer, near: nearMedia, parts: parts, preparing: preparing,
                folder: URL(fileURLWithPath: directory.files(key.hex), isDirectory: true))
        }
    }
}

/// An open account and the work that keeps it going.
struct AccountAtWork: Sendable {
    let account: LiveAccount
    let records: SQLiteRecordStore
    /// Its lock; `nil` for an account without a key.
    let signer: LockableSigner?
    /// What signs with its key for other apps; `nil` where nothing does.
    let signing: SignerAtWork?
    /// From where the place of this machine is read for it.
    let places: LocationSourceSetting
    /// Its connections and everything it does with them.
    let work: StoppableWork
}
