import Foundation
import NostrCore
import NostrTesting
import Testing

private let id = String(repeating: "a", count: 64)
private let sig = String(repeating: "b", count: 128)
private let good =
    #"{"id":"\#(id)","pubkey":"\#(id)","created_at":1,"kind":1,"tags":[["t","x"]],"content":"c","sig":"\#(sig)"}"#

/// The good event with one part replaced, what is wrong then, and where: the offset of a marker in the new text.
private struct Damage: CustomTestStringConvertible, Sendable {
    let part: String
    let with: String
    let problem: ParseError.Problem
    let at: String

    var testDescription: String { "\(part) → \(with)" }
}

private let damages: [Damage] = [
    Damage(part: #""kind":1"#, with: #""kind":65536"#, problem: .numberOutOfRange, at: "65536"),
    Damage(part: #""kind":1"#, with: #""kind":-1"#, problem: .numberOutOfRange, at: "-1"),
    Damage(part: #""kind":1"#, with: #""kind":1.0"#, problem: .wrongType(key: "kind"), at: "1.0"),
    Damage(part: #""kind":1"#, with: #""kind":1e3"#, problem: .wrongType(key: "kind"), at: "1e3"),
    Damage(part: #""kind":1"#, with: #""kind":"1""#, problem: .wrongType(key: "kind"), at: #""1""#),
    Damage(part: #""kind":1"#, with: #""kind":01"#, problem: .unexpectedByte(0x31), at: "1,\"tags"),
    Damage(part: #""kind":1"#, with: #""kind":+1"#, problem: .unexpectedByte(0x2B), at: "+1"),
    Damage(part: #""kind":1,"#, with: "", problem: .missingKey("kind"), at: ""),
    Damage(part: #""id":"\#(id)","#, with: "", problem: .missingKey("id"), at: ""),
    Damage(part: #""pubkey":"\#(id)","#, with: "", problem: .missingKey("pubkey"), at: ""),
    Damage(part: #""created_at":1,"#, with: "", problem: .missingKey("created_at"), at: ""),
    Damage(part: #""tags":[["t","x"]],"#, with: "", problem: .missingKey("tags"), at: ""),
    Damage(part: #""content":"c","#, with: "", problem: .missingKey("content"), at: ""),
    Damage(part: #","sig":"\#(sig)""#, with: "", problem: .missingKey("sig"), at: ""),
    Damage(part: #""kind":1"#, with: #""kind":1,"kind" :1"#, problem: .duplicateKey("kind"), at: #""kind" :"#),
    Damage(part: #""kind":1"#, with: #""kind":1,"k\u0069nd":1"#, problem: .duplicateKey("kind"), at: #""k\u"#),
    Damage(part: #""kind":1"#, with: #""kind":1,"id":"","id":1"#, problem: .duplicateKey("id"), at: #""id":"","#),
    Damage(
        part: #""created_at":1"#, with: #""created_at":9223372036854775808"#, problem: .numberOutOfRange, at: "9223"),
    Damage(part: #""created_at":1"#, with: #""created_at":-5"#, problem: .numberOutOfRange, at: "-5"),
    Damage(part: #""created_at":1"#, with: #""created_at":null"#, problem: .wrongType(key: "created_at"), at: "null"),
    Damage(part: #""content":"c""#, with: #""content":null"#, problem: .wrongType(key: "content"), at: "null"),
    Damage(part: #""content":"c""#, with: #""content":"\ud800""#, problem: .invalidEscape, at: #"\ud800"#),
    Damage(part: #""content":"c""#, with: #""content":"\udc00""#, problem: .invalidEscape, at: #"\udc00"#),
    Damage(part: #""content":"c""#, with: #""content":"\ud800\u0041""#, problem: .invalidEscape, at: #"\ud800"#),
    Damage(part: #""content":"c""#, with: #""content":"\ud800\ud800""#, problem: .invalidEscape, at: #"\ud800"#),
    Damage(part: #""content":"c""#, with: #""content":"\x""#, problem: .invalidEscape, at: #"\x"#),
    Damage(part: #""content":"c""#, with: #""content":"\u00g0""#, problem: .invalidEscape, at: #"\u00g0"#),
    Damage(part: #""content":"c""#, with: "\"content\":\"a\nb\"", problem: .unexpectedByte(0x0A), at: "\nb"),
    Damage(part: #""content":"c""#, with: #""content":'c'"#, problem: .unexpectedByte(0x27), at: "'c'"),
    Damage(part: #"[["t","x"]]"#, with: #"[["t",1]]"#, problem: .wrongType(key: "tags"), at: "1]]"),
    Damage(part: #"[["t","x"]]"#, with: #"["t"]"#, problem: .wrongType(key: "tags"), at: #""t"]"#),
    Damage(part: #"[["t","x"]]"#, with: "{}", problem: .wrongType(key: "tags"), at: "{},"),
    Damage(part: #"[["t","x"]]"#, with: #"[["t","x",]]"#, problem: .unexpectedByte(0x5D), at: "]],"),
    Damage(part: #"[["t","x"]]"#, with: #"[["t" "x"]]"#, problem: .unexpectedByte(0x22), at: #""x"]]"#),
    Damage(
        part: #""id":"\#(id)""#, with: #""id":"ab""#, problem: .hex(.wrongLength(expected: 64, got: 2)),
        at: #""ab""#),
    Damage(part: #""id":"a"#, with: #""id":"A"#, problem: .hex(.notLowercaseHex(at: 0)), at: #""A"#),
    Damage(part: #""sig":"b"#, with: #""sig":"g"#, problem: .hex(.notLowercaseHex(at: 0)), at: #""g"#),
    Damage(part: #""kind":1"#, with: #""kind":1,"x":tru"#, problem: .unexpectedByte(0x2C), at: ",\"tags"),
    Damage(part: #""kind":1"#, with: #""kind":1,"x":1."#, problem: .unexpectedByte(0x2C), at: ",\"tags"),
    Damage(part: #""kind":1"#, with: #""kind":1,"x":-"#, problem: .unexpectedByte(0x2C), at: ",\"tags"),
    Damage(part: #""kind":1"#, with: #""kind":1,,"#, problem: .unexpectedByte(0x2C), at: ",,\"tags"),
    Damage(part: #""kind":1"#, with: #""kind":1,x:1"#, problem: .unexpectedByte(0x78), at: "x:1"),
    Damage(part: #"{"id""#, with: #"["id""#, problem: .wrongType(key: "event"), at: "["),
    Damage(part: #""}"#, with: #""}x"#, problem: .trailingBytes, at: "x"),
]

private func failure(_ bytes: [UInt8], limits: ParseLimits = ParseLimits()) -> ParseError? {
    do throws(ParseError) {
        _ = try UnverifiedEvent(json: bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

/// An event with more in its content, in raw bytes.
private func event(content: [UInt8]) -> [UInt8] {
    let parts = good.split(separator: #""c""#)
    return Array(parts[0].utf8) + [0x22] + content + [0x22] + Array(parts[1].utf8)
}

@Suite("what is wrong with an event")
struct EventErrorTests {
    @Test("is said with its place", arguments: damages)
    fileprivate func table(damage: Damage) throws {
        #expect(failure(Array(good.utf8)) == nil)
        let range = try #require(good.range(of: damage.part))
        let text = good.replacingCharacters(in: range, with: damage.with)
        let from = text.utf8.index(
            text.startIndex, offsetBy: good.utf8.distance(from: good.startIndex, to: range.lowerBound))
        // An empty marker stands for the end of the text, a repeated one for its last place.
        let place =
            damage.at.isEmpty ? text.endIndex : text.range(of: damage.at, range: from..<text.endIndex)?.lowerBound
        let offset = text.utf8.distance(from: text.startIndex, to: try #require(place))
        let error = try #require(failure(Array(text.utf8)))
        #expect(error.problem == damage.problem)
        #expect(error.offset == offset)
    }

    @Test(
        "is bad UTF-8, at the first byte of the character",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80],
            [0xFE], [0xFF], [0xF0, 0x9F, 0xA6], [0xF0, 0x9F, 0xA6, 0x28],
        ] as [[UInt8]])
    func badUTF8(bytes: [UInt8]) {
        for padding in 0..<9 {
            let before = [UInt8](repeating: 0x61, count: padding)
            let json = event(content: before + bytes + Array("plain text behind".utf8))
            let start = json.firstIndex { $0 >= 0x80 } ?? 0
            #expect(failure(json) == ParseError(.invalidUTF8, at: start))
        }
    }

    @Test(
        "is not the edge of what UTF-8 allows",
        arguments: [
            "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}",
            "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "a\u{300}", "\u{FEFF}",
        ])
    func edgesOfUTF8(text: String) throws {
        let parsed = try UnverifiedEvent(json: event(content: Array(text.utf8)))
        #expect(Array(parsed.content.utf8) == Array(text.utf8))
    }

    @Test("is any end before the end")
    func everyPrefix() {
        let bytes = Array(good.utf8)
        for end in 0..<bytes.count {
            let error = failure(Array(bytes[..<end]))
            #expect(error != nil && (error?.offset ?? .max) <= end)
        }
    }

    @Test("is more than a limit")
    func limits() {
        let bytes = Array(good.utf8)
        #expect(failure(bytes, limits: ParseLimits(bytes: bytes.count)) == nil)
        #expect(
            failure(bytes, limits: ParseLimits(bytes: bytes.count - 1))
                == ParseError(.tooLong(limit: bytes.count - 1), at: bytes.count - 1))
        #expect(failure(bytes, limits: ParseLimits(tags: 1)) == nil)
        #expect(failure(bytes, limits: ParseLimits(tags: 0))?.problem == .tooManyTags(limit: 0))
        #expect(failure(bytes, limits: ParseLimits(depth: 3)) == nil)
        #expect(failure(bytes, limits: ParseLimits(depth: 2))?.problem == .tooDeep(limit: 2))
    }

    @Test("is nesting deeper than the limit in a key nobody knows")
    func depth() {
        let nested = { (depth: Int) in
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return Array((good.dropLast() + ",\"x\":\(value)}").utf8)
        }
        #expect(failure(nested(31)) == nil)
        #expect(failure(nested(32))?.problem == .tooDeep(limit: 32))
        #expect(failure(nested(100_000))?.problem == .tooDeep(limit: 32))
    }
}
