internal import NostrNIPs

/// A file that people of the world send in private: it lies encrypted on the world's host, the same at every start.
struct SealedPicture: Sendable {
    /// What a message says of it, but for its address.
    let file: EncryptedFile
    /// What the host has.
    let encrypted: [UInt8]

    /// All there are: two pictures, and a text that is to be saved.
    ///
    /// Drawn once, when somebody first asks.
    static let all: [SealedPicture] = [picture(palette: 2, number: 7_001), picture(palette: 5, number: 7_002), recipe]
        .compactMap(\.self)

    /// The address of one, from the root of the host.
    static func path(_ number: Int) -> String { "/sealed/\(number).bin" }

    /// Reads an address such as `/sealed/1.bin`.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.count == 2, parts[0] == "sealed", parts[1].hasSuffix(".bin"),
            let number = Int(parts[1].dropLast(4)), Self.all.indices.contains(number)
        else { return nil }
        self = Self.all[number]
    }

    private init(_ plain: [UInt8], type: String, seed: UInt64, size: PixelSize? = nil, blurhash: String? = nil) {
        var dice = Dice(seed: 0x5EA1_ED00 ^ seed)
        let (sealed, encrypted) = EncryptedFile.sealing(plain, type: type, using: &dice)
        var file = sealed
        (file.dimensions, file.blurhash) = (size?.text, blurhash)
        (self.file, self.encrypted) = (file, encrypted)
    }

    private static func picture(palette: Int, number: Int) -> SealedPicture? {
        let path = Photograph.path(palette: palette, number: number)
        guard let photograph = Photograph(path: path) else { return nil }
        let (width, height) = Photograph.size(isTall: false)
        return SealedPicture(
            photograph.png, type: "image/png", seed: UInt64(number), size: PixelSize(width: width, height: height),
            blurhash: Photograph.hashes[palette].blur)
    }

    private static let recipe: SealedPicture? = SealedPicture(
        Array("<script>alert('rye')</script>\nRye, water, salt. Wait a day.\n".utf8), type: "text/html", seed: 3)
}
