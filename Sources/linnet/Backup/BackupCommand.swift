import ArgumentParser
import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage

/// `linnet backup`: writes everything that is a person's own into one encrypted file.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write your accounts into one encrypted file.",
        discussion: """
            Holds the keys, the words they were made from, private messages and drafts, every version of your own events, \
            and the settings. Keys stay under their own passphrases inside; the whole file is encrypted with a passphrase \
            of its own, which may be another. Works while linnet serve is running. The backup is restored on trial before \
            it gets its name. Prints one line of JSON per account.
            """)

    @Argument(help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file")) var file: String
    @Option(help: ArgumentHelp("Only this account: npub or hex; may be given again.", valueName: "npub"))
    var account: [String] = []
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Restore the backup on trial before it is called done.",
            discussion: "Takes as much room in the data directory as the backup holds, until it is over."))
    var verify = true
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var cost: KeyCommand.Cost
    @OptionGroup var keys: KeystoreOptions
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        try Secrets.refuse(in: [file] + account)
        let directory = data.directory()
        let keystore = keys.keystore(in: directory)
        do {
            let accounts = try await chosen(from: try await keystore.accounts())
            let passphrase = try passphrase.passphrase(isNew: true)
            let output = try NewFile(file)
            let tallies: [BackupTally]
            do {
                tallies = try await write(accounts, of: keystore, in: directory, passphrase: passphrase, to: output)
                try output.finish()
            } catch {
                output.discard()
                throw error
            }
            for tally in tallies { try Output.json(tally) }
            if verify { Output.error("Everything in it came back when it was restored on trial.\n") }
        } catch {
            throw CommandFailure.speaking(error)
        }
    }

    private func write(
        _ accounts: [KeystoreAccount], of keystore: any Keystore, in directory: DataDirectory, passphrase: String,
        to output: NewFile
    ) async throws -> [BackupTally] {
        let store = try SQLiteEventStore(path: directory.events, now: { .current })
        let maker = BackupMaker(directory: directory, keystore: keystore, store: store, logN: cost.logN)
        var tallies = try await maker.make(of: accounts, passphrase: passphrase) { try output.write($0) }
        try store.close()
        guard verify else { return tallies }
        let source = BackupSource(place: .file(output.temporary), passphrase: passphrase)
        try await BackupTrial(directory: directory, source: source).run(expecting: tallies)
        for index in tallies.indices { tallies[index].verified = true }
        return tallies
    }

    private func chosen(from all: [KeystoreAccount]) async throws -> [KeystoreAccount] {
        guard !all.isEmpty else { throw CommandFailure("There is no account here to back up.") }
        guard !account.isEmpty else { return all }
        return try account.map { text in
            let key = try Reading.key(text)
            guard let found = all.first(where: { $0.key == key }) else {
                throw CommandFailure("There is no account \(key.npub) here.")
            }
            return found
        }
    }
}

/// `linnet restore`: brings the accounts of a backup back.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore the accounts of a backup.",
        discussion: """
            Looks through the whole file first and changes nothing unless it is whole. An account that is here already is \
            left as it is; the others are added. Stop linnet serve first. Prints one line of JSON per account, and ends \
            with 0 when every account of the backup was brought back.
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file")) var file: String
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var keys: KeystoreOptions
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        try Secrets.refuse(in: [file])
        // Before a passphrase is asked for.
        try Reading.open(file, "the file of a backup").close()
        let directory = data.directory()
        try directory.prepare()
        let lock = try DirectoryLock(directory)
        defer { _ = lock }
        let outcomes: [RestoredAccount]
        do {
            let source = BackupSource(
                place: .file(file), passphrase: try passphrase.passphrase(isNew: false))
            try source.check()
            outcomes = try await restore(source, into: directory)
        } catch {
            throw CommandFailure.speaking(error)
        }
        for outcome in outcomes { try Output.json(outcome) }
        if outcomes.contains(where: { $0.outcome != .restored }) { throw ExitCode.failure }
    }

    private func restore(_ source: BackupSource, into directory: DataDirectory) async throws -> [RestoredAccount] {
        let store = try SQLiteEventStore(path: directory.events, now: { .current })
        let program = try SQLiteRecordStore(path: directory.program)
        let here = try await keys.keystore(in: directory).accounts().map(\.key)
        var restorer = BackupRestorer(
            directory: directory, keystore: NIP49FileKeystore(directory: directory.keys, now: { .current }),
            known: Set(here), store: store, program: program)
        try await source.forEachLine { try await restorer.restore($0) }
        try await restorer.finish()
        try program.close()
        try store.close()
        return restorer.outcomes
    }
}
