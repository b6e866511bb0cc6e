/// Seeded chance: the same seed throws the same dice for ever, on every machine.
///
/// Source: Vigna's SplitMix64; good enough for a play, not for keys that matter.
public struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts a sequence.
    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// An independent sequence of its own.
    mutating func fork() -> Dice { Dice(seed: next()) }

    /// A number from 0 up to, not including, 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number within a range.
    mutating func number(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + fraction() * (range.upperBound - range.lowerBound)
    }

    /// A whole number within a range.
    mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// True with a probability.
    mutating func chance(_ probability: Double) -> Bool { fraction() < probability }

    /// One of several; the fallback only for none.
    mutating func pick<Element>(_ some: [Element], or fallback: @autoclosure () -> Element) -> Element {
        some.isEmpty ? fallback() : some[Int(next() % UInt64(some.count))]
    }

    /// One of several, or `nil` for none.
    mutating func pick<Element>(_ some: [Element]) -> Element? {
        some.isEmpty ? nil : some[Int(next() % UInt64(some.count))]
    }

    /// An offset drawn by weight; 0 when there is no weight at all.
    mutating func offset(weights: [Double]) -> Int {
        var left = fraction() * weights.reduce(0, +)
        for (offset, weight) in weights.enumerated() {
            left -= weight
            if left < 0 { return offset }
        }
        return max(0, weights.count - 1)
    }

    /// A waiting time of an exponential distribution with this mean.
    mutating func wait(mean: Double) -> Double { -mean * logarithm(1 - fraction()) }

    /// How often something rare happens that happens `mean` times on average.
    mutating func times(mean: Double) -> Int {
        var count = 0
        var passed = wait(mean: 1)
        while passed < mean, count < 10_000 {
            count += 1
            passed += wait(mean: 1)
        }
        return count
    }
}

/// The natural logarithm of a number above 0, by its own bits and a short series, so that every machine agrees.
func logarithm(_ x: Double) -> Double {
    let exponent = Double(x.exponent)
    let m = x.significand
    let y = (m - 1) / (m + 1)
    let y2 = y * y
    var term = y
    var sum = 0.0
    var divisor = 1.0
    while divisor < 40 {
        sum += term / divisor
        term *= y2
        divisor += 2
    }
    return exponent * 0.693147180559945309417 + 2 * sum
}
