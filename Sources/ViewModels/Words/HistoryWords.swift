public import NostrNIPs

/// What the time machine says.
package enum HistoryWords {
    package static let restored = "Restored: that version is the current one again."
    static let versionMissing = "This version is not here."
    static let inForceAlready = "This is the current version already."
    static let noVersions = "No earlier versions are kept for this account."

    // What a version is of

    static let profile = "Profile"
    static let followList = "Follows"
    static let status = "Status"
    static func draft(_ name: String) -> String { "Draft \(name)" }
    static func article(_ name: String) -> String { "Article \(name)" }
    static func appData(_ name: String) -> String { "Data of an app: \(name)" }
    static let keyPackageRelays = "Relays for invitations to circles"
    static func keyPackage(_ name: String) -> String { "Key by which others add you to circles: \(name)" }
    static func named(_ what: String, _ name: String) -> String { "\(what): \(name)" }

    // What a version changed

    static let oldest = "The oldest version known here."
    static let privatePartChanged = "The private part changed; unlock your key to see how."
    static let unchanged = "Published again, unchanged."
    static let detailsChanged = "Only the order or details changed."
    static let fewer = "removed"
    static let more = "added"

    static func follows(_ count: Int, _ direction: String) -> String {
        "\(count) \(count == 1 ? "follow" : "follows") \(direction)"
    }
    static func privateEntries(_ count: Int, _ direction: String) -> String {
        "\(count) private \(count == 1 ? "entry" : "entries") \(direction)"
    }
    static func unknownEntries(_ count: Int, _ direction: String) -> String {
        "\(count) unknown \(count == 1 ? "entry" : "entries") \(direction)"
    }

    /// “Display name changed from “A” to “B””; what was or is empty was added or removed.
    static func field(_ name: String, from before: String, to after: String) -> String {
        if before.isEmpty { return after.isEmpty ? "\(name) changed" : "\(name) added: “\(after)”" }
        if after.isEmpty { return "\(name) removed, was “\(before)”" }
        return before == after ? "\(name) changed" : "\(name) changed from “\(before)” to “\(after)”"
    }
}

extension RelayList.Usage {
    /// What a relay is for, in words.
    public var words: String {
        switch self {
        case .read: "read"
        case .write: "write"
        default: "read and write"
        }
    }
}
