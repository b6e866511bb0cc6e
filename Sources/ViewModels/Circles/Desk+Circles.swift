internal import Circles
public import NostrClient
public import NostrCore

/// Which circle, as faces pass it around.
public typealias CircleName = CircleID

extension Desk {
    // Screens

    /// The circles.
    public func circles() -> ScreenModel<CirclesState> { ScreenModel(circlesOf: account) }
    /// One circle.
    public func circle(_ id: CircleID) -> ScreenModel<CircleState> { ScreenModel(circle: id, of: account) }

    // Reading on the spot

    /// Whether there is a key, so that there can be circles.
    public var hasCircles: Bool { account.canSign }
    /// The circle that a word of an address names; nil where it names none.
    public func circle(named word: String) -> CircleID? { CircleID(hex: word) }
    /// Whether a circle goes on as it should.
    public func circleHealth(_ id: CircleID) async throws(Trouble) -> CircleHealthItem {
        CircleHealthItem(try await answer { try await $0.reader.health(of: id) })
    }
    /// What lets others ask to join.
    public func circleInvite(_ id: CircleID) async throws(Trouble) -> CircleInviteItem {
        CircleInviteItem(try await answer { try await $0.membership.invite(to: id) })
    }

    /// A picture of a member or of the circle itself, as JPEG; nil where there is none, or another by now.
    public func circlePicture(_ picture: CirclePictureItem, in id: CircleID) async throws(Trouble) -> [UInt8]? {
        let picture = CirclePicture(person: picture.person, version: picture.version)
        return try await answer { try await $0.pictures.picture(picture, in: id) }
    }

    /// What a map of a circle shows besides where its members are.
    public func circleMap(_ state: CircleState) async throws(Trouble) -> CircleMapItem {
        let (own, members) = (account.publicKey, state.members.map(\.id))
        return try await answer {
            try await CircleMapItem($0, state.circle, own: own, members: members)
        }
    }

    // Acting

    /// Lets others put one into a circle unasked; one is asked then.
    public func becomeInvitable() async throws(Trouble) { try await answer { try await $0.membership.becomeInvitable() } }

    /// Makes a circle; gives its name in addresses.
    public func foundCircle(_ name: String, about: String) async throws(Trouble) -> String {
        try await answer { try await $0.membership.create(oneLine(name, limit: 80), about: about, relays: []) }.hex
    }
    /// Asks to join by what a person pasted.
    public func askToJoin(_ pasted: String, name: String) async throws(Trouble) {
        let link: CircleLink
        do { link = try CircleLink(pasted) } catch { throw Trouble(error.sentence, canRetry: false) }
        guard case .invite(let invite) = link, CircleID(invite.circle) != nil else {
            throw Trouble(CircleLinkError.notALink.sentence, canRetry: false)
        }
        let name = oneLine(name, limit: 64)
        try await answer { try await $0.membership.ask(invite, name: name.isEmpty ? nil : name) }
    }
    /// Does not want to join any more.
    public func withdrawFromCircle(_ id: CircleID) async throws(Trouble) {
        try await answer { try await $0.membership.withdraw(id) }
    }
    /// Joins where somebody has let one in unasked, or does not.
    public func answerInvitation(to id: CircleID, yes: Bool) async throws(Trouble) {
        try await answer { yes ? try await $0.membership.acceptInvitation(to: id) : try await $0.membership.declineInvitation(to: id) }
    }
    /// Lets people in, or takes them off the list.
    public func answerRequests(_ people: Set<PublicKey>, at id: CircleID, yes: Bool) async throws(Trouble) {
        try await answer { yes ? try await $0.membership.admit(people, to: id) : try await $0.membership.refuse(people, at: id) }
    }
    /// Reacts to a line.
    public func react(to line: EventID, in id: CircleID, with content: String) async throws(Trouble) {
        let content = oneLine(content, limit: 24)
        guard !content.isEmpty else { throw Trouble("That is no reaction.", canRetry: false) }
        try await answer { try await $0.messaging.react(to: line, in: id, with: content) }
    }
    /// Takes one's own line back.
    public func takeBack(_ line: EventID, in id: CircleID) async throws(Trouble) {
        try await answer { try await $0.messaging.retract(line, in: id) }
    }
    /// What one is called in a circle; empty takes it back.
    public func setNickname(_ name: String, in id: CircleID) async throws(Trouble) {
        let name = oneLine(name, limit: 64)
        try await answer { try await $0.messaging.setNickname(name.isEmpty ? nil : name, in: id) }
    }
    /// Shows a picture of oneself to a circle; nil takes it back.
    public func setCircleAvatar(_ jpeg: [UInt8]?, in id: CircleID) async throws(Trouble) {
        try await answer { try await $0.pictures.setAvatar(jpeg, in: id) }
    }
    /// Gives a circle a picture; nil takes it away.
    public func setCirclePicture(_ jpeg: [UInt8]?, in id: CircleID) async throws(Trouble) {
        try await answer { try await $0.pictures.setPicture(jpeg, in: id) }
    }
    /// Names a circle.
    public func renameCircle(_ id: CircleID, _ name: String) async throws(Trouble) {
        var edit = CircleEdit()
        edit.name = oneLine(name, limit: 80)
        try await answer { [edit] in try await $0.administration.edit(id, edit) }
    }
    /// Makes people admins, or no longer.
    public func setAdmins(_ people: Set<PublicKey>, in id: CircleID, to isAdmin: Bool) async throws(Trouble) {
        var edit = CircleEdit()
        if isAdmin { edit.promoted = people } else { edit.demoted = people }
        try await answer { [edit] in try await $0.administration.edit(id, edit) }
    }
    /// Removes somebody.
    public func remove(_ person: PublicKey, from id: CircleID) async throws(Trouble) {
        try await answer { try await $0.administration.remove([person], from: id) }
    }
    /// Leaves a circle.
    public func leaveCircle(_ id: CircleID) async throws(Trouble) { try await answer { try await $0.administration.leave(id) } }
    /// Ends a circle and wipes it.
    ///
    /// - Parameter typed: its name, as a person typed it.
    public func burnCircle(_ id: CircleID, typed: String) async throws(Trouble) {
        let circles = try await answer { try await $0.reader.overview().circles }
        guard let circle = circles.first(where: { $0.id == id }) else {
            throw Trouble("There is no such circle here.", canRetry: false)
        }
        // As it stands on the screen: what cannot be seen need not be typed.
        guard oneLine(typed, limit: 80) == oneLine(circle.name, limit: 80) else {
            throw Trouble("Type the name of the circle as it stands here; nothing was done.", canRetry: false)
        }
        try await answer { try await $0.administration.end(id) }
    }
    /// Takes everything of a circle off this machine.
    public func forgetCircle(_ id: CircleID) async throws(Trouble) {
        try await answer { try await $0.administration.forget(id) }
    }
    /// Asks relays for everything once more.
    public func resyncCircle(_ id: CircleID) async throws(Trouble) { try await answer { try await $0.administration.resync(id) } }

    private func answer<Value: Sendable>(
        _ body: (AccountCircles) async throws -> Value
    ) async throws(Trouble) -> Value {
        do { return try await body(openCircles(account)) } catch { throw Trouble(error) }
    }
}
