import Foundation
import MediaFormats
import NostrClient
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

@Suite("Preparing files in a process of its own", .timeLimit(.minutes(10)))
struct MediaProgramTests {
    /// A folder for one test, with what the program needs.
    private struct Place {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
        let media: MediaProgram

        /// - Parameter script: run in place of the program.
        init(script: String? = nil, patience: Duration = .seconds(120)) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var program = try Program.executable().deletingLastPathComponent().appending(path: "linnet-media").path
            if let script {
                program = folder.appending(path: "script").path
                try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
            }
            media = MediaProgram(program: program, patience: patience)
        }

        func file(_ bytes: [UInt8]) throws -> URL {
            let file = folder.appending(path: "in-\(UUID().uuidString)")
            try Data(bytes).write(to: file)
            return file
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        /// Copies and answers that were left lying.
        func leftovers() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("linnet-media-") }
        }
    }

    @Test("a picture that is to be sealed is prepared without being on a disk", arguments: SampleMedia.all.map(\.type))
    func inMemory(type: String) async throws {
        let place = try Place()
        defer { place.remove() }
        let sample = try #require(SampleMedia.all.first { $0.type == type })
        guard type.hasPrefix("image/") else {
            await #expect(throws: MediaProblem.unsupported(type: type)) {
                _ = try await place.media.prepare(sample.bytes, as: type)
            }
            return
        }
        let copy = try await place.media.prepare(sample.bytes, as: type)
        let file = try await place.media.prepare(try place.file(sample.bytes), as: type, in: place.folder)
        // The same as of a file that is published.
        #expect(copy.bytes == Array(try Data(contentsOf: file.file)))
        #expect([copy.width, copy.height] == [file.width, file.height])
        #expect([copy.blurhash, copy.thumbhash] == [file.blurhash, file.thumbhash])
        #expect(copy.bytes.firstRange(of: Array(SampleMedia.secret.utf8)) == nil)
    }

    @Test(
        "a process that answers nonsense, too much or nothing makes no picture, and is ended when it takes too long",
        arguments: [
            ("cat", MediaProblem.broken(type: "image/png")), ("exit 4", .broken(type: "image/png")),
            ("exit 8", .notInstalled), ("exec yes", .overLimit), ("exec sleep 600", .overLimit),
            ("cat >/dev/null; printf 'x\\n{\"type\":\"text/html\"}\\n'", .broken(type: "image/png")),
            ("cat >/dev/null; printf '{\"type\":\"image/png\"}\\n'", .broken(type: "image/png")),
        ])
    func nonsenseInMemory(script: String, problem: MediaProblem) async throws {
        let place = try Place(script: script, patience: .milliseconds(1500))
        defer { place.remove() }
        // More than a connection holds.
        let bytes = [UInt8](repeating: 7, count: 3 << 20)
        await #expect(throws: problem) { _ = try await place.media.prepare(bytes, as: "image/png") }
    }

    @Test("what a process makes of a picture comes back as it is, whatever is in it")
    func backAgain() async throws {
        let place = try Place(script: "cat; printf '\\n{\"type\":\"image/png\",\"width\":3,\"height\":2}\\n'")
        defer { place.remove() }
        let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let copy = try await place.media.prepare(bytes, as: "image/png")
        #expect(copy.bytes == bytes && copy.width == 3 && copy.height == 2 && copy.blurhash == nil)
    }

    @Test("a file says nothing any more of where it was made", arguments: SampleMedia.all.map(\.type))
    func clean(type: String) async throws {
        let place = try Place()
        defer { place.remove() }
        let sample = try #require(SampleMedia.all.first { $0.type == type })
        let prepared = try await place.media.prepare(try place.file(sample.bytes), as: type, in: place.folder)
        let bytes = Array(try Data(contentsOf: prepared.file))
        #expect(
            bytes.firstRange(of: Array(SampleMedia.secret.utf8)) == nil
                && bytes.firstRange(of: Array("Exif".utf8)) == nil)
        #expect(prepared.type == type && prepared.size == Int64(bytes.count) && prepared.sha256.count == 64)
        #expect(try place.leftovers() == [prepared.file.lastPathComponent])
        let isPicture = type.hasPrefix("image/")
        #expect((prepared.blurhash != nil) == isPicture && (prepared.thumbhash != nil) == isPicture)
        #expect((prepared.width != nil) == !type.hasPrefix("audio/"))
    }

    @Test(
        "a picture is upright, however it was held",
        arguments: [
            (UInt8(1), "RG/BW"), (2, "GR/WB"), (3, "WB/GR"), (4, "BW/RG"), (5, "RB/GW"), (6, "BR/WG"), (7, "WG/BR"),
            (8, "GW/RB"),
        ])
    func upright(orientation: UInt8, quarters: String) async throws {
        let place = try Place()
        defer { place.remove() }
        let file = try place.file(SampleMedia.jpeg(orientation: orientation))
        let prepared = try await place.media.prepare(file, as: "image/jpeg", in: place.folder)
        #expect(prepared.width == (orientation < 5 ? 32 : 16) && prepared.height == (orientation < 5 ? 16 : 32))
        let hash = try #require(prepared.blurhash.flatMap { BlurHash($0) })
        #expect(Self.quarters(of: hash.drawn(width: 8, height: 8)) == quarters)
    }

    /// The colours in the midst of the four quarters: red, green, blue or white, whichever is nearest.
    private static func quarters(of image: PixelImage) -> String {
        let colours: [(String, [Int])] = [
            ("R", [255, 0, 0]), ("G", [0, 255, 0]), ("B", [0, 0, 255]), ("W", [255, 255, 255]),
        ]
        func letter(_ x: Int, _ y: Int) -> String {
            let place = (y * image.width + x) * 4
            let dot = image.samples[place..<place + 3].map(Int.init)
            func distance(_ colour: [Int]) -> Int { zip(dot, colour).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
            return colours.min { distance($0.1) < distance($1.1) }?.0 ?? ""
        }
        return letter(2, 2) + letter(6, 2) + "/" + letter(2, 6) + letter(6, 6)
    }

    @Test("pictures as phones take them become JPEG", arguments: SampleMedia.packed.map(\.type))
    func packed(type: String) async throws {
        let place = try Place()
        defer { place.remove() }
        let sample = try #require(SampleMedia.packed.first { $0.type == type })
        let prepared = try await place.media.prepare(try place.file(sample.bytes), as: type, in: place.folder)
        #expect(prepared.type == "image/jpeg" && prepared.width == 16 && prepared.height == 16)
        let hash = try #require(prepared.blurhash.flatMap { BlurHash($0) })
        #expect(Self.quarters(of: hash.drawn(width: 8, height: 8)) == "RG/BW")
    }

    /// The process itself is looked at: who runs it for `linnet` takes a crash for a broken file.
    @Test("of a thousand hostile files none has the process crash or pass one of its limits, and each ends in time")
    func thousand() async throws {
        let files = HostileMedia.files(1_000, seed: 36)
        #expect(files.count == 1_000)
        let half = files.count / 2
        // Two at once, since most of a run is its start.
        async let some: Void = Self.survive(Array(files.prefix(half)))
        async let others: Void = Self.survive(Array(files.suffix(half)))
        _ = try await (some, others)
    }

    private static func survive(_ files: [HostileMedia.File]) async throws {
        let place = try Place()
        defer { place.remove() }
        let output = place.folder.appending(path: "out")
        for hostile in files {
            let input = try place.file(hostile.bytes)
            let start = ContinuousClock.now
            let ending = try await ending(of: place.media.program, reading: input, hostile.type, writing: output)
            #expect(ContinuousClock.now - start < .seconds(30), "\(hostile.what)")
            // A limit that is passed is told by a signal, as a crash is: of memory, time and the size of files.
            #expect(ending.reason == .exit, "\(hostile.what): signal \(ending.status)")
            // Written, of no type, broken, or of too many dots.
            #expect([0, 3, 4, 6].contains(ending.status), "\(hostile.what): \(ending.status)")
            if ending.status == 0 {
                let size = try output.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
                #expect((1...64 << 20).contains(size), "\(hostile.what)")
            }
            // Often there is none.
            try? FileManager.default.removeItem(at: output)
            try FileManager.default.removeItem(at: input)
        }
    }

    /// Runs the program as `linnet` does, and waits for its end.
    private static func ending(
        of program: String, reading input: URL, _ type: String, writing output: URL
    ) async throws -> (reason: Process.TerminationReason, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--output", output.path, "--type", type]
        process.environment = ["MALLOC_ARENA_MAX": "2"]
        let file = try FileHandle(forReadingFrom: input)
        defer { try? file.close() }
        process.standardInput = file
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch {
                process.terminationHandler = nil
                ended.resume(throwing: error)
            }
        }
        return (process.terminationReason, process.terminationStatus)
    }

    /// With `LINNET_FUZZ_ROUNDS` all of them.
    @Test("of the hostile files every twentieth is told by its name, and leaves nothing lying")
    func hostile() async throws {
        let files = Array(HostileMedia.files(1_000, seed: 36).enumerated())
            .filter { Noise.factor > 1 || $0.offset.isMultiple(of: 20) }.map(\.element)
        // Two at once, since most of a run is its start.
        async let some: Void = Self.endure(files.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
        async let others: Void = Self.endure(files.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element))
        _ = try await (some, others)
    }

    private static func endure(_ files: [HostileMedia.File]) async throws {
        let place = try Place()
        defer { place.remove() }
        for hostile in files {
            let file = try place.file(hostile.bytes)
            let start = ContinuousClock.now
            do throws(MediaProblem) {
                let prepared = try await place.media.prepare(file, as: hostile.type, in: place.folder)
                #expect(prepared.size <= 64 << 20, "\(hostile.what)")
                try? FileManager.default.removeItem(at: prepared.file)
            } catch {
                switch error {
                case .unsupported, .broken, .tooManyPixels: break
                default: Issue.record("\(hostile.what): \(error)")
                }
            }
            #expect(ContinuousClock.now - start < .seconds(30), "\(hostile.what)")
            try FileManager.default.removeItem(at: file)
        }
        #expect(try place.leftovers().isEmpty)
    }

    @Test("a small file of a great many dots is not opened, and none is published")
    func bombs() async throws {
        let place = try Place()
        defer { place.remove() }
        for bomb in HostileMedia.bombs {
            let file = try place.file(bomb.bytes)
            do throws(MediaProblem) {
                _ = try await place.media.prepare(file, as: bomb.type, in: place.folder)
                Issue.record("\(bomb.type), \(bomb.what): published")
            } catch {
                // Of these the size that they say does not fit their own pictures, which the library sees first.
                let mayBeBroken = ["image/webp", "image/avif", "image/heic"].contains(bomb.type)
                let isBroken = mayBeBroken && error == .broken(type: bomb.type)
                let isTold = error == .tooManyPixels(most: PicturePlan.mostDots)
                #expect(isTold || isBroken, "\(bomb.type), \(bomb.what): \(error)")
            }
        }
        #expect(try place.leftovers().isEmpty)
    }

    @Test("what cannot be cleaned is not published")
    func refused() async throws {
        let place = try Place()
        defer { place.remove() }
        let svg = try place.file(Array("<svg onload=\"alert(1)\"/>".utf8))
        await #expect(throws: MediaProblem.unsupported(type: "image/svg+xml")) {
            try await place.media.prepare(svg, as: "image/svg+xml", in: place.folder)
        }
        await #expect(throws: MediaProblem.unreadable) {
            try await place.media.prepare(place.folder.appending(path: "none"), as: "image/png", in: place.folder)
        }
        await #expect(throws: MediaProblem.unreadable) {
            try await place.media.prepare(place.folder, as: "image/png", in: place.folder)
        }
    }

    @Test(
        "a process that does wrong is ended or not believed",
        arguments: [
            ("exec sleep 1000", MediaProblem.overLimit), ("kill -KILL $$", .overLimit), ("kill -ABRT $$", .overLimit),
            ("kill -SEGV $$", .broken(type: "image/png")), ("echo nonsense", .broken(type: "image/png")),
            ("echo '{\"type\":\"text/html\"}'; echo x >\"$2\"", .broken(type: "text/html")),
            ("echo '{\"type\":\"image/png\"}'", .notWritten), ("exit 8", .notInstalled), ("exit 7", .notWritten),
        ])
    func misbehaves(script: String, problem: MediaProblem) async throws {
        let place = try Place(script: script, patience: script.contains("sleep") ? .milliseconds(500) : .seconds(120))
        defer { place.remove() }
        let file = try place.file(SampleMedia.png)
        await #expect(throws: problem) { try await place.media.prepare(file, as: "image/png", in: place.folder) }
        #expect(try place.leftovers().isEmpty)
    }

    @Test("a picture of somebody else's becomes small; one that moves stays as large, and a film is none")
    func shrinks() async throws {
        let place = try Place()
        defer { place.remove() }
        let photo = try place.file(SampleMedia.jpeg(orientation: 6))
        let small = try await place.media.shrink(photo, longest: 16, in: place.folder)
        #expect(small.type == "image/jpeg" && small.width == 8 && small.height == 16)
        #expect(small.file.deletingLastPathComponent().path == place.folder.path)
        let seen = try await place.media.shrink(try place.file(SampleMedia.png), longest: 16, in: place.folder)
        #expect(seen.type == "image/png")
        let moving = try await place.media.shrink(try place.file(SampleMedia.gif), longest: 16, in: place.folder)
        #expect(moving.type == "image/gif")
        let film = try place.file(SampleMedia.film)
        await #expect(throws: MediaProblem.unsupported(type: "")) {
            try await place.media.shrink(film, longest: 16, in: place.folder)
        }
    }
    #if os(Linux)
        @Test(
            "a file that took the process over could open no socket and no other file, and start and signal no program")
        func sandbox() throws {
            let program = try Program.executable().deletingLastPathComponent().appending(path: "linnet-media").path
            let result = try Program.run(["--check"], program: program)
            let expected =
                #"{"sandbox":true,"internet_socket":false,"local_socket":false,"read_file":false,"write_file":false,"#
                + #""list_folder":false,"child":false,"signal":false,"limit":false,"thread":true}"#
            #expect(result.line == expected && result.status == 0)
        }
    #endif

    @Test("without the program it says so")
    func missing() async throws {
        let place = try Place()
        defer { place.remove() }
        let media = MediaProgram(program: "/nonexistent/linnet-media")
        let file = try place.file(SampleMedia.png)
        await #expect(throws: MediaProblem.notInstalled) {
            try await media.prepare(file, as: "image/png", in: place.folder)
        }
    }

    @Test("linnet files prepare writes a copy beside the file, and never over another")
    func verb() throws {
        let place = try Place()
        defer { place.remove() }
        let file = place.folder.appending(path: "holiday.jpeg")
        try Data(SampleMedia.jpeg(orientation: 6)).write(to: file)
        let result = try Program.run(["files", "prepare", file.path])
        #expect(result.status == 0, "\(result.errors)")
        let copy = place.folder.appending(path: "holiday-prepared.jpg")
        #expect(result.line.contains(#""dim":"16x32""#) && result.line.contains(copy.path))
        let bytes = Array(try Data(contentsOf: copy))
        #expect(bytes.firstRange(of: Array(SampleMedia.secret.utf8)) == nil)
        let again = try Program.run(["files", "prepare", file.path])
        #expect(again.status == 1 && again.errors.contains("is there already"))
        let strange = try Program.run(["files", "prepare", place.folder.appending(path: "none").path])
        #expect(strange.status == 1 && strange.errors.contains("is not there"))
    }
}
