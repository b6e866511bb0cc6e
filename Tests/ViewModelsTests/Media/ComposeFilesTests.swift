import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("files of a note under the pen")
struct ComposeFilesTests {
    private func state(_ input: ComposeState.Input) -> ComposeState {
        var state = ComposeState(own: FakeAuthor(1).key)
        _ = state.apply(input)
        return state
    }

    private func draft(
        _ address: String, _ words: String = "", text: String = "", as post: MediaPost? = nil
    ) -> ComposeState.Draft {
        var draft = ComposeState.Draft(text: text, mediaPost: post)
        (draft.fileAddress, draft.fileDescription) = (address, words)
        return draft
    }

    @Test("a file is added with its type and words, each address once, and more can be written")
    func added() {
        let first = state(.attach(draft(" https://a.example/1.JPG ", "A\nheron")))
        #expect(first.problem == nil && first.draft.fileAddress.isEmpty && first.handedOver == nil)
        #expect(first.draft.attachments == [["imeta", "url https://a.example/1.JPG", "m image/jpeg", "alt A heron"]])
        var again = draft("https://a.example/1.JPG", "A crane")
        again.attachments = first.draft.attachments
        #expect(state(.attach(again)).draft.attachments.compactMap { MediaAttachment($0)?.description } == ["A crane"])
        #expect(state(.attach(draft("https://a.example/x"))).draft.attachments.first?.elements.count == 3)
    }

    @Test(
        "what is no address of the web stays to be mended", arguments: ["heron.jpg", "javascript:alert(1)", "https://"])
    func refused(address: String) {
        let now = state(.attach(draft(address)))
        #expect(now.problem == ComposeWords.noFileAddress && now.draft.fileAddress == address)
        #expect(now.draft.attachments.isEmpty)
    }

    @Test("a file that was only filled in goes out, too")
    func published() {
        let sent = state(.publish(draft("https://a.example/1.png", "A heron", text: "Look")))
        #expect(sent.handedOver?.attachments.count == 1 && sent.handedOver?.mediaPost == nil)
    }

    @Test("a post needs what it is a post of, and a film a title")
    func posts() {
        let (png, film) = ("https://a.example/1.png", "https://a.example/1.mp4")
        let pictures = MediaPost(.pictures, title: "")
        #expect(state(.publish(draft(png, as: pictures))).handedOver?.mediaPost == pictures)
        #expect(state(.publish(draft(film, as: pictures))).problem == ComposeWords.noPicture)
        #expect(state(.publish(draft(png, as: MediaPost(.film, title: "T")))).problem == ComposeWords.noFilm)
        #expect(state(.publish(draft(film, as: MediaPost(.short, title: "")))).problem == ComposeWords.noTitle)
        #expect(state(.publish(draft(film, as: MediaPost(.short, title: "T")))).handedOver != nil)
        #expect(
            MediaPost(chosen: "note", title: "x") == nil && MediaPost(chosen: "short", title: " a\nb ")?.title == "a b")
    }

    @Test(
        "where a film was shown first is said with the host that the link leads to",
        arguments: [
            ("PayPal", "https://paypal.com@evil.example/x", "PayPal (evil.example)"),
            ("Tube.example", "https://tube.example/x", "Tube.example"), ("tube", "javascript:x", "tube"),
        ])
    func origin(platform: String, address: String, expected: String) throws {
        let tags: [NostrCore.Tag] = [
            ["imeta", "url https://a.example/1.mp4", "m video/mp4"], ["origin", platform, "x1", address],
        ]
        let event = FakeAuthor(1).event("x", kind: 21, tags: tags, at: Timestamp(seconds: 1))
        #expect(VideoItem(try #require(VideoPost(event))).origin?.name == expected)
    }

    @Test("the best form of a film that most devices play comes first, pieces of it last")
    func forms() throws {
        let tags: [NostrCore.Tag] = [
            ["imeta", "url https://a.example/list.m3u8", "m application/x-mpegURL", "dim 1920x1080"],
            ["imeta", "url https://a.example/4k.mp4", "m video/mp4", "dim 3840x2160"],
            ["imeta", "url https://a.example/360.mp4", "m video/mp4", "dim 640x360"],
            ["imeta", "url https://a.example/1080.mp4", "m video/mp4", "dim 1920x1080", "duration 3725"],
        ]
        let event = FakeAuthor(1).event("x", kind: 21, tags: tags, at: Timestamp(seconds: 1))
        let video = VideoItem(try #require(VideoPost(event)))
        #expect(
            video.film?.sources.map { $0.address.split(separator: "/").last } == [
                "1080.mp4", "360.mp4", "4k.mp4", "list.m3u8",
            ])
        #expect(video.length == "1:02:05" && spokenLength(.seconds(7)) == "0:07")
    }
}
