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
    guard let change, let older else { return ChangeWords(lines: [HistoryWords.oldest], lostMost: false) }
    let lost = Parted(change.dropped, publicIn: older), won = Parted(change.added, publicIn: newer)
    var lines = counted(lost.open, newer.kind, HistoryWords.fewer) + counted(won.open, newer.kind, HistoryWords.more)
    if lost.hidden > 0 { lines.append(HistoryWords.privateEntries(lost.hidden, HistoryWords.fewer)) }
    if won.hidden > 0 { lines.append(HistoryWords.privateEntries(won.hidden, HistoryWords.more)) }
    if change.droppedUnknown > 0 {
        lines.append(HistoryWords.unknownEntries(change.droppedUnknown, HistoryWords.fewer))
    }
    if change.addedUnknown > 0 { lines.append(HistoryWords.unknownEntries(change.addedUnknown, HistoryWords.more)) }
    lines += change.fields.map(fieldWords)
    lines += change.usages.map { HistoryWords.field($0.relay.text, from: $0.before.words, to: $0.after.words) }
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
        if isFollow { return HistoryWords.follows(count, direction) }
        return "\(count) \(count == 1 ? sort.one : sort.many) \(direction)"
    }
}

/// “Display name changed from “A” to “B””.
private func fieldWords(_ field: VersionChange.FieldChange) -> String {
    let name = ProfileWords.field(field.name)
    let before = oneLine(field.before ?? "", limit: 60), after = oneLine(field.after ?? "", limit: 60)
    return HistoryWords.field(name, from: before, to: after)
}

/// What is left to say when nothing Linnet knows changed.
private func silent(_ older: Event, _ newer: Event) -> [String] {
    if older.content != newer.content { return [HistoryWords.privatePartChanged] }
    return [older.tags == newer.tags ? HistoryWords.unchanged : HistoryWords.detailsChanged]
}

/// What the events of a kind are called, for the time machine.
func historyTitle(of address: EventAddress) -> String {
    let identifier = oneLine(address.identifier, limit: address.kind == 31_234 ? 12 : 60)
    switch address.kind {
    case 0: return HistoryWords.profile
    case FollowList.kind: return HistoryWords.followList
    case 30_315 where address.identifier.isEmpty: return HistoryWords.status
    case 30_315: return HistoryWords.named(HistoryWords.status, identifier)
    case 31_234: return HistoryWords.draft(identifier)
    case 30_023: return HistoryWords.article(identifier)
    case 30_078: return HistoryWords.appData(identifier)
    case 10_051: return HistoryWords.keyPackageRelays
    case 30_443: return HistoryWords.keyPackage(oneLine(address.identifier, limit: 8))
    default:
        let title = ListSort.of(address.kind).title
        return address.identifier.isEmpty ? title : HistoryWords.named(title, identifier)
    }
}
