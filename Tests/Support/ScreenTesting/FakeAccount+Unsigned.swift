public import NostrClient
public import NostrCore

extension FakeAccount: UnsignedNoteKeeping {
    public func hold(_ composition: Composition, as id: String, until moment: Timestamp, keptAs: String?) throws {
        if let silence { throw silence }
        let note = UnsignedNote(id: id, composition: composition, notBefore: moment, keptAs: keptAs)
        unsignedNotes.append((note, .held))
    }

    public func sealedCount() -> Int { sealedNotes }

    /// Lets so many notes rest sealed.
    public func rest(sealed count: Int) { sealedNotes = count }

    public func waiting() -> [UnsignedNote] {
        unsignedNotes.filter { if case .published = $0.standing { false } else { true } }.map(\.note)
    }

    public func standing(of id: String) -> UnsignedNote.Standing? {
        unsignedNotes.first { $0.note.id == id }?.standing
    }

    public func publish(_ id: String) async throws -> EventID {
        guard let note = unsignedNotes.first(where: { $0.note.id == id })?.note else {
            throw AccountError(.unknownEvent)
        }
        stand(id, .signing)
        do {
            let event = try await publish(note.composition)
            stand(id, .published(event.id))
            if let draft = note.keptAs { try await personal?.deleteDraft(draft) }
            return event.id
        } catch {
            stand(id, .failed(error))
            throw error
        }
    }

    public func cancel(_ id: String) -> Bool {
        switch standing(of: id) {
        case .held, .failed: break
        case .signing, .published, nil: return false
        }
        unsignedNotes.removeAll { $0.note.id == id }
        return true
    }

    private func stand(_ id: String, _ standing: UnsignedNote.Standing) {
        for index in unsignedNotes.indices where unsignedNotes[index].note.id == id {
            unsignedNotes[index].standing = standing
        }
    }
}
