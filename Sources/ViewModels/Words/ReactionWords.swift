/// What the pages of reactions and emoji say.
package enum ReactionWords {
    package static let like = "Like"
    package static let dislike = "Dislike"
    package static let notOneEmoji = "Write one emoji, or the :name: of one of yours."
    package static let notHere = "Reactions cannot be looked at with this account."
    package static let noPack = "This is not an emoji pack: give its naddr1… address."
    package static let packMissing = "None of the relays that were asked has this pack, or you muted who made it."
    package static let nameMissing = "Give the pack a name."
    package static func adopted(_ title: String) -> String { "You use “\(title)” now." }
    package static func left(_ title: String) -> String { "“\(title)” is off your emoji list." }

    /// Who reacted so, in one line.
    static func people(_ names: [String], of count: Int) -> String {
        let shown = names.prefix(3)
        let others = count - shown.count
        guard others > 0 else {
            guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
            return shown.dropLast().joined(separator: ", ") + " and " + last
        }
        let rest = others == 1 ? "1 other" : "\(others) others"
        return shown.isEmpty ? rest : shown.joined(separator: ", ") + " and " + rest
    }
}
