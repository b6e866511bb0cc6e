import AsyncPrimitives
import Crypto
import Foundation
import MediaFormats
import NostrClient
import NostrCore
import NostrNIPs
import Processes

/// Prepares files by `linnet-media`, one process for each: a crash, or a hunger for memory or time, stays there.
///
/// The process limits its memory and its time; this ends it when it takes longer than it may, believes nothing it says
/// without looking, and hashes what it wrote.
struct MediaProgram: MediaPreparing {
    /// Bytes of the largest film; a picture has its own bound.
    private static let mostOfFilm: Int64 = 4 << 30
    private static let mostOfPicture: Int64 = 64 << 20
    private static let longestAnswer = 4096
    /// Few heaps, since each takes address space, which is limited.
    private static let environment = ["MALLOC_ARENA_MAX": "2"]

    /// Where the program is.
    let program: String
    private let patience: Duration
    private let clock: any Clock<Duration>
    // Each may need a lot of memory and every core.
    private let gate = SerialGate()
    // Pages wait for these, which are small; a long film is not waited for.
    private let shrinking = SerialGate()
    private static let longestShrinking: Duration = .seconds(20)

    /// Names the program.
    ///
    /// - Parameter patience: after which a process is ended.
    init(
        program: String = MediaProgram.besideThisOne, patience: Duration = .seconds(120),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.program, self.patience, self.clock) = (program, patience, clock)
    }

    /// The program that is installed and built with this one.
    static var besideThisOne: String { OwnProgram.beside("linnet-media") }

    func prepare(_ file: URL, as type: String, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        try await copy(of: file, Order(type: type, gate: gate, patience: patience), in: folder)
    }

    func shrink(_ file: URL, longest: Int, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        let order = Order(
            type: "", longest: longest, gate: shrinking, patience: min(patience, Self.longestShrinking))
        return try await copy(of: file, order, in: folder)
    }

    func prepare(_ picture: [UInt8], as type: String) async throws(MediaProblem) -> PreparedPicture {
        let (status, said) = await gate.run { await exchange(picture, type) }
        if let problem = Self.problem(status, type) { throw problem }
        // The copy, the end of a line, and the line that says what the copy is.
        guard said.last == UInt8(ascii: "\n"), let end = said.dropLast().lastIndex(of: UInt8(ascii: "\n")), end > 0,
            said.count - end <= Self.longestAnswer,
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(said[(end + 1)...])),
            MediaFormat.allCases.contains(where: { $0.isPicture && $0.types.contains(answer.type) })
        else { throw .broken(type: type) }
        let dots = PixelSize(width: answer.width ?? 0, height: answer.height ?? 0)
        var copy = PreparedPicture(Array(said[..<end]))
        (copy.width, copy.height) = (dots?.width, dots?.height)
        copy.blurhash = answer.blurhash.flatMap { BlurHash($0) == nil ? nil : $0 }
        copy.thumbhash = answer.thumbhash.flatMap { ThumbHash($0) == nil ? nil : $0 }
        return copy
    }

    /// Hands a picture to a process and takes the copy from it, until it ends.
    ///
    /// - Returns: how it ended, `nil` when it did not start; and all it said.
    private func exchange(_ picture: [UInt8], _ type: String) async -> (status: Int32?, said: [UInt8]) {
        guard var connection = MediaConnection(sending: picture),
            let child = try? connection.start(
                program, ["--output", "-", "--type", type], environment: Self.environment)
        else { return (nil, []) }
        let clock = clock
        let elapsed = stopwatch(clock)
        var isEnded = false
        while true {
            if connection.move() {
                await Task.yield()
            } else if let status = child.exitStatus() {
                // What it said before it ended is here by now.
                while connection.move() {}
                return (status, connection.answer)
            } else if (try? await clock.sleep(for: .milliseconds(4))) == nil {
                _ = poll(nil, 0, 4)
            }
            let isTooMuch = connection.answer.count > Int(Self.mostOfPicture) + Self.longestAnswer
            if !isEnded, elapsed() > patience || Task.isCancelled || isTooMuch {
                kill(child.identifier, SIGKILL)
                isEnded = true
            }
        }
    }

    /// What a copy is to be.
    private struct Order {
        let type: String
        var longest: Int?
        let gate: SerialGate
        let patience: Duration

        /// The words for the program.
        func arguments(_ output: URL) -> [String] {
            ["--output", output.path] + (longest.map { ["--longest", "\($0)"] } ?? ["--type", type])
        }
    }

    private func copy(of file: URL, _ order: Order, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        let input = unsafe open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else { throw .unreadable }
        defer { close(input) }
        var status = stat()
        guard unsafe fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
        let name = "linnet-media-\(UUID().uuidString)"
        let output = folder.appending(path: name)
        let said = folder.appending(path: name + ".json")
        // What cannot be removed now goes at the next start.
        defer { try? FileManager.default.removeItem(at: said) }
        do throws(MediaProblem) {
            let answer = try await run(input, order, output, said)
            return try await checked(answer, output)
        } catch {
            // Often there is none.
            try? FileManager.default.removeItem(at: output)
            throw error
        }
    }

    /// Runs the program to its end; what it said.
    private func run(_ input: Int32, _ order: Order, _ output: URL, _ said: URL) async throws(MediaProblem) -> Answer {
        let type = order.type
        // A file rather than a pipe: nobody else holds it open, and it never makes anybody wait.
        let answers = unsafe open(said.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard answers >= 0 else { throw .notWritten }
        defer { close(answers) }
        let status = await order.gate.run {
            await exitStatus(input, answers, order.arguments(output), patience: order.patience)
        }
        if let problem = Self.problem(status, type) { throw problem }
        let bytes = FileHandle(fileDescriptor: answers, closeOnDealloc: false)
        guard (try? bytes.seek(toOffset: 0)) != nil, let text = try? bytes.read(upToCount: Self.longestAnswer),
            let answer = try? JSONDecoder().decode(Answer.self, from: text)
        else { throw .broken(type: type) }
        return answer
    }

    /// What the end of a process says is wrong; `nil` where it did its work.
    private static func problem(_ status: Int32?, _ type: String) -> MediaProblem? {
        switch status {
        case 0: nil
        case nil, 127: .notInstalled
        case 3: .unsupported(type: type)
        case 4: .broken(type: type)
        case 5: .tooLarge(most: type.hasPrefix("video/") ? mostOfFilm : mostOfPicture)
        case 6: .tooManyPixels(most: PicturePlan.mostDots)
        case 7: .notWritten
        case 8: .notInstalled
        // The system ended it: at a limit, or at a fault that the file led to.
        case 128 + SIGSEGV, 128 + SIGBUS, 128 + SIGILL, 128 + SIGFPE: .broken(type: type)
        default: .overLimit
        }
    }

    /// How the process ended, 128 and more by a signal; `nil` when it did not start.
    private func exitStatus(
        _ input: Int32, _ output: Int32, _ arguments: [String], patience: Duration
    ) async -> Int32? {
        let child: SpawnedProcess
        do {
            child = try SpawnedProcess(program, arguments, environment: Self.environment, input: input, output: output)
        } catch {
            return nil
        }
        let clock = clock
        let elapsed = stopwatch(clock)
        var isEnded = false
        while true {
            if let status = child.exitStatus() { return status }
            // Nobody waits any more, or it has had its time: it is ended, and then soon has.
            if !isEnded, elapsed() > patience || Task.isCancelled {
                kill(child.identifier, SIGKILL)
                isEnded = true
            }
            // Cancelled sleep returns at once; the process must be waited for all the same.
            if (try? await clock.sleep(for: .milliseconds(4))) == nil { _ = poll(nil, 0, 4) }
        }
    }

    /// What the process says of its copy, as far as it can be.
    private func checked(_ answer: Answer, _ file: URL) async throws(MediaProblem) -> PreparedMedia {
        guard MediaFormat.allCases.contains(where: { $0.types.contains(answer.type) }) else {
            throw .broken(type: answer.type)
        }
        let (size, hash) = try await digest(file)
        let dots = PixelSize(width: answer.width ?? 0, height: answer.height ?? 0)
        return PreparedMedia(
            file: file, type: answer.type, size: size, sha256: hash, width: dots?.width, height: dots?.height,
            duration: answer.milliseconds.flatMap {
                (1...1_000_000_000).contains($0) ? Duration.milliseconds($0) : nil
            },
            blurhash: answer.blurhash.flatMap { BlurHash($0) == nil ? nil : $0 },
            thumbhash: answer.thumbhash.flatMap { ThumbHash($0) == nil ? nil : $0 })
    }

    private func digest(_ file: URL) async throws(MediaProblem) -> (size: Int64, hash: String) {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            var (hasher, size) = (SHA256(), Int64(0))
            while let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty {
                hasher.update(data: bytes)
                size += Int64(bytes.count)
                await Task.yield()
            }
            guard size > 0 else { throw MediaProblem.notWritten }
            return (size, encodeHex(Array(hasher.finalize())))
        } catch { throw .notWritten }
    }

    /// What the program prints.
    private struct Answer: Decodable {
        let type: String
        let width: Int?
        let height: Int?
        let milliseconds: Int?
        let blurhash: String?
        let thumbhash: String?
    }
}
