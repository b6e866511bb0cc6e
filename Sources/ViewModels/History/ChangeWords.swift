internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// What one version changed, in words.
public struct ChangeWords: Hashable, Sendable {
    /// What changed, each in a few words; the greatest loss first.
    public let lines: [String]
    /// Whether most of what was there is gone, which is seldom meant.
    public let lostMost: Bool
}

/// Says what a version changed.
///
/// - Parameters:
///   - newer: the version.
///   - older: the one before it; `nil` for the oldest one known.
func changeWords(_ change: VersionChange?, from older: Event?, to newer: Event) -> ChangeWords {
    guard let change, let older else { return ChangeWords(lines: ["The oldest version known here."], lostMost: false) }
    let lost = Parted(change.dropped, publicIn: older), won = Parted(change.added, publicIn: newer)
    var lines = counted(lost.open, newer.kind, "fewer") + counted(won.open, newer.kind, "more")
    if lost.hidden > 0 { lines.append(entries(lost.hidden, "private") + " fewer") }
    if won.hidden > 0 { lines.append(entries(won.hidden, "private") + " more") }
    if change.droppedUnknown > 0 { lines.append(entries(change.droppedUnknown, "unknown") + " fewer") }
    if change.addedUnknown > 0 { lines.append(entries(change.addedUnknown, "unknown") + " more") }
    lines += change.fields.map(fieldWords)
    let before = older.tags.count { ListItem(tag: $0) != nil }
    let dropped = lost.open.count + change.droppedUnknown
    // What is encrypted grows and shrinks with what is in it, in steps; half the length is far less in it.
    let isHollow = lost.hidden >= 3 && newer.content.utf8.count * 2 < older.content.utf8.count
    let lostMost = dropped >= 3 && dropped * 2 > before || isHollow
    return ChangeWords(lines: lines.isEmpty ? silent(older, newer) : lines, lostMost: lostMost)
}

/// Entries that changed, those everybody can see apart from the private ones.
private struct Parted {
    var open: [ListItem] = []
    var hidden = 0

    init(_ items: [ListItem], publicIn event: Event) {
        let visible = Set(event.tags.compactMap(ListItem.init(tag:)))
        for item in items {
            if visible.contains(item) { open.append(item) } else { hidden += 1 }
        }
    }
}

/// “312 follows fewer”, “2 words fewer”.
private func counted(_ items: [ListItem], _ kind: Kind, _ direction: String) -> [String] {
    ListSort.EntrySort.allCases.compactMap { sort in
        let count = items.count { $0.sort == sort }
        guard count > 0 else { return nil }
        let isFollow = kind == FollowList.kind && sort == .person
        let noun = isFollow ? (count == 1 ? "follow" : "follows") : (count == 1 ? sort.one : sort.many)
        return "\(count) \(noun) \(direction)"
    }
}

private func entries(_ count: Int, _ quality: String) -> String {
    "\(count) \(quality) \(count == 1 ? "entry" : "entries")"
}

/// What a field of a profile is called.
func profileFieldName(_ name: String) -> String {
    let names = [
        "display_name": "Display name", "name": "Name", "about": "About", "picture": "Picture", "banner": "Banner",
        "website": "Website", "nip05": "Nostr address", "lud16": "Lightning address",
    ]
    return names[name] ?? "Field “\(oneLine(name, limit: 40))”"
}

/// “Display name changed from “A” to “B””.
private func fieldWords(_ field: VersionChange.FieldChange) -> String {
    let name = profileFieldName(field.name)
    let before = oneLine(field.before ?? "", limit: 60), after = oneLine(field.after ?? "", limit: 60)
    if before.isEmpty { return after.isEmpty ? "\(name) changed" : "\(name) added: “\(after)”" }
    if after.isEmpty { return "\(name) removed, was “\(before)”" }
    return before == after ? "\(name) changed" : "\(name) changed from “\(before)” to “\(after)”"
}

/// What is left to say when nothing Linnet knows changed.
private func silent(_ older: Event, _ newer: Event) -> [String] {
    if older.content != newer.content { return ["The private part changed; unlock your key to see how."] }
    return older.tags == newer.tags ? ["Published again, unchanged."] : ["Only the order or details changed."]
}

/// What the events of a kind are called, for the time machine.
func historyTitle(of address: EventAddress) -> String {
    switch address.kind {
    case 0: return "Profile"
    case FollowList.kind: return "Follows"
    case 30_315: return "Status" + (address.identifier.isEmpty ? "" : ": " + oneLine(address.identifier, limit: 60))
    case 31_234: return "Draft " + oneLine(address.identifier, limit: 12)
    case 30_023: return "Article " + oneLine(address.identifier, limit: 60)
    case 30_078: return "Data of an app: " + oneLine(address.identifier, limit: 60)
    default:
        let title = ListSort.of(address.kind).title
        return address.identifier.isEmpty ? title : title + ": " + oneLine(address.identifier, limit: 60)
    }
}
