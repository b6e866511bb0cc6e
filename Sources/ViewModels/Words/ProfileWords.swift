/// What the page of a profile says.
enum ProfileWords {
    static let noWebAddress = "This is not a web address. It begins with https://."
    static let noAddress = "This looks like name@example.org."

    /// What a field of a profile is called.
    static func field(_ name: String) -> String {
        let names = [
            "display_name": "Display name", "name": "Name", "about": "About", "picture": "Picture",
            "banner": "Banner", "website": "Website", "nip05": "Nostr address", "lud16": "Lightning address",
        ]
        return names[name] ?? "Field “\(oneLine(name, limit: 40))”"
    }
}
