import ArgumentParser
import BlossomServer
import NostrCore

/// What the media server of a home takes from whom: what was chosen, within what a home takes at all.
///
/// The port has the pages, too, so nothing that a browser would run is taken from anybody.
struct HomeBlobRules: Sendable {
    /// People who may bring files besides those who have an account here.
    let people: Set<PublicKey>
    /// Whether files of other servers are copied on request.
    let copies: Bool
    /// The rules in words, a line each.
    let lines: [String]
    private let types: [String]
    private let blobSize: Int
    private let quota: Int?
    private let hasOpenLists: Bool

    /// What is looked at or listened to.
    static let usualTypes = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "video/*",
        "audio/*", "application/octet-stream", "application/pdf", "text/plain",
    ]

    /// - Throws: a ``CommandFailure`` for who is no person, and a type of which a home takes nothing.
    init(_ rules: BlossomRules) throws {
        people = try rules.people()
        types = try Self.types(rules.types.map { $0.lowercased() })
        (blobSize, quota) = (rules.maxSize.bytes, rules.quota?.bytes)
        (hasOpenLists, copies) = (rules.openLists, rules.mirror)
        let bringing = "people with an account here" + (people.isEmpty ? "" : ", and \(people.count) named")
        lines = ["media server: /blossom says what it takes"] + rules.lines(bringing: bringing, types: types)
    }

    /// The rules as a server's settings.
    func settings(domains: Set<String>, address: String?) -> BlobSettings {
        var settings = BlobSettings(domains: domains)
        settings.name = "Linnet at home"
        settings.version = Version.text
        settings.address = address
        settings.writers = .named
        settings.types = types
        settings.blobSize = blobSize
        settings.quota = quota
        settings.hasOpenLists = hasOpenLists
        return settings
    }

    /// The types that were chosen, as far as a home takes them; all that it takes where none were.
    private static func types(_ chosen: [String]) throws -> [String] {
        guard !chosen.isEmpty else { return usualTypes }
        var taken: [String] = []
        for type in chosen {
            let found = usualTypes.contains { covers($0, type) } ? [type] : usualTypes.filter { covers(type, $0) }
            guard !found.isEmpty else {
                throw CommandFailure(
                    "A home takes no files of the type \(type), since browsers might run them beside its pages.")
            }
            taken += found.filter { !taken.contains($0) }
        }
        return taken
    }

    private static func covers(_ wide: String, _ type: String) -> Bool {
        wide == type || wide == "*/*" || wide.hasSuffix("/*") && type.hasPrefix(wide.dropLast())
    }
}
