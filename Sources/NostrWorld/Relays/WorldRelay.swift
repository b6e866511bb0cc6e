public import NostrCore

/// How a relay of the world behaves, good or bad.
public enum RelayTrait: Hashable, Sendable {
    /// Keeps everything and answers at once.
    case reliable
    /// Keeps kinds 0, 3, 10002 and 10050 only, of everybody.
    case indexer
    /// Keeps everything of those who write there, and kinds 0, 3, 10002 and 10050 of everybody.
    case commons
    /// Answers every question late.
    case slow(Duration)
    /// Wants authentication (NIP-42) for reading and writing.
    case authenticating
    /// Takes events of its members only.
    case paid
    /// Keeps notes for so many days.
    case pruning(days: Int)
    /// Refuses questions and events that come too fast.
    case rateLimiting
    /// Allows few subscriptions, filters and events per question.
    case stingy
    /// Sends some events with a changed text and the old signature.
    case forging
    /// Answers with events nobody asked for.
    case ignoringFilters
    /// Keeps gift wraps only, takes them from everybody and shows them to those they are for, after authentication.
    case inbox
    /// Takes connections and never says a word.
    case silent
    /// Nothing listens there.
    case dead
}

/// A relay of the world.
public struct WorldRelay: Hashable, Sendable {
    /// Where this relay stands among ``World/relays``.
    public let number: Int
    /// What it calls itself.
    public let name: String
    /// What it says of itself.
    public let words: String
    /// How it behaves.
    public let trait: RelayTrait
    /// Where it is.
    public let address: RelayURL
    /// How often it stands in people's lists, compared with others.
    let fame: Double

    /// Whether a client can read from it without being cheated and without authenticating.
    public var isReadable: Bool {
        switch trait {
        case .authenticating, .inbox, .forging, .ignoringFilters, .silent, .dead: false
        default: true
        }
    }

    /// Whether it answers at all.
    public var isAlive: Bool { trait != .silent && trait != .dead }

    /// Whether people's lists may count on it to keep their notes and show them to everybody.
    var isSolid: Bool {
        switch trait {
        case .reliable, .commons, .slow, .rateLimiting, .stingy: true
        default: false
        }
    }
}

extension WorldRelay {
    struct Blueprint: Sendable {
        var name: String
        var trait: RelayTrait
        var fame: Double
        var words: String
    }

    /// The relays of a world of some size: the public ones first, then the inboxes.
    static func blueprints(_ count: Int) -> [Blueprint] {
        let open = publicPlaces.prefix(max(0, count - inboxes.count))
        return Array(open + inboxes.prefix(max(0, count - open.count)))
    }

    /// The most relays there can be.
    static var most: Int { publicPlaces.count + inboxes.count }

    /// Where private messages wait.
    private static let inboxes: [Blueprint] = [
        Blueprint(name: "Wagtail", trait: .inbox, fame: 0, words: "Letters only. Ring, and get yours."),
        Blueprint(name: "Dunnock", trait: .inbox, fame: 0, words: "Quiet, unremarkable, reliable. Letters only."),
        Blueprint(name: "Twite", trait: .inbox, fame: 0, words: "A letter box in the hills."),
    ]

    /// The living relays (and the silent one), the most needed first, so that small worlds take a prefix.
    private static let publicPlaces: [Blueprint] = [
        Blueprint(
            name: "Robin", trait: .commons, fame: 9, words: "The village green. Everybody passes by sooner or later."),
        Blueprint(
            name: "Lark", trait: .indexer, fame: 0, words: "Profiles, follow lists and relay lists. Nothing else."),
        Blueprint(
            name: "Heron", trait: .reliable, fame: 8, words: "Stands in the water and waits. Run by three friends."),
        Blueprint(name: "Kestrel", trait: .reliable, fame: 6, words: "Small, fast, sharp-eyed."),
        Blueprint(
            name: "Bunting", trait: .slow(.milliseconds(350)), fame: 3, words: "On a small computer behind the stove."),
        Blueprint(name: "Shrike", trait: .authenticating, fame: 1.5, words: "Show your ring, then come in."),
        Blueprint(name: "Osprey", trait: .paid, fame: 3, words: "Members write, everybody reads. 2100 sats a year."),
        Blueprint(
            name: "Dipper", trait: .pruning(days: 10), fame: 3, words: "Keeps notes for ten days, like a stream."),
        Blueprint(name: "Gannet", trait: .rateLimiting, fame: 3, words: "One dive at a time, please."),
        Blueprint(name: "Magpie", trait: .forging, fame: 1.2, words: "Likes shiny things."),
        Blueprint(name: "Cuckoo", trait: .ignoringFilters, fame: 1.2, words: "Whatever you ask, something comes out."),
        Blueprint(name: "Siskin", trait: .reliable, fame: 5, words: "For makers and menders."),
        Blueprint(name: "Stint", trait: .stingy, fame: 2, words: "Few questions, short answers."),
        Blueprint(name: "Whimbrel", trait: .silent, fame: 0, words: ""),
        Blueprint(name: "Wren", trait: .indexer, fame: 0, words: "A second address book, not always up to date."),
        Blueprint(name: "Curlew", trait: .reliable, fame: 4, words: "On the marsh, far from everything."),
        Blueprint(name: "Plover", trait: .reliable, fame: 4, words: "Shore notes."),
        Blueprint(name: "Avocet", trait: .reliable, fame: 3, words: "Elegant and slightly upturned."),
        Blueprint(name: "Nightjar", trait: .slow(.milliseconds(1200)), fame: 2, words: "Answers after dark."),
        Blueprint(name: "Petrel", trait: .authenticating, fame: 1, words: "For those who come home at night."),
        Blueprint(name: "Goldcrest", trait: .paid, fame: 2, words: "The smallest crown in the forest. Members write."),
        Blueprint(
            name: "Sandpiper", trait: .pruning(days: 30), fame: 2, words: "The tide takes what is older than a month."),
        Blueprint(name: "Fulmar", trait: .rateLimiting, fame: 2, words: "Do not come too close too often."),
        Blueprint(name: "Martin", trait: .stingy, fame: 1.5, words: "A nest under the roof; there is not much room."),
        Blueprint(name: "Teal", trait: .reliable, fame: 2.5, words: "Small pond, good company."),
        Blueprint(name: "Merlin", trait: .reliable, fame: 2, words: "No magic, just a clean disk."),
        Blueprint(name: "Lapwing", trait: .reliable, fame: 2, words: "German and Dutch spoken."),
        Blueprint(name: "Dunlin", trait: .reliable, fame: 1.5, words: "In a flock of one."),
    ]

    /// Ports below 1024 on which practically nothing ever listens: where the dead relays of people's lists were.
    static let deadPorts = [
        2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 26, 28, 30, 32, 34, 36, 40, 55, 57, 59, 60, 71, 72, 73, 74, 75, 77, 82, 85,
        91,
    ]
}
