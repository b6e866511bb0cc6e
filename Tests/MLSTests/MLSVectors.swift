import Foundation

@testable import MLS

/// The working group's vectors: `mls/` under `LINNET_VECTORS`, or under `../shared/vectors` beside the package.
///
/// Without them the tests that need them are skipped; where `CI` is `true` their absence fails those tests.
enum MLSVectors {
    static let directory: URL = {
        if let named = ProcessInfo.processInfo.environment["LINNET_VECTORS"] {
            return URL(filePath: named, directoryHint: .isDirectory).appending(path: "mls")
        }
        // This file is Tests/MLSTests/MLSVectors.swift.
        return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/vectors/mls")
    }()

    static let arePresent: Bool =
        ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: directory.path)

    static func all<Case: Decodable>(_ file: String, as _: Case.Type = Case.self) throws -> [Case] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let cases = try decoder.decode([Case].self, from: Data(contentsOf: directory.appending(path: file)))
        return cases
    }

    /// The cases of the suites we speak; prints how many, and the suites left out.
    static func supported<Case: SuiteCase>(_ file: String, as _: Case.Type = Case.self) throws -> [Case] {
        let cases = try all(file, as: Case.self)
        let (ours, skipped) = (cases.filter(\.isSupported), cases.filter { !$0.isSupported })
        let suites = Set(skipped.map(\.cipherSuite)).sorted()
        print("\(file): \(ours.count) of \(cases.count) cases; suites not supported: \(suites)")
        return ours
    }
}

/// A vector for one cipher suite.
protocol SuiteCase: Decodable {
    var cipherSuite: UInt16 { get }
}

extension SuiteCase {
    var suite: CipherSuite { CipherSuite(rawValue: cipherSuite) }
    var isSupported: Bool { CipherSuite.supported.contains(suite) }
}

/// Bytes written in hex.
struct Hex: Decodable, Equatable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = Array(try container.decode(String.self).utf8)
        let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hex")
        }
        bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
