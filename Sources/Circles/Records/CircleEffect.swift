internal import Location
internal import Marmot
internal import NostrClient
internal import NostrCore

/// What is to be done for circles once a step is stored: what the session of a circle asks for, and what the account
/// adds to it.
enum CircleEffect: Sendable {
    /// What a session asks for.
    case session(SessionEffect, in: CircleID)
    /// Wrap and send the Welcomes that are stored.
    case sendWelcomes
    /// Send our own place to the circle; it is kept by the sharing until a relay takes it.
    case sendPlace(SharedPlace, number: UInt64, in: CircleID)
    /// Note that our own battery has fallen to this many percent.
    case noteBattery(Int, in: CircleID)
    /// Send our picture again to those who came since.
    case showPictures(CircleID)
    /// Look up the key packages of members whose leaf is not verified yet.
    case verifyMembers(of: CircleID)
    /// Tell a member, who asked and is behind, in which epoch the circle is.
    case sendWord(PublicKey, epoch: UInt64, in: CircleID)
    /// Nothing of the circle is left here; whatever was on its way for it stays behind.
    case wiped(CircleID)
    /// Screens that show the circle read it again.
    case changed(CircleID)
}
