#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension BlurHash {
    /// What a picture looks like from far away.
    ///
    /// What can be seen through counts as its colour over white. Every dot is looked at, so make the picture small first:
    /// 64 dots wide is enough.
    ///
    /// - Parameters:
    ///   - across: how many waves there are across, from 1 to 9; what is beyond is cut off.
    ///   - down: likewise from top to bottom.
    public init(_ image: PixelImage, across: Int = 4, down: Int = 3) {
        let (across, down) = (min(9, max(1, across)), min(9, max(1, down)))
        let columns = (0..<image.width).map { Self.cosines(across, at: $0, of: image.width) }
        var sums = [Light](repeating: Light(red: 0, green: 0, blue: 0), count: across * down)
        for y in 0..<image.height {
            let row = Self.cosines(down, at: y, of: image.height)
            for x in 0..<image.width {
                let light = Self.light(of: image, at: (y * image.width + x) * 4)
                for j in 0..<down {
                    for i in 0..<across {
                        let share = row[j] * columns[x][i]
                        sums[j * across + i].red += light.red * share
                        sums[j * across + i].green += light.green * share
                        sums[j * across + i].blue += light.blue * share
                    }
                }
            }
        }
        let dots = Double(image.width * image.height)
        let waves = sums.enumerated().map { place, sum in
            let scale = (place == 0 ? 1 : 2) / dots
            return Light(red: sum.red * scale, green: sum.green * scale, blue: sum.blue * scale)
        }
        self.init(across: across, down: down, waves: waves)
    }

    /// The wire form, such as `LEHV6nWB2yk8pyo0adR*.7kCMdnj`.
    public var text: String {
        let rest = waves.dropFirst()
        let greatest = rest.flatMap { [abs($0.red), abs($0.green), abs($0.blue)] }.max() ?? 0
        let scale = rest.isEmpty ? 0 : Int(min(82, max(0, (greatest * 166 - 0.5).rounded(.down))))
        let strongest = Double(scale + 1) / 166
        func digit(_ value: Double) -> Int {
            let share = value / strongest
            let root = (share < 0 ? -1 : 1) * sqrt(abs(share))
            return Int(min(18, max(0, (root * 9 + 9.5).rounded(.down))))
        }
        let whole = waves.first.map {
            Int(gammaSample($0.red)) << 16 | Int(gammaSample($0.green)) << 8 | Int(gammaSample($0.blue))
        }
        var text = Self.digits(across - 1 + (down - 1) * 9, 1) + Self.digits(scale, 1) + Self.digits(whole ?? 0, 4)
        for wave in rest {
            text += Self.digits((digit(wave.red) * 19 + digit(wave.green)) * 19 + digit(wave.blue), 2)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The colour of a dot over white, in linear light.
    private static func light(of image: PixelImage, at place: Int) -> Light {
        let opacity = Int(image.samples[place + 3])
        func part(_ offset: Int) -> Double {
            lights[(Int(image.samples[place + offset]) * opacity + 255 * (255 - opacity)) / 255]
        }
        return Light(red: part(0), green: part(1), blue: part(2))
    }

    private static let lights = (0...255).map { linearLight($0) }

    /// A number in Base83, the highest digit first.
    private static func digits(_ value: Int, _ count: Int) -> [UInt8] {
        let letters = Array(alphabet.utf8)
        var (rest, text) = (value, [UInt8](repeating: 0, count: count))
        for place in stride(from: count - 1, through: 0, by: -1) {
            text[place] = letters[rest % 83]
            rest /= 83
        }
        return text
    }
}
