/// What pages say about guest links.
package enum GuestWords {
    package static let made = "The guest link is made. Whoever has it sees your location until it ends."
    package static let revoked = "The guest link is taken back: guests are told nothing more."
    static let unnamed = "Guest link"

    /// How long a link works.
    package static func lifetime(hours: Int) -> String {
        switch hours {
        case 1: "1 hour"
        case ..<48: "\(hours) hours"
        default: "\(hours / 24) days"
        }
    }
}
