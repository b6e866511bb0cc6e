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
    init(_ home: Home, _ rules: HomeBlobRules) async throws {
        records = try SQLiteRecordStore(path: home.directory.blobRecords)
        let (keystore, log) = (home.keystore, home.log)
        server = try await BlobServer(
            folder: home.directory.blobs, records: records,
            settings: rules.settings(domains: home.serving.hostNames, address: home.serving.address?.text),
            mayBring: { key in
                if rules.people.contains(key) { return true }
                return await Self.isAtHome(key, keystore, log)
            }, fetching: rules.copies ? BlobsOfTheWeb() : nil,
            time: Time(clock: ContinuousClock(), now: { .current }), log: log)
    }

    /// Lets go of the file of records.
    var close: @Sendable () throws -> Void { records.close }

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
