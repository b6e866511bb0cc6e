import AsyncPrimitives
import Hummingbird
import Logging
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI
@testable import linnet

/// What docs/NIPS.md claims can be reached.
///
/// The list stands below the pages and the command line, and cannot ask them; this target sees all three.
@Suite("claims")
struct ClaimsTests {
    /// The web face with everything it can have, as `linnet serve` puts it together.
    private static func routes() throws -> Set<String> {
        let account = FakeAccount(.plain(notes: 0))
        let opening = FakeOpening(account)
        let face = try WebFace(
            opening: opening, settings: SettingsInMemory(), personal: SettingsInMemory(),
            keys: FakeKeys(kind: .file, opening: opening),
            signers: ScriptedSigners(ScriptedSigningService(of: account.publicKey)), elsewhere: FakeElsewhere(account),
            logger: Logger(label: "claims") { _ in SwiftLogNoOpLogHandler() })
        return Set(face.router.routes.map { "\($0.method) \(Self.pattern("\($0.path)"))" })
    }

    /// A pattern as the list writes it: `/note/:id`.
    private static func pattern(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.hasPrefix("{") && part.hasSuffix("}") ? ":" + part.dropFirst().dropLast() : String(part)
        }.joined(separator: "/")
    }

    @Test("every NIP that is claimed is reached by a page, a form or a verb that is there")
    func reached() throws {
        let routes = try Self.routes()
        for nip in SupportedNIP.all {
            #expect(!nip.ways.isEmpty, "NIP \(nip.number) is claimed and reached by nothing")
            for way in nip.ways {
                let isThere =
                    switch way {
                    case .page(let path): routes.contains("GET \(path)")
                    case .form(let path): routes.contains("POST \(path)")
                    case .verb(let words):
                        CommandTree.command(words.split(separator: " ").map(String.init)) != nil
                    }
                #expect(isThere, "NIP \(nip.number) names \(way.text), which is not there")
            }
        }
    }

    @Test("a way that is not there is found out")
    func refuted() throws {
        let routes = try Self.routes()
        #expect(routes.contains("GET /home") && !routes.contains("GET /nowhere") && !routes.contains("POST /home"))
        #expect(CommandTree.command(["key", "public"]) != nil)
        #expect(CommandTree.command(["key", "nowhere"]) == nil && CommandTree.command(["nowhere"]) == nil)
    }

    @Test("what only the relay does is reached by the verb that runs one")
    func relaySide() {
        #expect(CommandTree.command(["relay"]) == RelayCommand.self)
        for nip in SupportedNIP.all where nip.isRelaySide { #expect(!nip.ways.isEmpty) }
    }
}
