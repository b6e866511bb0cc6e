import Foundation
import NostrCore
import NostrNIPs
import NostrSigner

@testable import linnet

/// A person with a data directory of their own.
struct CommandPerson {
    let key: PublicKey
    let directory: DataDirectory
    let relay: String
    static let passphrase = "correct horse"

    init(relay: String, signer: LocalSigner = .generate()) async throws {
        directory = DataDirectory(path: NSTemporaryDirectory() + "linnet-\(UUID().uuidString)")
        try directory.prepare()
        self.relay = relay
        key = signer.publicKey
        let keystore = NIP49FileKeystore(directory: directory.keys, logN: 4, now: { .current })
        _ = try await keystore.add(signer, name: "", passphrase: Self.passphrase, handling: .secure)
    }

    func run(_ arguments: [String], input: String = "") throws -> Program.Result {
        try Program.run(arguments, input: input, environment: environment)
    }

    /// What tells the program whose it is.
    var environment: [String: String] {
        ["LINNET_DATA": directory.path, "LINNET_PASSWORD": Self.passphrase, "LINNET_INDEXERS": relay]
    }

    func forget() { try? FileManager.default.removeItem(atPath: directory.path) }
}

/// Runs a relay and some people whose inboxes are known there.
func withCommandPeople(_ count: Int, _ body: ([CommandPerson]) throws -> Void) async throws {
    let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: data) }
    let program = try RunningProgram(["relay", "--port", "0", "--data", data])
    let relay = String(program.line().dropFirst("relay ".count))
    var people: [CommandPerson] = []
    for _ in 0..<count { people.append(try await CommandPerson(relay: relay)) }
    defer { people.forEach { $0.forget() } }
    // Inboxes are published first, as a person's Linnet does when it runs.
    for person in people { _ = try person.run(["dm", "list"]) }
    try body(people)
}

/// A line of output.
func object(_ line: String) throws -> JSONValue { try JSONValue(Array(line.utf8)) }
