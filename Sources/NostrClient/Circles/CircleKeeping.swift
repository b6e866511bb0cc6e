public import NostrCore

/// The private circles of one account, as screens see them.
///
/// Everything is read from the encrypted vault on disk; nothing is readable while the account is locked. Every call
/// that throws throws ``CircleError`` or what an account throws.
public protocol CircleKeeping: Sendable {
    /// All circles, and what waits for an answer.
    func circles() async throws -> CirclesOverview
    /// A circle with its members and a stretch of its chat, newest last.
    func circle(_ id: CircleID, before cursor: MessageCursor?, limit: Int) async throws -> CirclePage
    /// Whether the circle goes on as it should, and what mends it if not.
    func health(of id: CircleID) async throws -> CircleHealth

    /// How many Welcomes and requests of one's own, of all circles, no relay has taken.
    func undelivered() async throws -> Int

    /// Makes a circle of one.
    ///
    /// - Parameter relays: where its events go; none for where one writes.
    func foundCircle(_ name: String, about: String, relays: [RelayURL]) async throws -> CircleID
    /// What lets others ask to join.
    func invite(to id: CircleID) async throws -> CircleInvite
    /// Asks to join; one is in when an admin lets one in.
    func ask(_ invite: CircleInvite, name: String?) async throws
    /// Does not want to join any more.
    func withdraw(_ id: CircleID) async throws
    /// Lets people in who asked, or members in again who are out of step.
    func admit(_ people: Set<PublicKey>, to id: CircleID) async throws
    /// Lets people in whose key packages are looked up, without their having asked.
    func add(_ people: Set<PublicKey>, to id: CircleID) async throws
    /// Takes people off the list of those who ask.
    func refuse(_ people: Set<PublicKey>, at id: CircleID) async throws
    /// Joins where somebody has let one in unasked.
    func acceptInvitation(to id: CircleID) async throws
    /// Does not; nobody is told.
    func declineInvitation(to id: CircleID) async throws

    /// Says something; returns once it is durable.
    @discardableResult
    func say(_ text: String, replyTo: EventID?, in id: CircleID) async throws -> EventID
    /// Reacts to a line; `+` is a like.
    func react(to line: EventID, in id: CircleID, with content: String) async throws
    /// Takes one's own line back.
    func takeBack(_ line: EventID, in id: CircleID) async throws
    /// What one is called in the circle; nil takes it back.
    func setNickname(_ name: String?, in id: CircleID) async throws
    /// Tells the circle where one is.
    func tell(_ place: LocationPayload, in id: CircleID) async throws
    /// Tells the circle why one's place is old.
    func tell(_ notice: SharingNotice, in id: CircleID) async throws

    /// Changes what the circle says of itself, and who is an admin.
    func edit(_ id: CircleID, _ edit: CircleEdit) async throws
    /// Removes people.
    func remove(_ people: Set<PublicKey>, from id: CircleID) async throws
    /// Asks the others to let one go; an admin steps down first.
    func leave(_ id: CircleID) async throws
    /// Takes everything of a circle off this machine.
    func forgetCircle(_ id: CircleID) async throws
    /// Asks relays for everything once more, and an admin to be let in again if that does not help.
    func resync(_ id: CircleID) async throws
    /// Marks everything in a circle as read.
    func markRead(_ id: CircleID) async throws
}
