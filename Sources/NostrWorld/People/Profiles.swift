internal import NostrCore
internal import NostrNIPs

extension WorldPerson {
    /// The JSON of this person's kind 0, with the gaps and oddities of real ones.
    ///
    /// - Parameter pictures: where the world's pictures are served, without a slash at the end.
    func profile(pictures: String, using dice: inout Dice) -> String {
        var fields: [(String, String)] = [("name", dice.chance(0.25) ? name : handle)]
        if dice.chance(0.85) {
            let leaf = dice.chance(0.12) ? dice.pick([" 🌿", " 🐦", " ⚡", " 🍞", " 🌙"], or: "") : ""
            fields.append(("display_name", name + leaf))
        }
        if dice.chance(0.9) { fields.append(("about", about(using: &dice))) }
        if dice.chance(0.92) { fields.append(("picture", "\(pictureHost(pictures))/avatar/\(publicKey.hex).svg")) }
        if dice.chance(0.7) { fields.append(("banner", "\(pictures)/banner/\(publicKey.hex).svg")) }
        if dice.chance(0.35) { fields.append(("nip05", "\(handle)@\(topics.first?.rawValue ?? "people").example")) }
        if dice.chance(0.45) { fields.append(("lud16", "\(handle)@sats.example")) }
        if dice.chance(0.25) { fields.append(("website", "https://\(handle.replacing("_", with: "-")).example")) }
        if dice.chance(0.1) { fields.append(("pronouns", dice.pick(["she/her", "he/him", "they/them"], or: ""))) }
        return "{" + fields.map { "\(quotedJSON($0.0)):\(quotedJSON($0.1))" }.joined(separator: ",") + "}"
    }

    /// Where this person's picture lies: of some on a server that is gone.
    private func pictureHost(_ pictures: String) -> String {
        guard number % 13 == 7, let port = pictures.split(separator: ":").last else { return pictures }
        return "http://gone.localhost:\(port)"
    }

    private func about(using dice: inout Dice) -> String {
        var words = language.grammar.expand("bio.line", using: &dice)
        if dice.chance(0.2) {
            let tags = topics.prefix(2).compactMap(\.hashtags.first).map { "#\($0)" }
            words += "\n" + tags.joined(separator: " ")
        }
        return words
    }
}

extension WorldPerson {
    /// The profile of the demo person.
    static func heroProfile(_ hero: WorldPerson, pictures: String) -> String {
        let fields = [
            ("name", hero.handle), ("display_name", hero.name),
            (
                "about",
                "Birds before breakfast, bread after. Writes small tools.\nHere since the quiet days. #birds #bread"
            ),
            ("picture", "\(pictures)/avatar/\(hero.publicKey.hex).svg"),
            ("banner", "\(pictures)/banner/\(hero.publicKey.hex).svg"),
            ("website", "https://linnea.example"), ("lud16", "linnea@sats.example"),
        ]
        return "{" + fields.map { "\(quotedJSON($0.0)):\(quotedJSON($0.1))" }.joined(separator: ",") + "}"
    }
}
