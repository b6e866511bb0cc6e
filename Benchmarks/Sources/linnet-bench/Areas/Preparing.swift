import Foundation
import NostrNIPs

/// A photo of 12 megapixels made fit to be published, from a process's start to its end, against libvips alone: its own
/// program, which makes the same size of the same quality, without codes, and looks at nothing twice.
///
/// Measures nothing where that program (`vipsthumbnail`) is not installed.
let preparing = Area(name: "preparing") { setting in
    guard
        let tool = ["/usr/bin", "/opt/homebrew/bin", "/usr/local/bin"].map({ "\($0)/vipsthumbnail" })
            .first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else { return [] }
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let dots = folder.appending(path: "photo.png")
    let photo = folder.appending(path: "photo.jpg")
    try Data(scenery(seed: setting.seed).png).write(to: dots)
    _ = try timed(tool, [dots.path, "-s", "4000", "-o", "\(photo.path)[Q=92]"])
    let ours = Bundle.main.bundleURL.appending(path: "linnet-media").path
    let (copy, other) = (folder.appending(path: "copy"), folder.appending(path: "other.jpg"))
    var (prepared, library): ([Double], [Double]) = ([], [])
    // In turns, so that what else the machine does meets both.
    for _ in 0..<21 {
        try? FileManager.default.removeItem(at: copy)
        prepared.append(try timed(ours, ["--output", copy.path], input: photo))
        library.append(try timed(tool, [photo.path, "-s", "2048", "-o", "\(other.path)[Q=85,strip]"]))
    }
    return [
        Measurement(
            name: "prepare-library", value: library.sorted()[10], unit: "ms",
            what: "12 megapixels to 2048 dots by libvips's own program, median of 21"),
        Measurement(
            name: "prepare", value: prepared.sorted()[10], unit: "ms",
            what: "the same by linnet-media, with codes and without metadata"),
    ]
}

/// Milliseconds a program takes from before its start to its end.
private func timed(_ program: String, _ arguments: [String], input: URL? = nil) throws -> Double {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    let time = ContinuousClock.now - start
    guard process.terminationStatus == 0 else { throw ToolFailure(status: process.terminationStatus) }
    return time / .milliseconds(1)
}

/// Slopes with some noise, about as hard to pack as a photo.
private func scenery(seed: UInt64) -> PixelImage {
    var random = Draws(state: seed)
    var image = PixelImage(width: 4000, height: 3000)
    for y in 0..<3000 {
        for x in 0..<4000 {
            let noise = Int(random.next() & 15)
            image.set(
                x, y, red: UInt8((x / 20 + noise) & 255), green: UInt8((y / 15 + noise) & 255),
                blue: UInt8(((x + y) / 30 + noise) & 255))
        }
    }
    return image
}
