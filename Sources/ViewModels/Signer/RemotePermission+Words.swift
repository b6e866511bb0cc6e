internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// What events of a kind are called: "a note", "your follow list"; one nobody knows by its number.
func kindWords(_ kind: Kind) -> String {
    if let words = SignerWords.kind(kind) { return words }
    guard ListSort.all.contains(where: { $0.kind == kind }) else { return SignerWords.numbered(kind) }
    return SignerWords.list(ListSort.of(kind).title)
}

extension RemotePermission {
    /// What it lets an app do, as the end of "may …": "sign a note (kind 1)".
    var words: String { SignerWords.permission(method, kind, kind.map(kindWords)) }
}
