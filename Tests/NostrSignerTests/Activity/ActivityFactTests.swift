import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("What a line of the log tells")
struct ActivityFactTests {
    static let replacement: ReplacementSummary = {
        var change = ReplacementSummary(kind: 3)
        (change.added, change.dropped, change.addedPeople, change.droppedUnknown) = (3, 1, 2, 7)
        change.fields = ReplacementSummary.FieldNames(["name", "a\nb", "c", "d", "e"])
        change.remarks = [.isFirst, .isBackdated]
        return change
    }()

    @Test(
        "is read as it was kept",
        arguments: [
            ActivityFact.signed(.event(1, .plain)), .signed(.event(7, .dislike)), .signed(.event(8421, .plain)),
            .signed(.replacement(ReplacementSummary(kind: 10_002))), .signed(.replacement(replacement)),
            .signed(.deletion(events: 0, addresses: 2)), .encrypted, .decrypted, .readPrivateZap, .toldKey, .paired,
            .unpaired, .loggedOut, .trustChanged(from: .low, to: .full), .words("Wrote a note"),
        ])
    func isKept(fact: ActivityFact) {
        #expect(ActivityFact(text: fact.text) == fact)
    }

    @Test("of an earlier or later version is shown as it is", arguments: ["Wrote a note", "{", #"{"fact":"danced"}"#])
    func words(text: String) {
        #expect(ActivityFact(text: text) == .words(text))
    }

    @Test("keeps few names of fields, of bounded length")
    func names() {
        let names = ReplacementSummary.FieldNames((0..<300).map { String(repeating: "\($0)", count: 1000) })
        #expect(names.count == 300 && names.names.count == 4 && names.names.allSatisfy { $0.count == 40 })
    }
}
