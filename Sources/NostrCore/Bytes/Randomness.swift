/// Draws `count` random bytes.
public func randomBytes(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(UInt8.random(in: 0...255, using: &random)) }
    return bytes
}
