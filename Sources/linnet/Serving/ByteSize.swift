import ArgumentParser

/// A number of bytes as a person writes it: `500MB`, `2GB`, or plain bytes.
struct ByteSize: ExpressibleByArgument, Hashable {
    let bytes: Int

    init(bytes: Int) {
        self.bytes = bytes
    }

    /// Reads digits and a unit, which goes by thousands; `nil` for anything else, and for what no disk holds.
    init?(argument: String) {
        let digits = argument.prefix { ("0"..."9").contains($0) }
        let unit = argument.dropFirst(digits.count).lowercased()
        guard let number = Int(digits), let factor = Self.units[unit] else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        guard !isTooLarge else { return nil }
        bytes = product
    }

    /// The size as it can be written, in the largest unit in which it is whole.
    var text: String {
        let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000)]
        let unit = units.first { bytes > 0 && bytes % $0.1 == 0 }
        return unit.map { "\(bytes / $0.1)\($0.0)" } ?? "\(bytes)B"
    }

    var defaultValueDescription: String { text }

    private static let units = [
        "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000, "gb": 1_000_000_000,
    ]
}
