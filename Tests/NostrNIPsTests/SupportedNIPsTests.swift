import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("SupportedNIPs")
struct SupportedNIPsTests {
    @Test("docs/NIPS.md is what the list says (LINNET_WRITE_DOCS=1 writes it)")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/NIPS.md")
        if ProcessInfo.processInfo.environment["LINNET_WRITE_DOCS"] == "1" {
            try SupportedNIP.document.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == SupportedNIP.document)
    }

    @Test("numbers stand once and in order")
    func order() {
        let numbers = SupportedNIP.all.map(\.number)
        #expect(numbers == Set(numbers).sorted())
        #expect(SupportedNIP.relayNumbers.contains(1))
    }
}
