import NostrClient
import NostrCore
import NostrNIPs
import Secp256k1
import Testing

@testable import ViewModels
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
        "a picture among my files comes as settings have pictures come: from its server, through here, or not at all",
        arguments: [
            (PersonalSettings.RemoteMedia.follows, false, "src=\"https://a.example/"),
            (.follows, true, "src=\"/picture/large?url=https%3A%2F%2Fa.example%2F"), (.never, true, nil),
        ] as [(PersonalSettings.RemoteMedia, Bool, String?)])
    func ownPicture(media: PersonalSettings.RemoteMedia, fetches: Bool, source: String?) throws {
        let server = try #require(MediaServer("https://a.example"))
        let hash = BlobHash(of: [1])
        let file = ListedFile(
            hash: hash, url: server.address(of: hash, type: "image/png"), size: 8, type: "image/png",
            uploaded: Timestamp(seconds: 1000), holders: [server])
        let page = FilesPage(
            [], FileListing(files: [file], servers: [ServerOutcome(server)]),
            MediaServerChoice(servers: [server], isPublished: true, usual: ""))
        var style = NoteStyle(now: Timestamp(seconds: 2000), media: media, pictureHosts: [], canSign: true)
        style.fetchesPictures = fetches
        let text = filesView(
            FilesView(
                page: .success(page), problem: nil, canSign: true, token: FormToken(secret: "token"), style: style)
        ).text
        #expect(text.contains("class=\"file-picture\"") == (source != nil))
        if let source { #expect(text.contains(source)) }
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
