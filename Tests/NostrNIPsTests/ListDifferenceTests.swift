import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("Difference of lists")
struct ListDifferenceTests {
    @Test("counts repetition and ignores order")
    func difference() {
        let a: Tag = ["p", "a"]
        let b: Tag = ["p", "b"]
        #expect(ListDifference(from: [a, b], to: [b, a]).isEmpty)
        #expect(ListDifference(from: [a, a, b], to: [a, b]).dropped == [a])
        #expect(ListDifference(from: [a], to: [a, a, b]).added == [a, b])
        #expect(ListDifference(from: [a, b], to: []).dropped == [a, b])
    }
}
