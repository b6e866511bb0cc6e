import Logging
import NostrClient
import NostrStore
import SQLiteStorage
import ViewModels
import WebSocketNIO

/// What everything in a home stands on: the files that all share, the sockets, and the network they lead to.
struct HomeBase: Sendable {
    /// What holds for the whole program, and the sessions of its pages.
    let program: SQLiteRecordStore
    /// The events of all accounts.
    let store: SQLiteEventStore
    let transport: NamedRelaysTransport
    /// What holds for the whole program, whoever is logged in.
    let settings: SettingsRecords
    /// How the network is met: the simulated one, where it runs in that.
    let configuration: AccountConfiguration
    /// The simulated Nostr; `nil` for the real one.
    let play: DemoPlay?
    private let directory: DataDirectory
    private let log: Logger

    /// Opens the files of a home.
    init(_ home: Home) async throws {
        (directory, log) = (home.directory, home.log)
        program = try SQLiteRecordStore(path: home.directory.program)
        play =
            if let world = home.world {
                try await DemoPlay.open(world, in: home.directory, log: home.log)
            } else {
                nil
            }
        var options = DatabaseOptions()
        options.writesAfterReading = true
        store = try SQLiteEventStore(path: home.directory.events, options: options, now: { .current })
        var usual = Settings()
        if let play { usual.first.trendingServer = TrendingServer(address: play.trends) }
        settings = SettingsRecords(records: program, usual: usual, log: home.log)
        configuration = play?.configuration ?? home.configuration
        transport = try NamedRelaysTransport(configuration, allowed: settings, world: play?.hosts)
    }

    /// What domains say of their names: those of the simulated Nostr where that is played.
    private var names: any NamesFetching { play?.names ?? NamesOfTheWeb() }

    /// What places of payment say of themselves: those of the simulated Nostr where that is played.
    private var payees: any PayeeFetching { play?.payees ?? PayeesOfTheWeb() }

    /// Pages of the web: those of the simulated Nostr where that is played.
    private var pages: any PageFetching { play?.sites ?? PagesOfTheWeb() }

    /// Sealed files: those of the simulated Nostr where that is played.
    private var blobs: any SealedBlobFetching { play?.blobs ?? MediaOfTheWeb() }

    /// Media servers: those of the simulated Nostr where that is played.
    private var media: any BlobTransferring { play?.media ?? MediaOfTheWeb() }

    /// Media servers that the account's person typed; in the simulated Nostr they are as all others.
    private var nearMedia: (any NearBlobTransferring)? { play == nil ? MediaOfTheWeb(near: true) : nil }

    /// Films and sounds of others: those of the simulated Nostr where that is played.
    private var parts: any PartFetching { play?.media ?? PartsOfTheWeb() }

    /// What makes accounts here.
    ///
    /// - Parameter signing: makes their signers; without it they sign for no other apps.
    func accountFactory(signing: SignerFactory) -> AccountFactory {
        AccountFactory(
            store: store, transport: transport, configuration: configuration, directory: directory, log: log,
            names: names, payees: payees, pages: pages, blobs: blobs, media: media, nearMedia: nearMedia,
            parts: parts, signing: signing)
    }

    /// What makes accounts here whose events rest in a store of their own.
    func accountFactory(store: any EventStore & VersionStore) -> AccountFactory {
        AccountFactory(
            store: store, transport: transport, configuration: configuration, directory: directory, log: log,
            names: names, payees: payees, pages: pages, blobs: blobs)
    }
}
