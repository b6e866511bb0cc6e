#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension ThumbHash {
    /// The most dots of a side that are looked at.
    private static let largest = 100

    /// What a picture looks like from far away, as bytes.
    ///
    /// - Parameter image: at most 100 dots wide and high; make it small first.
    /// - Returns: 5 to 25 bytes; `nil` for a larger picture.
    public static func bytes(of image: PixelImage) -> [UInt8]? {
        guard image.width <= largest, image.height <= largest else { return nil }
        let colours = Colours(image)
        let longest = Double(max(image.width, image.height))
        let most: Double = colours.hasOpacity ? 5 : 7
        let across = max(1, Int((most * Double(image.width) / longest).rounded()))
        let down = max(1, Int((most * Double(image.height) / longest).rounded()))
        let isWide = image.width > image.height
        let brightness = Packed(colours.brightness, image, max(3, across), max(3, down))
        let yellowBlue = Packed(colours.yellowBlue, image, 3, 3)
        let redGreen = Packed(colours.redGreen, image, 3, 3)
        let first =
            scaled(brightness.mean, 63) | scaled((yellowBlue.mean + 1) / 2, 63) << 6
            | scaled((redGreen.mean + 1) / 2, 63) << 12 | scaled(brightness.scale, 31) << 18
            | (colours.hasOpacity ? 1 : 0) << 23
        let second =
            (isWide ? down : across) | scaled(yellowBlue.scale, 63) << 3 | scaled(redGreen.scale, 63) << 9
            | (isWide ? 1 : 0) << 15
        var bytes = [first, first >> 8, first >> 16, second, second >> 8].map { UInt8(truncatingIfNeeded: $0) }
        var waves = brightness.waves + yellowBlue.waves + redGreen.waves
        if colours.hasOpacity {
            let opacity = Packed(colours.opacity, image, 5, 5)
            bytes.append(UInt8(truncatingIfNeeded: scaled(opacity.mean, 15) | scaled(opacity.scale, 15) << 4))
            waves += opacity.waves
        }
        let nibbles = waves.map { UInt8(truncatingIfNeeded: scaled($0, 15)) }
        for place in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(nibbles[place] | (place + 1 < nibbles.count ? nibbles[place + 1] << 4 : 0))
        }
        return bytes
    }

    /// The wire form of bytes: Base64 with padding.
    public static func text(of bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
            let bits = group[0] << 16 | group[1] << 8 | group[2]
            for (place, shift) in [18, 12, 6, 0].enumerated() {
                text.append(place <= bytes.count - start ? letters[bits >> shift & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A share from 0 to 1 as a whole number up to `most`.
    private static func scaled(_ share: Double, _ most: Double) -> Int {
        Int((min(1, max(0, share)) * most).rounded())
    }

    /// A picture as brightness, two differences of colour, and opacity.
    private struct Colours {
        private(set) var brightness: [Double] = []
        private(set) var yellowBlue: [Double] = []
        private(set) var redGreen: [Double] = []
        private(set) var opacity: [Double] = []
        let hasOpacity: Bool

        init(_ image: PixelImage) {
            let samples = image.samples.map { Double($0) / 255 }
            let dots = stride(from: 0, to: samples.count, by: 4)
            let seen = dots.reduce(0) { $0 + samples[$1 + 3] }
            hasOpacity = seen < Double(image.width * image.height)
            // What can be seen through is laid over the picture's mean.
            let mean = (0..<3).map { part in
                seen == 0 ? 0 : dots.reduce(0) { $0 + samples[$1 + part] * samples[$1 + 3] } / seen
            }
            for place in dots {
                let alpha = samples[place + 3]
                func part(_ part: Int) -> Double { mean[part] * (1 - alpha) + samples[place + part] * alpha }
                let (red, green, blue) = (part(0), part(1), part(2))
                brightness.append((red + green + blue) / 3)
                yellowBlue.append((red + green) / 2 - blue)
                redGreen.append(red - green)
                opacity.append(alpha)
            }
        }
    }

    /// A channel as a sum of waves, each from 0 to 1 with ½ for none.
    private struct Packed {
        private(set) var mean = 0.0
        private(set) var scale = 0.0
        private(set) var waves: [Double] = []

        init(_ channel: [Double], _ image: PixelImage, _ across: Int, _ down: Int) {
            let columns = (0..<image.width).map { Self.cosines(at: $0, of: image.width, across) }
            let rows = (0..<image.height).map { Self.cosines(at: $0, of: image.height, down) }
            for y in 0..<down {
                for x in 0..<across where x * down < across * (down - y) {
                    var sum = 0.0
                    for row in 0..<image.height {
                        for column in 0..<image.width {
                            sum += channel[row * image.width + column] * columns[column][x] * rows[row][y]
                        }
                    }
                    sum /= Double(image.width * image.height)
                    if x == 0, y == 0 {
                        mean = sum
                    } else {
                        waves.append(sum)
                        scale = max(scale, abs(sum))
                    }
                }
            }
            if scale > 0 { waves = waves.map { 0.5 + 0.5 / scale * $0 } }
        }

        private static func cosines(at place: Int, of length: Int, _ count: Int) -> [Double] {
            (0..<count).map { cos(.pi / Double(length) * Double($0) * (Double(place) + 0.5)) }
        }
    }
}
