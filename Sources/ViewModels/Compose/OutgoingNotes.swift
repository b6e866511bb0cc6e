public import AsyncPrimitives
public import NostrClient
public import NostrCore
internal import NostrSigner

/// Holds what was written for a moment, so that it can be undone, then publishes it.
///
/// `run()` must run as long as the program: it publishes what is due, and on the way out all that is left.
public actor OutgoingNotes {
    /// How one held note stands.
    public enum Standing: Equatable, Sendable {
        /// It goes out at this moment unless undone.
        case held(until: Timestamp)
        /// It is being signed and queued.
        case publishing
        /// It rests on disk until the key is unlocked.
        case waitingForKey
        /// It is signed, kept and on its way; no relay has taken it yet.
        case queued(EventID)
        /// A relay has it.
        case published(EventID)
        /// Every relay refused it, or could not be reached for too long.
        case refused(EventID)
        /// It was not published, and why; its text can be taken back.
        case failed(Trouble)
    }

    /// How long a note can be undone, unless its person chose otherwise.
    public static let undoTime = PersonalSettings.usualUndoTime
    private static let remembered = 100
    /// How long the way out waits for a signer; what is not signed by then stays on disk and goes out after the next
    /// start.
    private static let patience = Duration.seconds(5)

    private struct Entry {
        let composition: Composition
        let draft: ComposeState.Draft
        let keptAs: String?
        let account: any Account
        var standing: Standing
        /// The note, once it is signed and rests in the publish queue.
        var signed: EventID?
        /// Where it rests unsigned, under the same name; `standing` then says only what is done with it here.
        var unsigned: Unsigned?

        var isHeld: Bool { if case .held = standing { true } else { false } }

        /// Whether it can be sent on its way now; what was taken up is seen to elsewhere, and only joined in here.
        var canGoOut: Bool {
            switch standing {
            case .held, .failed, .waitingForKey: true
            case .publishing: unsigned != nil
            case .queued, .published, .refused: false
            }
        }
    }

    private struct Unsigned {
        let keeper: any UnsignedNoteKeeping
        var due: Timestamp
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    /// Accounts whose notes are being published; a signer that does not answer holds up those of nobody else.
    private var busy: Set<PublicKey> = []
    /// Rings when a note is to go out at another moment than was known.
    private let bell = Doorbell()
    private let time: Time<Timestamp>
    private let name: @Sendable () -> String

    /// Holds nothing yet.
    ///
    /// - Parameter name: makes a name for each note held, which nobody can guess.
    public init(time: Time<Timestamp>, name: @escaping @Sendable () -> String) {
        self.time = time
        self.name = name
    }

    /// Holds a note; it is published when it can be undone no more.
    ///
    /// - Parameters:
    ///   - undo: how long that is.
    ///   - keptAs: the kept draft it was taken up from, which goes once the note is published.
    ///   - signsAtOnce: whether signing waits neither for a person nor for work. Then it is signed now and rests in the
    ///     account's publish queue. Else it rests unsigned, and is signed when its time has come. Either is on disk, so
    ///     that a crash neither loses it nor publishes it early.
    /// - Returns: the name to ask after it.
    public func hold(
        _ composition: Composition, draft: ComposeState.Draft, keptAs: String? = nil,
        undo: Duration = OutgoingNotes.undoTime,
        signsAtOnce: Bool = false, of account: any Account
    ) async -> String {
        let id = name()
        let due = time.now() + undo
        entries[id] = Entry(
            composition: composition, draft: draft, keptAs: keptAs, account: account,
            standing: .publishing)
        order.append(id)
        await forgetOld()
        if signsAtOnce { await sign(id, until: due) } else { await keepUnsigned(id, until: due) }
        bell.ring()
        return id
    }

    /// Holds what was handed over on a page, as ``hold(_:draft:keptAs:undo:signsAtOnce:of:)`` does.
    ///
    /// - Parameter client: what wrote it, where that is to be told.
    /// - Returns: the name to ask after it; `nil` when nothing was handed over.
    public func hold(
        _ composed: ComposeState, undo: Duration = OutgoingNotes.undoTime, client: String? = nil,
        signsAtOnce: Bool = false,
        of account: any Account
    ) async -> String? {
        guard var composition = composed.handedOver else { return nil }
        composition.client = client
        return await hold(
            composition, draft: composed.draft, keptAs: composed.keptAs, undo: undo, signsAtOnce: signsAtOnce,
            of: account)
    }

    private func sign(_ id: String, until due: Timestamp) async {
        guard let entry = entries[id] else { return }
        do {
            let event = try await entry.account.publishing.publish(entry.composition, notBefore: due)
            entries[id]?.signed = event.id
            entries[id]?.standing = .held(until: due)
        } catch SigningFailure.locked {
            // The key locked itself meanwhile, or before.
            await keepUnsigned(id, until: due)
        } catch {
            entries[id]?.standing = .failed(Trouble(error))
        }
    }

    private func keepUnsigned(_ id: String, until due: Timestamp) async {
        guard let entry = entries[id] else { return }
        do {
            guard let keeper = entry.account.unsigned else { throw AccountError(.readOnly) }
            try await keeper.hold(entry.composition, as: id, until: due, keptAs: entry.keptAs)
            entries[id]?.unsigned = Unsigned(keeper: keeper, due: due)
            entries[id]?.standing = .held(until: due)
        } catch {
            entries[id]?.standing = .failed(Trouble(error))
        }
    }

    /// Takes up what an account has not signed yet, also from before a restart; the account itself sees to it.
    ///
    /// - Returns: the note that is to go first, to show it; `nil` when there is none.
    public func waiting(of account: any Account) async -> String? {
        guard let keeper = account.unsigned else { return nil }
        let waiting = await keeper.waiting()
        for note in waiting where entries[note.id] == nil {
            let written = ComposeState.Draft(
                text: note.composition.text, warning: note.composition.contentWarning,
                attachments: note.composition.attachments, mediaPost: note.composition.mediaPost)
            entries[note.id] = Entry(
                composition: note.composition, draft: written, keptAs: note.keptAs, account: account,
                standing: .publishing, unsigned: Unsigned(keeper: keeper, due: note.notBefore))
            order.append(note.id)
        }
        await forgetOld()
        return waiting.first?.id
    }

    /// The note that every page of an account shows: the last that can still be undone, else one that waits for its signer.
    public func shown(to account: any Account) async -> String? {
        let last = order.last { id in
            guard let entry = entries[id], case .held = entry.standing else { return false }
            return entry.account.publicKey == account.publicKey
        }
        if let last { return last }
        return await waiting(of: account)
    }

    /// How a note stands; `nil` when it was undone or is long gone.
    public func standing(_ id: String) async -> Standing? {
        guard let entry = entries[id] else { return nil }
        guard let unsigned = entry.unsigned, let standing = await unsigned.keeper.standing(of: id) else {
            if case .queued(let note) = entry.standing { return await standing(of: note, entry.account) }
            return entry.standing
        }
        switch standing {
        case .held: return .held(until: unsigned.due)
        case .signing: return .publishing
        case .failed(SigningFailure.locked): return .waitingForKey
        // It was handed over anew, and is tried next.
        case .failed where entry.isHeld: return .publishing
        case .failed(let error): return .failed(Trouble(error))
        case .published(let note): return await self.standing(of: note, entry.account)
        }
    }

    /// How far a signed note has come, by what relays answered.
    private func standing(of note: EventID, _ account: any Account) async -> Standing {
        // Where that cannot be read, no relay is known to have it.
        let receipts = (try? await account.publishing.receipts(for: note)) ?? []
        var isOver = !receipts.isEmpty
        for receipt in receipts {
            switch receipt.state {
            case .accepted: return .published(note)
            case .waiting: isOver = false
            case .givenUp: continue
            }
        }
        return isOver ? .refused(note) : .queued(note)
    }

    /// Takes a held or failed note back.
    ///
    /// - Returns: what was filled in and what it referred to; `nil` when it is too late, or somebody else wrote it.
    public func undo(_ id: String, of key: PublicKey) async -> UnfinishedNote? {
        guard let entry = entries[id], entry.account.publicKey == key else { return nil }
        if let unsigned = entry.unsigned {
            guard await isTakenBack(id, of: unsigned.keeper) else { return nil }
            return forget(id)
        }
        switch entry.standing {
        case .held, .failed: break
        case .publishing, .waitingForKey, .queued, .published, .refused: return nil
        }
        // Nothing else is done with it while the account is asked.
        entries[id]?.standing = .publishing
        if let signed = entry.signed, await !isTakenBack(signed, of: entry.account) {
            entries[id]?.standing = .queued(signed)
            return nil
        }
        return forget(id)
    }

    private func forget(_ id: String) -> UnfinishedNote? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 == id }
        return UnfinishedNote(entry.composition, draft: entry.draft, keptAs: entry.keptAs)
    }

    private func isTakenBack(_ note: EventID, of account: any Account) async -> Bool {
        // A note that cannot be taken out of the queue now goes out.
        (try? await account.publishing.cancel(note)) ?? false
    }

    private func isTakenBack(_ id: String, of keeper: any UnsignedNoteKeeping) async -> Bool {
        // What cannot be taken off the disk now is published.
        (try? await keeper.cancel(id)) ?? false
    }

    /// Ends the time to undo a note: ``run()`` publishes it next.
    public func hasten(_ id: String) {
        guard entries[id]?.canGoOut == true else { return }
        entries[id]?.standing = .held(until: time.now())
        entries[id]?.unsigned?.due = time.now()
        bell.ring()
    }

    /// The account that is publishing a note right now.
    func publishing(_ id: String) async -> (any Account)? {
        guard let entry = entries[id], await standing(id) == .publishing else { return nil }
        return entry.account
    }

    /// Publishes a held note now, or tries again what failed.
    public func publishNow(_ id: String) async {
        guard let entry = entries[id], entry.canGoOut else { return }
        entries[id]?.standing = .publishing
        do {
            if let unsigned = entry.unsigned {
                // In a step of its own: an optional chain holds the table open while its right-hand side waits, and others
                // change the table meanwhile.
                let event = try await unsigned.keeper.publish(id)
                entries[id]?.standing = .queued(event)
                return
            }
            if let signed = entry.signed {
                try await entry.account.publishing.release(signed)
                entries[id]?.standing = .queued(signed)
            } else {
                let event = try await entry.account.publishing.publish(entry.composition)
                entries[id]?.standing = .queued(event.id)
            }
            // The draft stays where it cannot be deleted now; it is then deleted by hand.
            if let draft = entry.keptAs { try? await entry.account.drafts?.deleteDraft(draft) }
        } catch SigningFailure.locked where entry.unsigned != nil {
            // It rests on disk, and its account goes on with it once the key is unlocked.
            entries[id]?.standing = .waitingForKey
        } catch {
            entries[id]?.standing = .failed(Trouble(error))
        }
    }

    /// Publishes what is due, until cancelled; sleeps while nothing is held.
    ///
    /// The notes of one account go one after the other, those of several side by side.
    public func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let moment = time.now()
                for (account, notes) in held(dueBy: moment) where busy.insert(account).inserted {
                    group.addTask { await self.publish(notes, of: account) }
                }
                guard let next = nextDue else {
                    await bell.wait()
                    continue
                }
                // However the machine's date is set meanwhile, nothing waits longer than it is to.
                let pause = min(.seconds(next.seconds - moment.seconds), Self.undoTime)
                await bell.wait(atMost: pause, on: time.clock)
            }
        }
    }

    private func publish(_ notes: [String], of account: PublicKey) async {
        for id in notes { await publishNow(id) }
        busy.remove(account)
        bell.ring()
    }

    private var nextDue: Timestamp? {
        entries.values.compactMap { entry in
            guard case .held(let due) = entry.standing, !busy.contains(entry.account.publicKey) else { return nil }
            return due
        }.min()
    }

    /// Publishes everything still held, for the way out.
    public func publishAll() async {
        await withDiscardingTaskGroup { group in
            for notes in held(dueBy: nil).values {
                group.addTask { for id in notes { await self.publishOnTheWayOut(id) } }
            }
        }
    }

    private func publishOnTheWayOut(_ id: String) async {
        if entries[id]?.unsigned == nil {
            await publishNow(id)
        } else {
            await withDeadline(Self.patience, on: time.clock) { await self.publishNow(id) }
        }
    }

    /// What is still held, by account; with a moment, what is due by then.
    private func held(dueBy moment: Timestamp?) -> [PublicKey: [String]] {
        let due = order.filter { id in
            guard case .held(let due) = entries[id]?.standing else { return false }
            return moment.map { due <= $0 } ?? true
        }
        return Dictionary(grouping: due) { entries[$0]?.account.publicKey }
            .reduce(into: [:]) { found, group in if let account = group.key { found[account] = group.value } }
    }

    /// Forgets what is over, but for the last; what waits, or failed and has its text only here, stays.
    private func forgetOld() async {
        for id in order.dropLast(Self.remembered) where await isOver(id) {
            entries[id] = nil
            order.removeAll { $0 == id }
        }
    }

    private func isOver(_ id: String) async -> Bool {
        guard let entry = entries[id] else { return true }
        guard let unsigned = entry.unsigned else { return entry.standing.isPublished }
        // What its account knows no longer is out, or comes again when the account is unlocked.
        return await unsigned.keeper.standing(of: id)?.isPublished ?? true
    }
}

extension OutgoingNotes.Standing {
    /// Whether it is signed and in the publish queue, or was.
    fileprivate var isPublished: Bool {
        switch self {
        case .queued, .published, .refused: true
        case .held, .publishing, .waitingForKey, .failed: false
        }
    }
}

extension UnsignedNote.Standing {
    fileprivate var isPublished: Bool { if case .published = self { true } else { false } }
}
