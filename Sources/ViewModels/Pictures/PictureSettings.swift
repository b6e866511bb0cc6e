public import NostrClient

/// What a page shows of the pictures of others that this machine keeps.
public struct PictureSettings: Equatable, Sendable {
    /// Whether they are fetched by this machine.
    public let isFetched: Bool
    /// Whether settings load nothing from elsewhere.
    public let loadsNothing: Bool
    /// How much is kept, in words.
    public let used: String
    /// How much is kept of files whose own servers lost them, in words; `nil` where this account looks for none.
    public let found: String?
    /// Whether nothing is.
    public let isEmpty: Bool
    /// How much may be kept, and what can be chosen, in megabytes.
    public let limit: Int64, least: Int64, most: Int64

    private static let megabyte: Int64 = 1 << 20

    /// Looks what is kept.
    public static func load(
        of account: any Account, _ personal: PersonalSettings
    ) async throws(Trouble) -> PictureSettings {
        let pictures = try required(account)
        return try await troubled {
            PictureSettings(
                try await pictures.usage(), found: try await account.files?.foundUsage(), personal)
        }
    }

    init(_ usage: KeptMediaUsage, found: KeptMediaUsage?, _ personal: PersonalSettings) {
        let limits = KeptMediaUsage.limits
        isFetched = personal.fetchesPictures
        loadsNothing = personal.remoteMedia == .never
        used = PictureWords.used(usage)
        self.found = found.map(PictureWords.found)
        isEmpty = usage.count == 0 && (found?.count ?? 0) == 0
        limit = usage.limit / Self.megabyte
        (least, most) = (limits.lowerBound / Self.megabyte, limits.upperBound / Self.megabyte)
    }

    /// Keeps at most so many megabytes from now on.
    public static func setLimit(megabytes text: String, of account: any Account) async throws(Trouble) {
        let pictures = try required(account)
        let limits = KeptMediaUsage.limits
        guard let number = Int64(text.filter { !$0.isWhitespace }), number <= limits.upperBound / megabyte,
            number >= limits.lowerBound / megabyte
        else { throw Trouble(PictureWords.noLimit, canRetry: false) }
        try await troubled { try await pictures.setLimit(number * megabyte) }
    }

    /// Deletes all that is kept.
    public static func clear(of account: any Account) async throws(Trouble) {
        let pictures = try required(account)
        try await troubled {
            try await pictures.clear()
            try await account.files?.clearFound()
        }
    }

    private static func required(_ account: any Account) throws(Trouble) -> any PictureCaching {
        guard let pictures = account.pictures else { throw Trouble(PictureWords.none, canRetry: false) }
        return pictures
    }
}
