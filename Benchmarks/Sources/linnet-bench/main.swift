import Foundation

/// Every area, in the order they run; verification first, since others are compared with it.
let areas: [Area] = [
    verification, parsing, duplicates, storing, homePages, mixedPages, hostileNotes, world, finding, firstRun, asking,
    relayChoosing, relaySensitivity, work,
    privateMessages, messages, notificationPages,
    longConversation, waking, slowReaders, blossom, preparing,
    signer, push, groups,
    circles,
]

let usage = """
    usage: linnet-bench [AREA…] [--events N] [--seed N] [--thresholds FILE]
    areas: \(areas.map(\.name).joined(separator: ", ")); none named runs all
    Prints a table on standard error, JSON lines on standard output; exit 1 when a threshold fails.

    """

var setting = Setting()
// This file is Benchmarks/Sources/linnet-bench/main.swift.
var thresholds = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Thresholds.json")
var wanted: Set<String> = []
var arguments = CommandLine.arguments.dropFirst()

func stop(_ text: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data(text.utf8))
    exit(code)
}

if arguments.first == OpenedCircles.argument, let folder = arguments.dropFirst().first {
    try await OpenedCircles.run(in: folder)
    exit(0)
}
while let argument = arguments.popFirst() {
    switch argument {
    case "--events":
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else { stop(usage, code: 2) }
        setting.events = number
    case "--seed":
        guard let number = arguments.popFirst().flatMap({ UInt64($0) }) else { stop(usage, code: 2) }
        setting.seed = number
    case "--thresholds":
        guard let path = arguments.popFirst() else { stop(usage, code: 2) }
        thresholds = URL(filePath: path)
    case "--help", "-h": stop(usage, code: 0)
    default:
        guard areas.contains(where: { $0.name == argument }) else { stop(usage, code: 2) }
        wanted.insert(argument)
    }
}

let bounds = try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: thresholds))
var measurements: [Measurement] = []
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
for area in areas where wanted.isEmpty || wanted.contains(area.name) {
    for measurement in try await area.run(setting) {
        print(String(decoding: try encoder.encode(measurement), as: UTF8.self))
        let name = measurement.name.padding(toLength: 20, withPad: " ", startingAt: 0)
        let value = String(format: "%14.1f %@", measurement.value, measurement.unit)
        FileHandle.standardError.write(Data("\(name) \(value)  \(measurement.what)\n".utf8))
        measurements.append(measurement)
    }
}
exit(bounds.check(measurements) ? 0 : 1)
