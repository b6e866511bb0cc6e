/// Draws `count` random bytes, eight at a time: each draw of the system's generator is a call of the kernel.
public func randomBytes(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
        let word = random.next()
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}
