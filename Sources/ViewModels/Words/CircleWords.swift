internal import Circles
internal import NostrClient
internal import NostrCore

/// What pages say about circles.
package enum CircleWords {
    package static let noCircle = "There is no such circle here."
    package static let noCircleName = "That is not the name of a circle."
    package static let noPicture = "There is no such picture here."
    package static let choosePicture = "Choose a picture first."

    /// A circle all of whose relays somebody else chose, in private networks; `nil` for one that has others.
    static func unchosenRelays(_ relays: [String]) -> String? {
        guard let first = relays.first else { return nil }
        return relays.count == 1
            ? "The only relay of this circle, \(first), is in a private network. Linnet connects to it once you allow it."
            : "All relays of this circle are in private networks. Linnet connects to each once you allow it."
    }

    /// An invitation all of whose relays are in private networks; `nil` for one that names others.
    static func unchosenInvitation(_ relays: [String]) -> String? {
        guard let first = relays.first else { return nil }
        return relays.count == 1
            ? "The only relay that the invitation names, \(first), is in a private network. Linnet asks there once you allow it."
            : "All relays that the invitation names are in private networks. Linnet asks at each once you allow it."
    }

    static let typeName = "Type the circle's name exactly as it is written here. Nothing was changed."

    // What was done

    package static let invitable = "Others can invite you now; you are asked before you join."
    package static let asked = "You asked to join. You are in when an admin lets you in."
    package static let ending = "The circle is being ended; it stays on the list until it is gone for good."
    package static let admitted = "They are being let in: the circle's relays have to take it first."
    package static let refused = "Their request is off your list. They are not told."
    package static let changing = "The change is on its way to the circle's relays."
    package static let renamedYourself = "The others see your new name."
    package static let showingAvatar = "The others see it as soon as a relay has it."
    package static let showingPicture = "The picture of the circle is on its way to the others."
    package static let resyncing = "Relays are being asked for everything again."
    package static let adding = "They are being invited: their program asks them first."
    package static let settingsSaved = "Saved."
    package static let handedOver = "The change is on its way to the circle's relays; then you can leave."
    package static let noPerson =
        "That is not a person's key, and you follow nobody by that name. Paste an npub, or the link they gave you."
    package static let otherCircle = "That link is for another circle."
    package static let notAdminThere = "Only an admin of that circle can add people, or you are not in it."
    package static let noWebPage = "Give the address of a web page that begins with https://."
    package static let noLine = "There is no such line here."
    package static let noInvitation = "There is no such invitation here."
    package static let leaving = "You asked to leave; somebody else's program lets you go."
    package static let forgotten = "The circle is forgotten here."

    // Ending it

    /// Whom an admin removes by ending a circle.
    package static func removing(_ others: Int) -> String {
        others == 1 ? "the one other person" : "all \(others) others"
    }
    /// What becomes of the other admins, behind their names.
    package static func otherAdmins(_ count: Int) -> String {
        count == 1 ? "is an admin, too, and is removed" : "are admins, too, and are removed"
    }
    package static func mutedRequests(_ count: Int) -> String {
        count == 1 ? "1 request from somebody you muted" : "\(count) requests from people you muted"
    }
    /// What stands in the place of an invitation whose name is muted.
    static func veiledInvitation(by inviter: String) -> String {
        "\(inviter) invited you to a circle whose name contains a word you muted."
    }
    package static func people(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }
}

extension CircleWords {
    /// Of somebody of whom it was never shown that they are who they say.
    static let unverified = "not verified"

    /// What a person must know of a circle; nil while all is well.
    static func state(_ standing: CircleSummary.Standing, isOutOfStep: Bool) -> String? {
        switch standing {
        case .member: isOutOfStep ? "Not up to date" : nil
        case .leaving: "Leaving"
        case .left: "You left"
        case .removed: "You were removed"
        case .damaged: "Cannot be read"
        case .ending: "Being ended"
        case .vanishing: "Wiped here; leaving"
        }
    }

    /// How much of a circle is here.
    static func progress(_ progress: CircleProgress) -> String {
        switch progress {
        case .upToDate: "Up to date"
        case .catchingUp(0): "Catching up"
        case .catchingUp(let count): "Catching up, \(count) to read"
        case .unreachable: "No relay of this circle is connected"
        case .outOfStep: "Not up to date"
        }
    }

    /// What changed in a circle, in one sentence.
    static func change(_ change: CircleLineChange, by author: Person, own: PublicKey) -> String {
        func name(_ person: Person) -> String { person.key == own ? "you" : shownName(of: person) }
        func names(_ people: [Person]) -> String { ConversationWords.inARow(people.map(name)) }
        let who = author.key == own ? ConversationWords.you : shownName(of: author)
        var parts: [String] = []
        if !change.added.isEmpty { parts.append("\(who) let \(names(change.added)) in") }
        if !change.removed.isEmpty { parts.append("\(who) removed \(names(change.removed))") }
        if !change.left.isEmpty {
            let left = names(change.left)
            parts.append(left.prefix(1).uppercased() + left.dropFirst() + " left")
        }
        if let name = change.name { parts.append("\(who) named the circle “\(name)”") }
        if !change.promoted.isEmpty { parts.append("\(who) made \(names(change.promoted)) admin") }
        if !change.demoted.isEmpty { parts.append("\(names(change.demoted)) no longer admin") }
        if change.relays != nil { parts.append("\(who) changed the circle's relays") }
        return parts.joined(separator: "; ")
    }

    /// How far a line has come: one relay of the circle that has it is enough.
    static func delivery(isThere: Bool) -> String {
        isThere ? "stored for the circle" : "on its way to the circle's relays"
    }

    static func wantsToLeave(_ who: String, _ circle: String) -> String { "\(who) wants to leave \(circle)" }
    static func invitesYou(_ who: String, _ circle: String) -> String { "\(who) invites you to \(circle)" }
    static func mentionsYou(_ who: String, _ circle: String) -> String { "\(who) mentioned you in \(circle)" }
    static func asksToJoin(_ who: String, _ circle: String) -> String { "\(who) asks to join \(circle)" }

    /// Something Linnet noticed about a member.
    static func notice(_ body: CircleNotice.Body, who: String) -> String {
        switch body {
        case .arrived(let place): "\(who) came to \(oneLine(place, limit: 60))"
        case .left(let place): "\(who) left \(oneLine(place, limit: 60))"
        case .batteryLow(let percent):
            who == ConversationWords.you ? "Your battery is at \(percent) %" : "\(who): battery at \(percent) %"
        }
    }
}
