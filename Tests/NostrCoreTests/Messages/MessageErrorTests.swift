import NostrCore
import NostrTesting
import Testing

private let long = String(repeating: "s", count: 65)
private let hex = String(repeating: "a", count: 64)

@Suite("messages that are none")
struct MessageErrorTests {
    @Test(
        "from a client are refused",
        arguments: [
            ("", ParseError.Problem.unexpectedEnd), ("{}", .wrongType(key: "message")), ("[]", .wrongCount),
            ("[1]", .wrongType(key: "message")), (#"["NOPE"]"#, .unknownMessage), (#"["REQ"]"#, .wrongCount),
            (#"["REQ","a"]"#, .wrongCount), (#"["REQ","",{}]"#, .invalidSubscriptionID),
            (#"["REQ","\#(long)",{}]"#, .invalidSubscriptionID), (#"["REQ","a",1]"#, .wrongType(key: "filter")),
            (#"["CLOSE"]"#, .wrongCount), (#"["CLOSE","a","b"]"#, .wrongCount), (#"["EVENT"]"#, .wrongCount),
            (#"["EVENT","a",{}]"#, .wrongType(key: "event")), (#"["AUTH","challenge"]"#, .wrongType(key: "event")),
            (#"["CLOSE","a"],"#, .trailingBytes), (#"["CLOSE","a""#, .unexpectedEnd),
            ("\u{FEFF}[]", .unexpectedByte(0xEF)),
        ])
    func client(text: String, why: ParseError.Problem) {
        #expect(problem { try ClientMessage(json: Array(text.utf8)) } == why)
    }

    @Test(
        "from a relay are refused",
        arguments: [
            (#"["NOPE",1]"#, ParseError.Problem.unknownMessage), (#"["EOSE"]"#, .wrongCount),
            (#"["EOSE",1]"#, .wrongType(key: "subscription")),
            (#"["OK","",true,""]"#, .hex(.wrongLength(expected: 64, got: 0))),
            (#"["OK","\#(hex)"]"#, .wrongCount), (#"["OK","\#(hex)","true"]"#, .wrongType(key: "accepted")),
            (#"["OK","\#(hex)",true,1]"#, .wrongType(key: "reason")), (#"["EVENT","a"]"#, .wrongCount),
            (#"["COUNT","a",{}]"#, .missingKey("count")), (#"["COUNT","a",{"count":-1}]"#, .numberOutOfRange),
            (#"["COUNT","a",{"count":1,"count":1}]"#, .duplicateKey("count")),
            (#"["NOTICE","a",]"#, .unexpectedByte(0x5D)),
            (#"["NOTICE",null]"#, .wrongType(key: "notice")), (#"["CLOSED","a","b"]]"#, .trailingBytes),
        ])
    func relay(text: String, why: ParseError.Problem) {
        #expect(problem { try RelayMessage(json: Array(text.utf8)) } == why)
    }

    @Test(
        "but nearly are read as meant",
        arguments: [
            (#" [ "EOSE" , "a" , {"more":[1,2]} ] "#, RelayMessage.eose(SubscriptionID("a") ?? fallback)),
            (#"["CLOSED","a"]"#, .closed(SubscriptionID("a") ?? fallback, Reason(nil, ""))),
            (#"["CLOSED","a","error: x","y"]"#, .closed(SubscriptionID("a") ?? fallback, Reason(.error, "x"))),
            (#"["NOTICE","\ud83e\udd9c\/"]"#, .notice("🦜/")),
            (
                #"["COUNT","a",{"hll":"00","approximate":true,"count":3}]"#,
                .count(SubscriptionID("a") ?? fallback, 3, approximate: true)
            ),
        ])
    func lenient(text: String, message: RelayMessage) throws {
        #expect(try RelayMessage(json: Array(text.utf8)) == message)
    }

    @Test(
        "in a filter are refused",
        arguments: [
            (##"{"#ab":["x"]}"##, ParseError.Problem.invalidFilter("#ab")), (##"{"#":["x"]}"##, .invalidFilter("#")),
            (##"{"#é":["x"]}"##, .invalidFilter("#é")), (##"{"#1":["x"]}"##, .invalidFilter("#1")),
            (##"{"#e":["x"],"#e":["y"]}"##, .duplicateKey("#e")), (##"{"#e":"x"}"##, .wrongType(key: "#")),
            (#"{"ids":["ab"]}"#, .hex(.wrongLength(expected: 64, got: 2))), (#"{"ids":null}"#, .wrongType(key: "ids")),
            (#"{"kinds":[1],"kinds":[1]}"#, .duplicateKey("kinds")), (#"{"kinds":[-1]}"#, .numberOutOfRange),
            (#"{"kinds":["1"]}"#, .wrongType(key: "kinds")), (#"{"since":-1}"#, .numberOutOfRange),
            (#"{"until":1.5}"#, .wrongType(key: "until")), (#"{"limit":"1"}"#, .wrongType(key: "limit")),
            (#"{"search":1}"#, .wrongType(key: "search")), ("[]", .wrongType(key: "filter")),
        ])
    func filters(text: String, why: ParseError.Problem) {
        #expect(problem { try Filter(json: Array(text.utf8)) } == why)
    }

    @Test("with more filters or values than the limits are refused")
    func limits() {
        let three = Array(#"["REQ","a",{},{},{"kinds":[1,2,3]}]"#.utf8)
        #expect(problem { try ClientMessage(json: three, limits: ParseLimits(filters: 3, values: 3)) } == nil)
        let (fewFilters, fewValues) = (ParseLimits(filters: 2), ParseLimits(values: 2))
        #expect(problem { try ClientMessage(json: three, limits: fewFilters) } == .tooManyFilters(limit: 2))
        #expect(problem { try ClientMessage(json: three, limits: fewValues) } == .tooManyValues(limit: 2))
    }
}

private let fallback: SubscriptionID = {
    guard let id = SubscriptionID("fallback") else { preconditionFailure("eight characters are a subscription id") }
    return id
}()

private func problem<Value>(_ parse: () throws -> Value) -> ParseError.Problem? {
    do {
        _ = try parse()
        return nil
    } catch {
        return (error as? ParseError)?.problem
    }
}
