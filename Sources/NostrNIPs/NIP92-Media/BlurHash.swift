#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What a picture looks like from far away: some waves of colour.
///
/// Shape: 6 to 166 characters of Base83, by how many waves there are across and down (1 to 9 each). Source: BlurHash of
/// Wolt, which NIP-92 and NIP-94 name.
public struct BlurHash: Hashable, Sendable {
    /// How many waves there are across.
    public let across: Int
    /// How many waves there are down.
    public let down: Int
    /// The strength of each wave, row by row, in linear light; the first is the colour of the whole.
    let waves: [Light]

    struct Light: Hashable, Sendable {
        var red: Double
        var green: Double
        var blue: Double
    }

    init(across: Int, down: Int, waves: [Light]) {
        self.across = across
        self.down = down
        self.waves = waves
    }

    /// Reads one; `nil` for a text that is none.
    public init?(_ text: String) {
        guard text.utf8.count >= 6, text.utf8.count <= 166 else { return nil }
        let digits = text.utf8.compactMap { Self.values[$0] }
        guard digits.count == text.utf8.count, digits[0] < 81 else { return nil }
        across = digits[0] % 9 + 1
        down = digits[0] / 9 + 1
        guard digits.count == 4 + 2 * across * down else { return nil }
        let strongest = Double(digits[1] + 1) / 166
        let whole = digits[2..<6].reduce(0) { $0 * 83 + $1 }
        var waves = [
            Light(
                red: linearLight(whole >> 16 & 255), green: linearLight(whole >> 8 & 255),
                blue: linearLight(whole & 255))
        ]
        for place in stride(from: 6, to: digits.count, by: 2) {
            let value = digits[place] * 83 + digits[place + 1]
            func part(_ digit: Int) -> Double {
                let share = Double(digit - 9) / 9
                return share * abs(share) * strongest
            }
            waves.append(Light(red: part(value / 361), green: part(value / 19 % 19), blue: part(value % 19)))
        }
        self.waves = waves
    }

    /// Draws it.
    ///
    /// - Parameters:
    ///   - width: in dots, from 1 to 256; what is beyond is cut off.
    ///   - height: likewise.
    public func drawn(width: Int, height: Int) -> PixelImage {
        let (width, height) = (min(256, max(1, width)), min(256, max(1, height)))
        let columns = (0..<width).map { x in Self.cosines(across, at: x, of: width) }
        var image = PixelImage(width: width, height: height)
        for y in 0..<height {
            let row = Self.cosines(down, at: y, of: height)
            for x in 0..<width {
                var sum = Light(red: 0, green: 0, blue: 0)
                for j in 0..<down {
                    for i in 0..<across {
                        let share = row[j] * columns[x][i]
                        let wave = waves[j * across + i]
                        sum.red += wave.red * share
                        sum.green += wave.green * share
                        sum.blue += wave.blue * share
                    }
                }
                image.set(x, y, red: gammaSample(sum.red), green: gammaSample(sum.green), blue: gammaSample(sum.blue))
            }
        }
        return image
    }

    static func cosines(_ count: Int, at place: Int, of length: Int) -> [Double] {
        (0..<count).map { cos(.pi * Double(place) * Double($0) / Double(length)) }
    }

    /// The digits of Base83, in order.
    static let alphabet =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"

    private static let values = Dictionary(
        alphabet.utf8.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
}

/// A sample of sRGB as linear light, 0 to 1.
func linearLight(_ sample: Int) -> Double {
    let value = Double(sample) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}

/// Linear light as a sample of sRGB.
func gammaSample(_ light: Double) -> UInt8 {
    let value = min(1, max(0, light))
    let share = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    return UInt8(min(255, max(0, share * 255 + 0.5)))
}
