public import Location
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
    /// Lets others put one into a circle unasked, by publishing a key package and where it is; one is asked then.
    func becomeInvitable() async throws
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
    /// Shows a picture of oneself to a circle; nil takes it back.
    ///
    /// - Parameter jpeg: a file as ``CircleImage/init(chosen:)`` takes it; only the picture itself is sent of it.
    func setAvatar(_ jpeg: [UInt8]?, in id: CircleID) async throws
    /// Gives a circle a picture, as one of its admins; nil takes it away.
    ///
    /// - Parameter jpeg: a file as ``CircleImage/init(chosen:)`` takes it; only the picture itself is sent of it.
    func setPicture(_ jpeg: [UInt8]?, in id: CircleID) async throws
    /// A picture, as JPEG; nil where there is none, or another by now.
    func picture(_ picture: CirclePicture, in id: CircleID) async throws -> [UInt8]?
    /// Tells the circle where one is.
    func tell(_ place: LocationPayload, in id: CircleID) async throws
    /// Tells the circle why one's place is old.
    func tell(_ notice: SharingNotice, in id: CircleID) async throws

    // One's own place

    /// How one's place is shared with a circle.
    func sharing(in id: CircleID) async throws -> SharingState
    /// Shares one's place with a circle from now on, or shares it differently.
    func share(_ settings: SharingSettings, in id: CircleID) async throws
    /// Lets sharing rest; the circle is told, if the settings say so.
    ///
    /// - Parameter until: when it goes on by itself; nil for when one says so.
    func pauseSharing(until: Timestamp?, in id: CircleID) async throws
    /// Goes on sharing.
    func resumeSharing(in id: CircleID) async throws
    /// Shares no more; the circle is told that it rests, if the settings say so.
    func stopSharing(in id: CircleID) async throws
    /// Sends one's place as soon as a fresh one is known, at the latest after a minute; also while sharing rests.
    func sendPlaceNow(in id: CircleID) async throws
    /// Takes where one's device is, or why that is not known, for all circles with which one's place is shared.
    ///
    /// It is of use every ``placeInterval()``; more does no harm.
    func read(_ reading: LocationReading) async throws
    /// How often a position is of use now for any circle; nil when none is.
    func placeInterval() async throws -> Duration?
    /// The place one entered for a machine that does not move; nil for none.
    func fixedPlace() async throws -> Coordinate?
    /// Keeps the place of a machine that does not move, or forgets it.
    func setFixedPlace(_ place: Coordinate?) async throws

    // Others' places

    /// Keeps where members have been, this many days; nil wipes what was kept.
    ///
    /// - Parameter days: held in `Trail.days`.
    func keepTrails(days: Int?, in id: CircleID) async throws
    /// How many days of trails are kept; nil for none.
    func trailDays(in id: CircleID) async throws -> Int?
    /// Where a member has been; nil where no trails are kept.
    func trail(of person: PublicKey, in id: CircleID) async throws -> Trail?
    /// The named places one watches in a circle, by name; nobody else learns of them.
    func namedPlaces(in id: CircleID) async throws -> [NamedPlace]
    /// Names a place and watches who comes and leaves.
    ///
    /// - Parameters:
    ///   - centre: its middle.
    ///   - radius: metres, held in `NamedPlace.radii`.
    /// - Throws: ``CircleError`` for an empty name or too many places.
    @discardableResult
    func namePlace(
        _ name: String, centre: Coordinate, radius: Double, in id: CircleID
    ) async throws -> NamedPlace
    /// Forgets a place by its `NamedPlace.id`.
    func forgetPlace(_ place: String, in id: CircleID) async throws
    /// Who came to named places and left them, and whose battery runs low, newest first; the last 100 of 30 days.
    func notices(in id: CircleID) async throws -> [CircleNotice]

    // The circle itself

    /// Changes what the circle says of itself, and who is an admin.
    func edit(_ id: CircleID, _ edit: CircleEdit) async throws
    /// Removes people.
    func remove(_ people: Set<PublicKey>, from id: CircleID) async throws
    /// Asks the others to let one go; an admin steps down first.
    func leave(_ id: CircleID) async throws
    /// Ends a circle for everybody, as one of its admins, and wipes it here; who is no admin leaves and wipes it.
    ///
    /// It returns once that is durable. An admin's circle is wiped after relays have the commit that removes everybody
    /// else; what others were told before stays with them.
    func burn(_ id: CircleID) async throws
    /// Takes everything of a circle off this machine.
    func forgetCircle(_ id: CircleID) async throws
    /// Asks relays for everything once more, and an admin to be let in again if that does not help.
    func resync(_ id: CircleID) async throws
    /// Marks everything in a circle as read.
    func markRead(_ id: CircleID) async throws
}
