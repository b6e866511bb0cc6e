import ArgumentParser
import BlossomServer
import NostrCore

/// What a media server takes from whom, and how it says so: `linnet blossom`, and `linnet serve --blossom`.
struct BlossomRules: ParsableArguments {
    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp(
            "Somebody who may bring files; may be given again. Without any, everybody with a key may.",
            valueName: "npub"))
    var allowed: [String] = []
    @Option(help: ArgumentHelp("The largest file, such as 100MB or 2GB.", valueName: "size"))
    var maxSize = Self.usualSize
    @Option(help: ArgumentHelp("How much one person may have here (default: no bound).", valueName: "size"))
    var quota: ByteSize?
    @Option(
        name: .customLong("type"),
        help: ArgumentHelp("A type that is taken, as image/png or image/*; may be given again.", valueName: "type"))
    var types: [String] = []
    @Flag(help: "Let everybody see which files somebody brought, not only themselves.") var openLists = false
    @Flag(inversion: .prefixedNo, help: "Copy files from other servers on request (BUD-04).") var mirror = true

    private static let usualSize = ByteSize(bytes: 100_000_000)

    func validate() throws {
        guard types.allSatisfy({ $0.split(separator: "/", omittingEmptySubsequences: false).count == 2 }) else {
            throw ValidationError("A type is written as image/png or image/*.")
        }
    }

    /// The people who may bring files; empty for everybody.
    func people() throws -> Set<PublicKey> { Set(try allowed.map(Reading.key)) }

    /// The rules as a server's settings.
    func settings(domains: Set<String>, address: String?) -> BlobSettings {
        var settings = BlobSettings(domains: domains)
        settings.version = Version.text
        settings.address = address
        settings.blobSize = maxSize.bytes
        settings.quota = quota?.bytes
        settings.types = types.map { $0.lowercased() }
        settings.writers = allowed.isEmpty ? .everybody : .named
        settings.hasOpenLists = openLists
        return settings
    }

    /// Whether anything was chosen.
    var isChosen: Bool {
        !allowed.isEmpty || !types.isEmpty || quota != nil || openLists || !mirror || maxSize != Self.usualSize
    }

    /// The rules in words, a line each.
    var lines: [String] {
        let people = Set(allowed).count
        return lines(bringing: people == 0 ? "everybody with a key" : "\(people) named", types: types)
    }

    /// The same, where others may bring files or other types are taken.
    func lines(bringing: String, types: [String]) -> [String] {
        let kinds = types.isEmpty ? "every type" : types.joined(separator: ", ")
        return [
            "bringing: \(bringing); reading: everybody",
            "files: \(kinds), at most \(maxSize.text) each, "
                + (quota.map { "\($0.text) of each person" } ?? "as many as fit"),
            "lists: " + (openLists ? "everybody" : "their owner")
                + "; copying from other servers: " + (mirror ? "yes" : "no"),
        ]
    }
}
