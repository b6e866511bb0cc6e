import Foundation
import Testing

@testable import linnet

@Suite("Pages that a command opens", .timeLimit(.minutes(10)))
struct OpenedPageTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
    private let url = "http://127.0.0.1:4869/login?token=planted-token&to=%2Fsigner%2Flink%2F1"

    #if os(Linux)
        @Test("a token stands in no program's arguments while a browser is handed its page")
        func arguments() async throws {
            defer { try? FileManager.default.removeItem(at: home) }
            let directory = DataDirectory(path: home.path)
            try directory.prepare()
            // A browser that writes down what every program of the machine can read, and what it was given.
            let browser = home.appending(path: "browser")
            let script = """
                #!/bin/sh
                cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' > '\(home.path)/seen'
                printf %s "$1" > '\(home.path)/given'
                """
            try Data(script.utf8).write(to: browser)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser.path)
            try await SystemURLs(opener: browser.path, folder: directory.opened).open(url)
            let seen = String(decoding: try Data(contentsOf: home.appending(path: "seen")), as: UTF8.self)
            #expect(seen.contains(browser.path) && !seen.contains("planted-token"))
            let given = try String(contentsOf: home.appending(path: "given"), encoding: .utf8)
            let page = try #require(URL(string: given))
            #expect(page.isFileURL && given.hasSuffix(".html"))
            let mode = try FileManager.default.attributesOfItem(atPath: page.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("url=http://127.0.0.1:4869/login?token=planted-token&amp;to=%2Fsigner%2Flink%2F1"))
        }
    #endif

    @Test("an address cannot break out of its page")
    func escapes() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        let page = try OpenedPage.write(leadingTo: "https://a/\"><script>alert('1')</script>", in: home.path)
        let text = try String(contentsOf: try #require(URL(string: page)), encoding: .utf8)
        #expect(!text.contains("<script>") && text.contains("&#34;&gt;&lt;script&gt;"))
    }

    @Test("pages whose token has died go with the next one")
    func removesOld() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        _ = try OpenedPage.write(leadingTo: url, in: home.path)
        _ = try OpenedPage.write(leadingTo: url, in: home.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).count == 2)
        _ = try OpenedPage.write(leadingTo: url, in: home.path, now: Date(timeIntervalSinceNow: 3700))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).count == 1)
    }
}
