import NostrClient
import NostrCore
import NostrNIPs
import Secp256k1
import Testing
import ViewModels

@testable import WebUI

@Suite("uploads on pages")
struct FilesViewsTests {
    private static func item(_ change: (inout OwnFile) -> Void = { _ in }) throws -> UploadItem {
        let server = try #require(MediaServer("https://a.example"))
        var file = OwnFile(
            id: "x1", FileFacts(name: "<b>.png", type: "image/png", description: "A \"quote\""), size: 2000,
            hash: String(repeating: "ab", count: 32), addedAt: Timestamp(seconds: 1000), to: [server])
        change(&file)
        return UploadItem(FileUpload(file, sent: 500))
    }

    @Test("an upload says how far it is, with names escaped")
    func underWay() throws {
        let item = try Self.item()
        #expect(item.percent == 25 && item.words == "25% sent" && item.size == "2 kB")
        let text = uploadViews([item]).text
        #expect(text.contains("data-standing=\"waiting\"") && text.contains("&lt;b&gt;.png") && !text.contains("<b>"))
    }

    @Test("files that are not there yet keep their place in the form")
    func left() throws {
        let text = newFileFields([try Self.item()]).text
        #expect(text.contains("name=\"uploading-1000\" value=\"x1\" checked"))
        #expect(text.contains("value=\"A &quot;quote&quot;\""))
    }

    @Test(
        "what an invoice asks for is said in sats",
        arguments: [(21_000, "21 sats."), (500, "500 thousandths of a sat.")] as [(Int64, String)])
    func price(millisatoshis: Int64, words: String) throws {
        let draft = InvoiceDraft(
            millisatoshis: millisatoshis, createdAt: Timestamp(seconds: 1_700_000_000),
            paymentHash: [UInt8](repeating: 1, count: 32), paymentSecret: [UInt8](repeating: 2, count: 32),
            purpose: .text("A file"))
        let invoice = try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
        let refusal = ServerRefusal(BlobAnswer(status: 402, headers: ["x-lightning": invoice]))
        #expect(refusal?.sentence == "The server wants to be paid first. Price: \(words)")
    }

    @Test(
        "what a server says is shown as its words, a price too",
        arguments: [
            (402, "The server wants to be paid first. Price: lnbc1 It says: “pay me”"),
            (413, "The file is too large for this server. It says: “pay me”"),
        ])
    func refusals(status: Int, sentence: String) {
        let answer = BlobAnswer(status: status, headers: ["x-reason": "pay\u{202E} me", "x-lightning": "lnbc1"])
        #expect(ServerRefusal(answer)?.sentence == sentence)
    }
}
