public import NostrClient

/// Words about GIFs.
public enum GifWords {
    /// What is said where no GIFs are looked for.
    public static let none = "This account does not look for GIFs."
    /// What is said of a GIF that was not found before.
    public static let unknown = "This GIF is not known here. Search for it again."
    /// What is said of what is no GIF.
    public static let notGif = "The file at this address is not a GIF, so it was not added."
    /// What is said of a GIF that is another than its author described.
    public static let otherFile =
        "The file at this address is not the one its author described, so it was not added."
    /// What is said where a GIF stays where it is.
    public static let notBrought =
        "The GIF could not be brought to your media servers, so your note names where it was found."
    /// What is said of what is no address of a host.
    public static let noHost = "This is not the address of a host, such as https://gifs.example."
    /// What is said of what cannot be a key.
    public static let noKey = "This is not a key: keys have 8 to 128 letters and digits."
    /// What is said while the vault is closed.
    public static let locked = "Your key is locked. The host's key is kept with your messages: unlock to change it."
    /// What is said after a key was forgotten.
    public static let forgotten = "The key is forgotten."
    /// What is said after the settings were kept.
    public static let kept = "Saved."
    /// What a GIF without words is called.
    static let untitled = "GIF"

    /// Where GIFs of a host come from.
    static func credit(_ choice: GifHostChoice) -> String {
        let host = choice.address.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != ":" }
        return host == "giphy.com" || host.hasSuffix(".giphy.com") ? "Powered by GIPHY" : "From \(host)"
    }

    /// For whom GIFs may be.
    public static func label(_ rating: GifHostChoice.Rating) -> String {
        switch rating {
        case .g: "Everybody (G)"
        case .pg: "Children with a grown-up beside them (PG)"
        case .pg13: "From thirteen (PG-13)"
        case .r: "Grown-ups (R)"
        }
    }
}

extension GifHostProblem: SpokenError {
    public var sentence: String {
        switch self {
        case .noKey: GifWords.noKey
        case .otherHost: "Your key was kept for another host of GIFs. Keep the one for this host."
        case .refusedKey: "The host of GIFs does not know your key. Check it, or get a new one."
        case .tooMany: "The host of GIFs was asked too often. Try again later."
        case .unreachable: "The host of GIFs does not answer. Try again later."
        case .unreadable: "What the host of GIFs answered is not a list of GIFs. Is its address right?"
        }
    }
}

extension GifProblem: SpokenError {
    public var sentence: String {
        switch self {
        case .notThere: "The GIF could not be downloaded."
        case .notGif: GifWords.notGif
        case .otherFile: GifWords.otherFile
        }
    }
}
