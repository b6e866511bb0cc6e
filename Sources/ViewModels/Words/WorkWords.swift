/// What is said about work (NIP-13) that goes on.
enum WorkWords {
    /// How long it still takes on average, and how fast it goes.
    ///
    /// - Parameters:
    ///   - seconds: `nil` while that is not known.
    ///   - rate: hashes a second.
    static func left(_ seconds: Int?, rate: Double) -> String {
        let left =
            switch seconds {
            case nil: "just begun"
            case .some(..<2): "about a second left"
            case .some(let seconds) where seconds < 100: "about \(seconds) seconds left"
            case .some(let seconds) where seconds < 6000: "about \(seconds / 60) minutes left"
            case .some(let seconds): "about \(seconds / 3600) hours left"
            }
        return rate >= 1000 ? "\(left), \(rounded(rate)) hashes a second" : left
    }

    private static func rounded(_ rate: Double) -> String {
        let millions = min(rate / 1_000_000, 1_000_000)
        return millions >= 1 ? "\(Int(millions.rounded())) million" : "\(Int(rate / 1000)) thousand"
    }
}
