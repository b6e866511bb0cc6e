internal import AsyncPrimitives
internal import Location
internal import Marmot
public import NostrClient
internal import NostrCore
internal import NostrSigner
internal import NostrStore
internal import Synchronization

/// Pictures of members and of circles.
public final class CirclePictures: Sendable {
    private let account: AccountContext
    private let store: CircleStore
    private let work: CircleWork
    private let messaging: CircleMessaging
    /// Circles whose newcomers are being shown pictures.
    private let showing = Mutex<Set<CircleID>>([])

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork, messaging: CircleMessaging) {
        (account, self.store, self.work, self.messaging) = (context.account, store, work, messaging)
    }

    /// Shows a picture of ourselves to a circle; nil takes it back.
    ///
    /// - Parameter jpeg: a file as ``CircleImage/init(chosen:)`` reads it; only the picture itself is sent of it.
    public func setAvatar(_ jpeg: [UInt8]?, in id: CircleID) async throws {
        let image = try Self.image(chosen: jpeg)
        let moment = try await momentOfNext(of: account.publicKey, in: id)
        try await messaging.send(in: id) { now, readers in
            CircleMessage.avatar(image, readers: readers, sentAt: moment, now: now)
        }
    }

    /// Gives a circle a picture, as one of its admins; nil takes it away.
    ///
    /// - Parameter jpeg: a file as ``CircleImage/init(chosen:)`` reads it; only the picture itself is sent of it.
    public func setPicture(_ jpeg: [UInt8]?, in id: CircleID) async throws {
        let image = try Self.image(chosen: jpeg)
        let (_, session) = try await store.member(of: id)
        guard session.roster.isAdmin(account.publicKey) else { throw CircleError.notAdmin }
        let moment = try await momentOfNext(of: nil, in: id)
        try await messaging.send(in: id) { now, readers in
            CircleMessage.circleAvatar(image, readers: readers, sentAt: moment, now: now)
        }
    }

    /// A picture that came in a message, as JPEG; nil where there is none, or another by now.
    public func picture(_ picture: CirclePicture, in id: CircleID) async throws -> [UInt8]? {
        let circle = try await store.find(id)
        guard circle.record.picture(of: picture.person) == picture else { return nil }
        return try await image(picture, in: id)?.jpeg
    }

    private static func image(chosen file: [UInt8]?) throws(CircleError) -> CircleImage? {
        do { return try file.map { file throws(CircleImageError) in try CircleImage(chosen: file) } } catch {
            throw CircleError(.badPicture(error))
        }
    }

    private func image(_ picture: CirclePicture, in id: CircleID) async throws -> CircleImage? {
        let records = try await store.current().records
        do {
            let bytes = try await records.value(.init(CircleTable.pictures, group: id.hex, picture.word))
            return bytes.flatMap { CircleImage(jpeg: $0) }
        } catch is SealingKey.Failure {
            // A damaged picture is none.
            return nil
        }
    }

    /// When to date the next picture: of two of one second nobody could tell which is the last.
    private func momentOfNext(of person: PublicKey?, in id: CircleID) async throws -> Timestamp {
        let now = account.time.now()
        let (circle, _) = try await store.member(of: id)
        guard let last = circle.record.members.pictures?[CirclePicture.word(for: person)]?.sentAt else { return now }
        let next = Timestamp(seconds: last) + .seconds(1)
        // A clock that was fast once must not date everything after it.
        return next > now + MemberPlace.skew ? now : max(now, next)
    }

    /// Shows our picture to who came since it was sent, and the circle's if that is our turn.
    ///
    /// Of the admins it is the one with the smallest key, as in Whistle; dated as before, so that it replaces no newer
    /// one that is on its way.
    func showAgain(in id: CircleID) async {
        // What is asked for meanwhile is done by then.
        guard showing.withLock({ $0.insert(id).inserted }) else { return }
        defer { showing.withLock { _ = $0.remove(id) } }
        do {
            let circle = try await store.find(id)
            guard let session = circle.session, session.isCaughtUp, circle.record.members.owesPictures == true else {
                return
            }
            if let own = circle.record.picture(of: account.publicKey), let image = try await image(own, in: id) {
                let sentAt = circle.record.members.pictures?[own.word].map { Timestamp(seconds: $0.sentAt) }
                try await messaging.send(in: id) { now, readers in
                    CircleMessage.avatar(image, readers: readers, sentAt: sentAt, now: now)
                }
            }
            if session.roster.presentAdmins.min() == account.publicKey, let shared = circle.record.picture(of: nil),
                let image = try await image(shared, in: id)
            {
                let sentAt = circle.record.members.pictures?[shared.word].map { Timestamp(seconds: $0.sentAt) }
                try await messaging.send(in: id) { now, readers in
                    CircleMessage.circleAvatar(image, readers: readers, sentAt: sentAt, now: now)
                }
            }
            // Last: what ends in between is done again at the next start.
            await work.plan(try await store.update(id) { $0.members.owesPictures = nil })
        } catch {
            // What was begun before the account was locked or the circle was left is no failure.
            if !(error is CircleError) { account.report("pictures could not be shown to who came", error) }
        }
    }
}
