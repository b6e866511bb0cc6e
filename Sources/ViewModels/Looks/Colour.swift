internal import Foundation

/// A colour of pages, by its red, green and blue (sRGB).
///
/// Shape: as text `#` and six hex digits, as a browser's field for colours sends it.
public struct Colour: Hashable, Sendable {
    /// The parts, 0…255.
    public let red: UInt8, green: UInt8, blue: UInt8

    package static let black = Colour(rgb: 0x000000), white = Colour(rgb: 0xFFFFFF)

    /// How far text must stand out from what it is written on (WCAG 2.2, 1.4.3, AA).
    package static let textContrast = 4.5
    /// How far the edge of a field must stand out (WCAG 2.2, 1.4.11).
    package static let edgeContrast = 3.0

    /// Reads a text; `nil` for anything but `#` and six hex digits.
    public init?(_ text: some StringProtocol) {
        let digits = text.dropFirst()
        guard text.utf8.count == 7, text.first == "#", digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(rgb: value)
    }

    /// A colour from one number, for example `0xFF9800`.
    package init(rgb: UInt32) {
        red = UInt8(truncatingIfNeeded: rgb >> 16)
        green = UInt8(truncatingIfNeeded: rgb >> 8)
        blue = UInt8(truncatingIfNeeded: rgb)
    }

    private init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// As text, in lower case.
    public var text: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// How bright it is, 0…1 (WCAG 2.2, relative luminance).
    package var luminance: Double { 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) }

    /// How far two colours stand apart, 1…21 (WCAG 2.2, contrast ratio).
    package func contrast(with other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// A colour between two.
    ///
    /// - Parameter share: how much the other one counts, 0…1.
    package func mixed(with other: Colour, _ share: Double) -> Colour {
        func between(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return Colour(
            red: between(red, other.red), green: between(green, other.green), blue: between(blue, other.blue))
    }

    /// This colour, made darker or lighter by as little as it takes to stand out from all of some backgrounds.
    ///
    /// Where nothing does, black or white, whichever comes closer.
    package func readable(on backgrounds: [Colour], contrast: Double = textContrast) -> Colour {
        func least(_ colour: Colour) -> Double { backgrounds.map(colour.contrast).min() ?? .infinity }
        guard least(self) < contrast else { return self }
        let end = least(.black) >= least(.white) ? Colour.black : .white
        let steps = (1...100).lazy.map { mixed(with: end, Double($0) / 100) }
        return steps.first { least($0) >= contrast } ?? end
    }
}

/// A part of a colour as light: what is twice as much is twice as bright.
private func linear(_ part: UInt8) -> Double {
    let value = Double(part) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}

extension Colour: Codable {
    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.singleValueContainer()
        guard let colour = Colour(try kept.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: kept, debugDescription: "not a colour")
        }
        self = colour
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var kept = encoder.singleValueContainer()
        try kept.encode(text)
    }
}
