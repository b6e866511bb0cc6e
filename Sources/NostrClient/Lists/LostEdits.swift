internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs

/// A change of a list that another device may not have seen when it changed the same list.
struct RecentEdit: Hashable, Sendable {
    let address: EventAddress
    let edit: ListEdit
    /// When the version with this change was made.
    let madeAt: Timestamp
    let version: EventID
}

/// Two devices that change a list at once replace each other's version; what was lost that way is done once more.
extension Lists {
    /// How long after a change another device's version counts as made at the same time.
    private static let atOnce: Duration = .seconds(60)
    private static let mostEdits = 64

    func noteEdit(_ edit: ListEdit, at address: EventAddress, in event: Event) {
        recentEdits.removeAll { $0.address == address && $0.edit.isAbout(edit) }
        recentEdits.append(RecentEdit(address: address, edit: edit, madeAt: event.createdAt, version: event.id))
        if recentEdits.count > Self.mostEdits { recentEdits.removeFirst() }
    }

    /// What was changed there before is not to be done again.
    func forgetEdits(at address: EventAddress?) {
        recentEdits.removeAll { $0.address == address }
    }

    /// A version of a list came that is not ours: whether changes of ours may be missing from it.
    func mayHaveLostEdits(in event: Event) -> Bool {
        guard event.pubkey == context.publicKey, let address = event.address else { return false }
        return recentEdits.contains { $0.address == address && $0.version != event.id }
    }

    /// Does changes again that a version made at the same time does not hold; each once, so that two devices that want
    /// the opposite do not go on forever.
    func redoLostEdits() async {
        let now = context.time.now()
        recentEdits.removeAll { $0.madeAt + Self.atOnce + Self.atOnce < now }
        for recent in recentEdits {
            do {
                guard let event = try await context.storedVersion(at: recent.address), event.id != recent.version,
                    event.createdAt >= recent.madeAt, event.createdAt <= recent.madeAt + Self.atOnce,
                    let list = PublicList(event)
                else { continue }
                let reading = await privateReading(of: event)
                if reading == .locked { continue }
                recentEdits.removeAll { $0 == recent }
                guard recent.edit.isMissing(in: list, reading) else { continue }
                _ = try await replaceable.change { try await apply(recent.edit, toListAt: recent.address) }
            } catch {
                context.report("a change that another device replaced could not be done again", error)
            }
        }
    }
}

extension ListEdit {
    /// Whether two changes concern the same thing, so that the later one stands.
    func isAbout(_ other: ListEdit) -> Bool {
        switch (self, other) {
        case (.rename, .rename): true
        case (.add(let a, _), .add(let b, _)), (.add(let a, _), .remove(let b)), (.remove(let a), .add(let b, _)),
            (.remove(let a), .remove(let b)):
            a.isSameThing(as: b)
        default: false
        }
    }

    /// Whether a version does not have this change.
    func isMissing(in list: PublicList, _ reading: PrivateReading) -> Bool {
        guard reading != .unreadable else { return false }
        let hidden = reading.items ?? PrivateItems()
        switch self {
        case .add(let item, isPrivate: true): return !hidden.contains(item)
        case .add(let item, isPrivate: false): return !list.contains(item)
        case .remove(let item): return list.contains(item) || hidden.contains(item)
        case .rename(let title, let summary): return (list.title ?? "") != title || (list.summary ?? "") != summary
        }
    }
}
