// One process per file: reads it from standard input, writes a copy that is fit to be published, says what it is, leaves.
//
//     linnet-media --output FILE [--type TYPE] < FILE        `linnet` runs this
//     linnet-media --output FILE --longest DOTS < FILE       makes a picture smaller, only to be shown
//     linnet-media --output - [--type TYPE] < CONNECTION     the same of a picture that is to be on no disk
//     linnet-media --check                                   says what a file that takes this process over could reach
//
// A file may be made to harm whoever reads it, and libraries that read pictures are large: so they are in this process,
// which holds no key, may use only so much memory and time and, on Linux, opens no socket and no further file
// once it looks at a picture. Prints one line of JSON; behind the copy and the end of a line, where that is printed, too.
// Exit: 0 written, 2 misused, others as `Failure` says.
import MediaFormats

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

let words = CommandLine.arguments
if words.dropFirst() == ["--check"] {
    ProcessLimits.apply(largestOutput: 64 << 20)
    leave(Sandbox.check())
}
let hasOption = words.count == 5
guard words.count == 3 || hasOption, words[1] == "--output",
    !hasOption || words[3] == "--type"
        || words[3] == "--longest" && Int(words[4]).map({ (16...4096).contains($0) }) == true
else {
    leave(.misused, "usage: linnet-media --output FILE [--type TYPE | --longest DOTS] < FILE")
}
/// The most bytes of a picture that comes over a connection: as many as are prepared.
let mostOverConnection: Int64 = 64 << 20
let isConnected = words[2] == "-"
let onDisk = InputFile(descriptor: 0)
guard isConnected || onDisk != nil else { leave(.misused, "standard input is not a file") }
let file = onDisk ?? InputFile(connection: 0, most: mostOverConnection)
ProcessLimits.apply(largestOutput: file.byteCount + 64 << 20)
do throws(Failure) {
    let longest = hasOption && words[3] == "--longest" ? Int(words[4]) : nil
    let said = hasOption && longest == nil ? words[4] : ""
    guard let format = MediaFormat(beginning: file.bytes(at: 0, count: MediaFormat.beginning)) else {
        throw .unsupported
    }
    if longest != nil || isConnected, !format.isPicture { throw .unsupported }
    let output = try OutputFile(path: words[2])
    let hasLibrary = format.isPicture && Picture.start(format)
    if longest != nil, !hasLibrary { throw .noLibrary }
    // All that is needed is open and loaded; what the file's own bytes lead to comes after this.
    Sandbox.enter()
    let result: Result
    if let longest {
        result = try shrink(picture: file, as: format, longest: longest, to: output)
    } else if hasLibrary {
        result = try prepare(picture: file, as: format, to: output)
    } else if format.isPicture {
        result = try prepareUndecoded(picture: file, as: format, to: output)
    } else {
        result = try prepare(other: file, as: format, said: said, to: output)
    }
    if output.isConnection { print() }
    print(result.json)
} catch {
    leave(error, "\(error)")
}

func leave(_ failure: Failure, _ text: String) -> Never {
    let line = Array("linnet-media: \(text)\n".utf8)
    // With standard error closed there is nowhere to say it.
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    exit(failure.rawValue)
}

func leave(_ check: (line: String, holds: Bool)) -> Never {
    print(check.line)
    exit(check.holds ? 0 : 1)
}
