import Crypto
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("The encrypted form of a backup", .timeLimit(.minutes(10)))
struct BackupFormatTests {
    private static let passphrase = "correct horse"

    private func seal(_ text: [UInt8], piece: Int = 1000, seed: UInt64 = 1) async throws -> [UInt8] {
        var sealer = try await BackupSealer(passphrase: Self.passphrase, logN: 2, using: SeededRandom(seed: seed))
        var file: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: piece) {
            file += try sealer.update(Array(text[start..<min(start + piece, text.count)]))
        }
        return try file + sealer.finish()
    }

    private func open(
        _ file: [UInt8], passphrase: String = passphrase, piece: Int = 70_000
    ) throws(BackupError) -> [UInt8] {
        var opener = BackupOpener(passphrase: passphrase)
        var text: [UInt8] = []
        var start = 0
        while start < file.count {
            text += try opener.update(Array(file[start..<min(start + piece, file.count)]))
            start += piece
        }
        return try text + opener.finish()
    }

    @Test(
        "gives back what was put in, whatever its length and the pieces it comes in",
        arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
    func roundTrip(length: Int) async throws {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for piece in [977, 65_536, 300_000] {
            let file = try await seal(text, piece: piece)
            #expect(try open(file, piece: piece) == text)
        }
        let file = try await seal(text)
        if length < 2 { #expect(try open(file, piece: 1) == text) }
        #expect(file.count == 56 + length + 20 * max(1, (length + 65_535) / 65_536))
    }

    @Test("nothing of what is inside shows, and no two backups are alike")
    func hides() async throws {
        let text = Array(String(repeating: "secret words ", count: 100).utf8)
        let file = try await seal(text)
        #expect(!file.holds(Array("secret".utf8)) && !file.holds(Array(Self.passphrase.utf8)))
        #expect(try await seal(text, seed: 2).dropFirst(56) != file.dropFirst(56))
    }

    @Test("a passphrase that does not fit, or is none, is told as such")
    func passphrases() async throws {
        let file = try await seal([1, 2, 3])
        #expect(throws: BackupError.wrongPassphrase) { try open(file, passphrase: "correct hors") }
        #expect(throws: BackupError.emptyPassphrase) { try open(file, passphrase: "") }
        await #expect(throws: BackupError.emptyPassphrase) { try await BackupSealer(passphrase: "", logN: 2) }
        await #expect(throws: BackupError.self) { try await BackupSealer(passphrase: "p", logN: 0) }
    }

    /// Costs nothing, whatever it is asked for.
    private static let cheap = PassphraseStretching { password, salt, logN in
        SymmetricKey(data: SHA256.hash(data: password + salt + [logN]))
    }

    @Test("what may be made can be opened, at every cost", arguments: 0...255 as ClosedRange<UInt8>)
    func everyCost(logN: UInt8) async throws {
        func sealed(_ logN: UInt8) async throws -> [UInt8] {
            var sealer = try await BackupSealer(
                passphrase: "p", logN: logN, stretching: Self.cheap, using: SeededRandom(seed: 1))
            return try sealer.update([1, 2, 3]) + sealer.finish()
        }
        guard !(1...EncryptedSecretKey.maxLogN).contains(logN) else {
            var opener = BackupOpener(passphrase: "p", stretching: Self.cheap)
            #expect(try opener.update(try await sealed(logN)) + opener.finish() == [1, 2, 3])
            return
        }
        let refusal = BackupError.costOutOfRange(logN: logN, limit: EncryptedSecretKey.maxLogN)
        await #expect(throws: refusal) { _ = try await sealed(logN) }
        var greedy = try await sealed(1)
        greedy[15] = logN
        greedy.replaceSubrange(32..<40, with: Array(SHA256.hash(data: greedy[..<32]).prefix(8)))
        var opener = BackupOpener(passphrase: "p", stretching: Self.cheap)
        #expect(throws: refusal) { try opener.update(greedy) }
    }

    @Test("a file cut short anywhere is told as such, also between two chunks")
    func truncated() async throws {
        let file = try await seal([UInt8](repeating: 7, count: 140_000))
        let chunk = 65_536 + 20
        for length in [14, 15, 55, 56, 57, 60, 100, 56 + chunk, 56 + chunk + 1, 56 + 2 * chunk, file.count - 1] {
            #expect(throws: BackupError.truncated, "\(length)") { try open(Array(file.prefix(length))) }
        }
    }

    @Test("a flipped bit is never missed")
    func flipped() async throws {
        let text = [UInt8](repeating: 7, count: 70_000)
        let file = try await seal(text)
        let places = Array(0..<80) + [1000, 65_591, 65_592, 65_611, 65_612, 65_616, 70_000, file.count - 1]
        for place in places {
            var changed = file
            changed[place] ^= 1
            #expect(throws: BackupError.self, "\(place)") { try open(changed) }
        }
        var salt = file
        salt[20] ^= 1
        #expect(throws: BackupError.damaged) { try open(salt) }
        var middle = file
        middle[1000] ^= 1
        #expect(throws: BackupError.damaged) { try open(middle) }
    }

    @Test("chunks cannot be swapped, repeated, left out, or taken from another backup")
    func moved() async throws {
        let text = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 65_536) }
        let file = try await seal(text)
        let other = try await seal(text, seed: 2)
        let chunk = 65_536 + 20
        let header = Array(file[..<56])
        let (first, second) = (Array(file[56..<56 + chunk]), Array(file[56 + chunk..<56 + 2 * chunk]))
        let rest = Array(file[(56 + 2 * chunk)...])
        for parts in [
            [second, first, rest], [first, first, second, rest], [first, rest], [first, second, rest, rest],
            [Array(other[56..<56 + chunk]), second, rest],
        ] {
            #expect(throws: BackupError.damaged) { try open(header + parts.flatMap { $0 }) }
        }
        #expect(throws: BackupError.damaged) { try open(file + [0]) }
    }

    @Test("what is no backup, or a newer one, is told as such")
    func foreign() async throws {
        for bytes in [[], Array("SQLite format 3".utf8), [UInt8](repeating: 0, count: 500), Array("LINNET".utf8)] {
            #expect(throws: BackupError.notABackup) { try open(bytes) }
        }
        var newer = try await seal([1])
        newer[14] = 2
        #expect(throws: BackupError.tooNew(version: 2)) { try open(newer) }
        var costly = try await seal([1])
        costly[15] = 30
        #expect(throws: BackupError.self) { try open(costly) }
    }

    @Test("noise never traps")
    func noise() async throws {
        var random = SeededRandom(seed: 9)
        let file = try await seal([UInt8](repeating: 1, count: 300))
        for _ in 0..<300 {
            var changed = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 56..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            changed.removeLast(Int.random(in: 0...10, using: &random))
            guard changed != file else { continue }
            #expect(throws: BackupError.self) { try open(changed, piece: 37) }
        }
    }
}
