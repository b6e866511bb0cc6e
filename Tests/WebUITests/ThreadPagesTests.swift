import Hummingbird
import HummingbirdTesting
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import WebUI

@Suite("pages of conversations")
struct ThreadPagesTests {
    /// Answers in threes, each to one that stands right above it, so that the oldest first is the order of the tree.
    ///
    /// One in fifty is of somebody muted, also the last of a page.
    private func answers(to root: Event, count: Int) -> [Event] {
        var answers: [Event] = []
        for index in 0..<count {
            let author: TestPerson = index % 50 == 49 ? .carol : index.isMultiple(of: 2) ? .bob : .dave
            let parent: Event =
                switch index % 3 {
                case 0: root
                case 1: answers[index - 1]
                default: answers[index - (index.isMultiple(of: 2) ? 1 : 2)]
                }
            answers.append(
                author.event(
                    "answer \(index)",
                    tags: ThreadReferences.replyTags(to: parent, relay: nil, author: author.publicKey),
                    at: root.createdAt.seconds + 1 + Int64(index)))
        }
        return answers
    }

    /// The answers of a page in their order, and marks that stand for muted ones.
    private func answers(on page: Page) -> [String] {
        guard let start = page.text.firstRange(of: "<div class=\"replies\">") else { return [] }
        return page.text[start.upperBound...].split(separator: " data-").compactMap { part in
            for name in ["id=\"", "hidden=\""] where part.hasPrefix(name) {
                return String(part.dropFirst(name.count).prefix(64))
            }
            return nil
        }
    }

    private func more(on page: Page) -> String? {
        guard let link = page.text.firstRange(of: "data-more-answers href=\"") else { return nil }
        return String(page.text[link.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }

    @Test("lead through 3 000 answers to the last, each once and in order, without a script")
    func longThread() async throws {
        let root = TestPerson.bob.event("What did you see?", at: 1_700_000_000)
        let answers = answers(to: root, count: 3000)
        let mute = TestPerson.alice.event(
            kind: 10_000, tags: [["p", TestPerson.carol.publicKey.hex]], at: 1_700_000_000)
        let face = try await FaceOverStore([root, mute] + answers).face
        let app = Application(responder: face.responder)
        try await app.test(.router) { client in
            let browser = Browser(client: client, face: face)
            let cookie = try await browser.logIn()
            var path: String? = "/note/\(root.id.hex)"
            var found: [String] = []
            var pages = 0
            while let next = path, pages < 40 {
                let page = try await browser.get(next, cookie: cookie)
                #expect(page.status == .ok)
                #expect(page.text.contains("What did you see?"))
                #expect(page.text.contains("Back to the first replies") == (pages > 0))
                found += self.answers(on: page)
                path = more(on: page)
                pages += 1
            }
            #expect(pages == 15)
            #expect(found == answers.map(\.id.hex))
        }
    }
}
