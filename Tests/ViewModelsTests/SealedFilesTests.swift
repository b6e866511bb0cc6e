import NostrClient
import NostrCore
import NostrNIPs
import Testing

@testable import Circles
@testable import ViewModels

/// Sealed files as screens show and send them.
@Suite struct SealedFilesTests {
    @Test("a file may go without words, and one that is too large is refused at once")
    func drafts() {
        var draft = MessageDraft()
        #expect(draft.problem != nil)
        draft.file = OutgoingFile(bytes: [1], name: "a")
        #expect(draft.problem == nil)
        draft.file = OutgoingFile(bytes: [UInt8](repeating: 0, count: OutgoingFile.largest + 1), name: "a")
        #expect(draft.problem?.contains("33.5 MB") == true)
        draft.file = OutgoingFile(bytes: [1], name: "a", description: "The weir")
        #expect(draft.problem == nil)
        draft.file?.description = "nsec1" + String(repeating: "q", count: 58)
        #expect(draft.problem == secretKeyWarning)
    }

    @Test(
        "what is shown of a file before it is opened is what its author says, in bounds",
        arguments: [
            ("image/png", "640x480", "Picture", true, "640 × 480"), ("IMAGE/WEBP", "1x1", "File", true, "1 × 1"),
            ("image/svg+xml", "0x9", "Picture", false, ""), ("text/html", nil, "File", false, ""),
            ("", "x", "File", false, ""), ("video/mp4", "9999999x1", "Film", false, ""),
        ] as [(String, String?, String, Bool, String)])
    func items(type: String, dimensions: String?, sort: String, isPicture: Bool, shown: String) {
        let file = FileItem(CircleFile(name: "a\nb", type: type, dimensions: dimensions, canOpen: true))
        #expect([file.sort, file.dimensions] == [sort, shown] && file.isPicture == isPicture)
        #expect(!file.name.contains("\n"))
    }

    @Test("every reason has a sentence of its own")
    func words() {
        let all: [SealedFileError] = [
            .empty, .tooLarge(limit: 5), .noServer, .notUploaded, .gone, .another, .doesNotOpen, .noFile, .noKey,
            .unavailable, .notTaken, .tellsTooMuch, .refused([]), .notSigned, .signerAway, .notSent,
            .tooManyWait(limit: 5),
        ]
        #expect(Set(all.map(\.sentence)).count == all.count)
        #expect(all.allSatisfy { Trouble($0).sentence == $0.sentence })
    }

    @Test("what each server said is told where none took a file")
    func refused() throws {
        let servers = try ["https://a.example", "https://b.example"].map { try #require(MediaServer($0)) }
        let outcomes = zip(servers, [ServerRefusal.Code.tooLarge, .unreachable]).map {
            ServerOutcome($0, ServerRefusal($1))
        }
        #expect(
            SealedFileError.refused(outcomes).sentence
                == "No media server took the file. a.example: The file is too large for this server. "
                + "b.example: The server does not answer.")
    }

    @Test("a file that waits says why, and that it is tried again only where it is")
    func unsent() throws {
        var file = UnsentFile(id: "a", name: "", type: "image/png", size: 2_345_678, text: "look\nthere")
        let new = UnsentFileItem(file)
        #expect(new.name == "Picture" && new.size == "2.3 MB" && new.text == "look there")
        #expect(new.words == SealedFileWords.waiting(isCircle: false) && new.canRetry && !new.hasFailed)
        #expect(UnsentFileItem(file, isCircle: true).words.hasSuffix("sent to whoever is in the circle then."))
        file.trouble = .notUploaded
        #expect(!UnsentFileItem(file).words.contains("try again"))
        file.trouble = .refused([
            ServerOutcome(try #require(MediaServer("https://a.example")), ServerRefusal(.tooLarge))
        ])
        let again = UnsentFileItem(file)
        #expect(again.words.contains("a.example: The file is too large") && again.words.hasSuffix("by itself."))
        #expect(UnsentFileItem(file, isCircle: true).words.hasSuffix("sent to whoever is in the circle then."))
        file.standing = .failed
        let failed = UnsentFileItem(file)
        #expect(failed.hasFailed && failed.canRetry && !failed.words.contains("by itself"))
        file.standing = .waiting
        file.isSent = true
        #expect(UnsentFileItem(file).words == "The file is sent; its words follow.")
        file.isSent = false
        file.standing = .underWay
        #expect(UnsentFileItem(file).words == SealedFileWords.underWay && !UnsentFileItem(file).canRetry)
    }

    @Test("what a picture looks like from far away is drawn of what its author says, if that can be drawn")
    func veil() {
        var file = CircleFile(name: "a", type: "image/png", dimensions: nil, canOpen: true)
        #expect(FileItem(file).placeholder == nil)
        file.blurhash = "no hash"
        #expect(FileItem(file).placeholder == nil)
        file.blurhash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
        #expect(FileItem(file).placeholder?.colours(6)?.count == 36)
        #expect(FileItem(file).placeholder?.colours(0) == nil)
    }

    @Test("what its author says is in a file is told to who cannot see it, in one line")
    func described() {
        var file = EncryptedFile(
            url: "https://files.example/x", type: "image/png", key: [], nonce: [], hash: Bytes32())
        #expect(FileItem(file).description.isEmpty)
        file.description = "The weir\nat dawn"
        #expect(FileItem(file).description == "The weir at dawn")
    }
}
