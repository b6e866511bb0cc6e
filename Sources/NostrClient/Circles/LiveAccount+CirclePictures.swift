internal import Location
internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Pictures of members and of circles.
extension LiveAccount {
    public func setAvatar(_ jpeg: [UInt8]?, in id: CircleID) async throws {
        let image = try jpeg.map { file throws(CircleError) in try CircleImage(chosen: file) }
        let moment = try await momentOfNextPicture(of: publicKey, in: id)
        try await send(in: id) { now, readers in
            CircleMessage.avatar(image, readers: readers, sentAt: moment, now: now)
        }
    }

    public func setPicture(_ jpeg: [UInt8]?, in id: CircleID) async throws {
        let image = try jpeg.map { file throws(CircleError) in try CircleImage(chosen: file) }
        guard try await member(of: id).session?.roster.isAdmin(publicKey) == true else {
            throw CircleError.notAdmin
        }
        let moment = try await momentOfNextPicture(of: nil, in: id)
        try await send(in: id) { now, readers in
            CircleMessage.circleAvatar(image, readers: readers, sentAt: moment, now: now)
        }
    }

    public func picture(_ picture: CirclePicture, in id: CircleID) async throws -> [UInt8]? {
        let opened = try await openedCircles()
        guard let seat = opened.seats[id] else { throw CircleError.unknownCircle }
        guard seat.record.picture(of: picture.person) == picture else { return nil }
        return try await image(picture, in: id, opened.records)?.jpeg
    }

    private func image(
        _ picture: CirclePicture, in id: CircleID, _ records: SealedRecords
    ) async throws -> CircleImage? {
        do {
            let bytes = try await records.value(.init(CircleTable.pictures, group: id.hex, picture.word))
            return bytes.flatMap { CircleImage(jpeg: $0) }
        } catch is SealingKey.Failure {
            // A damaged picture is none.
            return nil
        }
    }

    /// When to date the next picture: of two of one second nobody could tell which is the last.
    private func momentOfNextPicture(of person: PublicKey?, in id: CircleID) async throws -> Timestamp {
        let now = time.now()
        let record = try await member(of: id).record
        guard let last = record.pictures?[person?.hex ?? CircleStep.circle]?.sentAt else { return now }
        let next = Timestamp(seconds: last) + .seconds(1)
        // A clock that was fast once must not date everything after it.
        return next > now + MemberPlace.skew ? now : max(now, next)
    }

    /// Shows one's picture to who came since it was sent, and the circle's if that is one's turn.
    ///
    /// Of the admins it is the one with the smallest key, as in Whistle; dated as before, so that it replaces no newer
    /// one that is on its way.
    func showPictures(in id: CircleID) async {
        // What is asked for meanwhile is done by then.
        guard circleDesk.showing.insert(id).inserted else { return }
        defer { circleDesk.showing.remove(id) }
        do {
            let opened = try await openedCircles()
            guard let seat = opened.seats[id], let session = seat.session, session.isCaughtUp,
                seat.record.owesPictures == true
            else { return }
            if let own = seat.record.picture(of: publicKey), let image = try await image(own, in: id, opened.records) {
                let sentAt = seat.record.pictures?[own.word].map { Timestamp(seconds: $0.sentAt) }
                try await send(in: id) { now, readers in
                    CircleMessage.avatar(image, readers: readers, sentAt: sentAt, now: now)
                }
            }
            if session.roster.presentAdmins.min() == publicKey, let shared = seat.record.picture(of: nil),
                let image = try await image(shared, in: id, opened.records)
            {
                let sentAt = seat.record.pictures?[shared.word].map { Timestamp(seconds: $0.sentAt) }
                try await send(in: id) { now, readers in
                    CircleMessage.circleAvatar(image, readers: readers, sentAt: sentAt, now: now)
                }
            }
            // Last: what ends in between is done again at the next start.
            plan(try await circleKeeper.decide(id) { $0.owesPictures = nil })
        } catch {
            // What was begun before the account was locked or the circle was left is no failure.
            if !(error is CircleError) { report("pictures could not be shown to who came", error) }
        }
    }
}
