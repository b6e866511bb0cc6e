internal import Circles
public import NostrClient
public import NostrCore
internal import NostrNIPs

/// Which circle, as faces pass it around.
public typealias CircleName = CircleID

/// The circle that a word of an address names; nil where it names none.
public func circleName(_ word: String) -> CircleName? { CircleID(hex: word) }

/// What a person does with circles, from what stands in a form to the account's circles.
///
/// Every failure is a ``Trouble``.
public struct CircleActions: Sendable {
    private let account: any Account

    /// The circles of an account.
    public init(of account: any Account) {
        self.account = account
    }

    /// Whether an account has a key, so that it can have circles.
    public static func exist(for account: any Account) -> Bool { account.canSign }

    // Reading

    /// Whether a circle goes on as it should.
    public func health(of id: CircleID) async throws(Trouble) -> CircleHealthItem {
        CircleHealthItem(try await perform { try await $0.reader.health(of: id) })
    }
    /// A line of a circle alone, also where it is muted; `nil` for one that is not here.
    ///
    /// - Parameter state: the circle, once it was read.
    public func unveiled(_ line: EventID, of state: CircleState) async throws(Trouble) -> MessageLog? {
        let circle = state.circle
        return try await perform { try await $0.reader.line(line, in: circle) }.map { state.log(of: $0) }
    }
    /// What lets others ask to join.
    ///
    /// - Parameter page: an `https` address that leads people on to their own program; empty for none.
    public func invite(to id: CircleID, page: String = "") async throws(Trouble) -> CircleInviteItem {
        let page = page.trimmingSpace()
        let invite = CircleInviteItem(
            try await perform { try await $0.membership.invite(to: id) }, page: page.isEmpty ? nil : page)
        if !page.isEmpty, invite.webLink == nil { throw Trouble(CircleWords.noWebPage, canRetry: false) }
        return invite
    }
    /// What was chosen for a circle.
    public func settings(of id: CircleID) async throws(Trouble) -> CircleSettingsItem {
        try await perform { try await CircleSettingsItem($0, id) }
    }
    /// Who may be meant by what was pasted or typed to let somebody in, never nobody: one for a key, a link or a name at
    /// a domain; for a name all who are followed and called like that.
    public func newcomers(_ pasted: String, to id: CircleID) async throws(Trouble) -> [PersonItem] {
        try await NewcomerSearch(people: account.people).find(pasted, for: id).map(PersonItem.init)
    }
    /// Who wants to be let in by a link that was pasted, and the circle's name in addresses; nil for any other text.
    public static func newcomer(by pasted: String) -> (person: PublicKey, circle: String)? {
        admission(pasted).flatMap { one in CircleID(one.circle).map { (one.applicant, $0.hex) } }
    }

    static func admission(_ pasted: String) -> CircleAdmission? {
        // What is no link at all is a key, or nothing.
        guard case .admission(let admission)? = try? CircleLink(pasted) else { return nil }
        return admission
    }

    /// A picture of a member or of the circle itself; nil where there is none, or another by now.
    public func picture(_ picture: CirclePictureItem, in id: CircleID) async throws(Trouble) -> [UInt8]? {
        let picture = CirclePicture(person: picture.person, version: picture.version)
        return try await perform { circles in
            if let sent = try await circles.pictures.picture(picture, in: id) { return sent }
            return try await circles.files.groupPicture(picture, in: id)?.bytes
        }
    }

    /// What a map of a circle shows besides where its members are.
    public func map(of state: CircleState) async throws(Trouble) -> CircleMapItem {
        let (own, members) = (account.publicKey, state.members.map(\.id))
        return try await perform {
            try await CircleMapItem($0, state.circle, own: own, members: members)
        }
    }

    // Acting

    /// Lets others invite the account to their circles; it is asked before it is in.
    public func becomeInvitable() async throws(Trouble) {
        try await perform { try await $0.membership.becomeInvitable() }
    }

    /// Makes a circle; gives its name in addresses.
    public func makeCircle(_ name: String, about: String) async throws(Trouble) -> String {
        try await perform { try await $0.membership.create(oneLine(name, limit: 80), about: about, relays: []) }.hex
    }
    /// Asks to join by what a person pasted.
    public func askToJoin(_ pasted: String, name: String) async throws(Trouble) {
        let link: CircleLink
        do { link = try CircleLink(pasted) } catch { throw Trouble(error.sentence, canRetry: false) }
        guard case .invite(let invite) = link, CircleID(invite.circle) != nil else {
            throw Trouble(CircleLinkError.notALink.sentence, canRetry: false)
        }
        let name = oneLine(name, limit: 64)
        try await perform { try await $0.membership.ask(invite, name: name.isEmpty ? nil : name) }
    }
    /// Does not want to join any more.
    public func withdraw(_ id: CircleID) async throws(Trouble) {
        try await perform { try await $0.membership.withdraw(id) }
    }
    /// Joins a circle the account is invited to, or does not.
    public func answerInvitation(to id: CircleID, yes: Bool) async throws(Trouble) {
        try await perform {
            yes ? try await $0.membership.acceptInvitation(to: id) : try await $0.membership.declineInvitation(to: id)
        }
    }
    /// Lets people in, or takes them off the list.
    public func answerRequests(_ people: Set<PublicKey>, at id: CircleID, yes: Bool) async throws(Trouble) {
        try await perform {
            yes ? try await $0.membership.admit(people, to: id) : try await $0.membership.refuse(people, at: id)
        }
    }
    /// Reacts to a line.
    ///
    /// - Parameter posted: what it says, or what a ``ReactionItem`` posts.
    public func react(to line: EventID, in id: CircleID, with posted: String) async throws(Trouble) {
        let (said, picture) = ReactionItem.pressed(posted)
        let content = oneLine(said, limit: ReactionItem.longest)
        guard !content.isEmpty else { throw Trouble(ConversationWords.noReaction, canRetry: false) }
        try await perform { try await $0.messaging.react(to: line, in: id, with: content, showing: picture) }
    }
    /// Takes the account's own reactions back of which one posts this.
    public func takeBack(_ posted: String, from line: EventID, in id: CircleID) async throws(Trouble) {
        let contents = ReactionItem.contents(like: ReactionItem.pressed(posted).content)
        try await perform { try await $0.messaging.takeBackReactions(contents, from: line, in: id) }
    }
    /// Asks everybody to forget a line of the account.
    public func retract(_ line: EventID, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.messaging.retract(line, in: id) }
    }
    /// Sets what the account is called in a circle; empty takes it back.
    public func setNickname(_ name: String, in id: CircleID) async throws(Trouble) {
        let name = oneLine(name, limit: 64)
        try await perform { try await $0.messaging.setNickname(name.isEmpty ? nil : name, in: id) }
    }
    /// Opens a file that a line names; in memory only.
    public func openFile(_ number: Int, of line: EventID, in id: CircleID) async throws(Trouble) -> OpenedFile {
        try await perform { try await $0.files.open(number, of: line, in: id) }
    }
    /// Has a file that waits for a media server tried now.
    public func retryFile(_ file: String, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.files.retry(file, in: id) }
    }
    /// Takes a file back that waits for a media server.
    public func removeFile(_ file: String, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.files.remove(file, in: id) }
    }
    /// Gives a circle a picture that programs of other makers show too; nil takes it away.
    public func setGroupPicture(_ picture: [UInt8]?, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.files.setGroupPicture(picture, in: id) }
    }
    /// Shows a picture of the account's owner to a circle; nil takes it back.
    public func setAvatar(_ jpeg: [UInt8]?, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.pictures.setAvatar(jpeg, in: id) }
    }
    /// Gives a circle a picture; nil takes it away.
    public func setPicture(_ jpeg: [UInt8]?, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.pictures.setPicture(jpeg, in: id) }
    }
    /// Lets somebody in whose key package is on relays, without their having asked; they are asked first.
    public func add(_ person: PublicKey, to id: CircleID) async throws(Trouble) {
        try await perform { try await $0.membership.add([person], to: id) }
    }
    /// Renews the account's keys this often.
    public func setRenewal(days: Int, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.administration.setRenewal(days: days, in: id) }
    }
    /// Makes somebody else an admin in the account's place.
    public func handOver(_ id: CircleID, to person: PublicKey) async throws(Trouble) {
        try await perform { try await $0.administration.handOver(id, to: person) }
    }
    /// Names a circle.
    public func rename(_ id: CircleID, _ name: String) async throws(Trouble) {
        var edit = CircleEdit()
        edit.name = oneLine(name, limit: 80)
        try await perform { [edit] in try await $0.administration.edit(id, edit) }
    }
    /// Makes people admins, or no longer.
    public func setAdmins(_ people: Set<PublicKey>, in id: CircleID, to isAdmin: Bool) async throws(Trouble) {
        var edit = CircleEdit()
        if isAdmin { edit.promoted = people } else { edit.demoted = people }
        try await perform { [edit] in try await $0.administration.edit(id, edit) }
    }
    /// Removes somebody.
    public func remove(_ person: PublicKey, from id: CircleID) async throws(Trouble) {
        try await perform { try await $0.administration.remove([person], from: id) }
    }
    /// Leaves a circle.
    public func leave(_ id: CircleID) async throws(Trouble) {
        try await perform { try await $0.administration.leave(id) }
    }
    /// Ends a circle and wipes it.
    ///
    /// - Parameter typed: its name, as a person typed it.
    public func burn(_ id: CircleID, typed: String) async throws(Trouble) {
        let circles = try await perform { try await $0.reader.overview().circles }
        guard let circle = circles.first(where: { $0.id == id }) else {
            throw Trouble(CircleWords.noCircle, canRetry: false)
        }
        // As it stands on the screen: what cannot be seen need not be typed.
        guard oneLine(typed, limit: 80) == oneLine(circle.name, limit: 80) else {
            throw Trouble(CircleWords.typeName, canRetry: false)
        }
        try await perform { try await $0.administration.end(id) }
    }
    /// Takes everything of a circle off this machine.
    public func forget(_ id: CircleID) async throws(Trouble) {
        try await perform { try await $0.administration.forget(id) }
    }
    /// Asks relays for everything once more.
    public func resync(_ id: CircleID) async throws(Trouble) {
        try await perform { try await $0.administration.resync(id) }
    }

    func perform<Value: Sendable>(
        _ body: (AccountCircles) async throws -> Value
    ) async throws(Trouble) -> Value {
        do { return try await body(openCircles(account)) } catch { throw Trouble(error) }
    }
}
