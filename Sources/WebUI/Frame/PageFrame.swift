internal import NostrCore
internal import ViewModels

/// The entries of the navigation; `none` for a page that has none.
enum NavigationEntry: Hashable, Sendable {
    case home, notifications, messages, circles, search, compose, signer, relays, profile, settings, more, none
}

/// What the frame around a page shows.
struct PageFrame {
    let title: String
    /// Which scripts and style sheets it needs.
    let parts: [PagePart]
    let look: Look
    let isDemo: Bool
    let token: FormToken
    let account: FrameAccount
    let navigation: Navigation
    let connection: ConnectionItem
    let drawer: Drawer
    let notice: Notice?
    /// How a signer elsewhere stands; `nil` where the key is here, or locked.
    let signer: SignerStanding?
    /// The bar about a note that was just written.
    let held: HTML
    let style: NoteStyle
}

/// The open account, as the frame shows it.
struct FrameAccount {
    let person: PersonItem
    let canSign: Bool
    let isLocked: Bool
    /// Notes that wait, sealed, for the key.
    let sealedNotes: Int
}

/// The navigation beside a page.
struct Navigation {
    /// Where the page stands in it.
    let current: NavigationEntry
    /// Unread notifications; `nil` for an account that has none.
    let notifications: Int?
    /// Whether a tone says that there are more of them.
    let rings: Bool
    /// Unread conversations; `nil` for an account that has no messages.
    let unread: Int?
    /// Whether circles stand in it; a phone has no room for search then.
    let hasCircles: Bool
    /// Requests that wait in the signer; `nil` for an account without one.
    let waiting: Int?
}

/// The accounts of this machine, and what is done with the open one.
struct Drawer {
    /// One account.
    struct Account {
        let key: PublicKey
        let name: String
        /// What is known of it; `nil` for an account that is not at work.
        let person: PersonItem?
        /// How it is kept, in words; empty for a key of this machine.
        let kind: String
        let isCurrent: Bool
        let isLocked: Bool
    }

    let accounts: [Account]
    let canLock: Bool
    let hasLists: Bool
    let hasHistory: Bool
    let hasFiles: Bool
    let hasKeys: Bool
}
