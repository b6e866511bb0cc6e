import AsyncPrimitives
import BlossomServer
import Logging
import NostrCore
import NostrSigner
import SQLiteStorage

/// The media server of a home: for the people whose accounts are here.
struct HomeBlobs: Sendable {
    let server: BlobServer
    private let records: SQLiteRecordStore

    /// Opens what is kept.
    init(_ home: Home) async throws {
        records = try SQLiteRecordStore(path: home.directory.blobRecords)
        let (keystore, log) = (home.keystore, home.log)
        server = try await BlobServer(
            folder: home.directory.blobs, records: records, settings: Self.settings(home.serving),
            mayBring: { await Self.isAtHome($0, keystore, log) }, fetching: BlobsOfTheWeb(),
            time: Time(clock: ContinuousClock(), now: { .current }), log: log)
    }

    /// Lets go of the file of records.
    var close: @Sendable () throws -> Void { records.close }

    /// What a home takes: what is looked at or listened to.
    ///
    /// The port has the pages, too, so nothing that a browser would run is taken from anybody.
    static func settings(_ serving: ServingConfiguration) -> BlobSettings {
        var settings = BlobSettings(domains: serving.hostNames)
        settings.name = "Linnet at home"
        settings.version = Version.text
        settings.address = serving.address?.text
        settings.writers = .named
        settings.types = [
            "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "video/*",
            "audio/*", "application/octet-stream", "application/pdf", "text/plain",
        ]
        return settings
    }

    /// Whether somebody has an account here with which something can be signed.
    private static func isAtHome(_ key: PublicKey, _ keystore: any Keystore, _ log: Logger) async -> Bool {
        do {
            return try await keystore.accounts().contains { $0.key == key && $0.kind != .readOnly }
        } catch {
            log.warning("who has an account here could not be read")
            return false
        }
    }
}
