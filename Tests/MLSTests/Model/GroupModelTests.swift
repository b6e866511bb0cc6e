import Foundation
import Testing

@testable import MLS

/// Many members at once: whatever they do and whatever happens to their messages, all of one epoch agree, each letter
/// opens once and for members only.
///
/// `LINNET_MLS_STEPS` says how many steps, in groups of up to 64 then.
@Suite struct GroupModelTests {
    private static let steps = ProcessInfo.processInfo.environment["LINNET_MLS_STEPS"].flatMap(Int.init)

    @Test("members agree at every epoch, whatever happens", arguments: 1...3 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        let steps = Self.steps ?? 100
        var world = try World(seed: seed, capacity: Self.steps == nil ? 10 : 64)
        var largest = 1
        for step in 0..<steps {
            do {
                try world.step()
            } catch {
                Issue.record(error, "seed \(seed), step \(step)")
                return
            }
            largest = max(largest, world.members.map(\.group.members.count).max() ?? 0)
        }
        do { try world.settle() } catch { Issue.record(error, "seed \(seed), at the end") }
        let counts = world.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print(
            "model: seed \(seed), \(steps) steps, groups of up to \(largest), epoch \(world.agreed.count - 1): \(counts)"
        )
        #expect(world.agreed.count > steps / 10)
    }
}
