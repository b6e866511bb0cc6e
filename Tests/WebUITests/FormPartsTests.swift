import NostrTesting
import Testing

@testable import WebUI

@Suite("Forms that carry a file") struct FormPartsTests {
    private static let body = """
        --x7\r
        Content-Disposition: form-data; name="csrf"\r
        \r
        token\r
        --x7\r
        content-disposition: form-data; name="file"; filename="me.jpg"\r
        Content-Type: image/jpeg\r
        \r
        \u{1}\r
        --x6\r
        \r
        --x7\r
        Content-Disposition: form-data; name="csrf"\r
        \r
        another\r
        --x7--\r

        """

    @Test("a file counts as a field of its Base64, and of fields with one name the first counts")
    func reads() {
        let form = Form(parts: Array(Self.body.utf8), boundary: "x7")
        #expect(form.all.map(\.name) == ["csrf", "file"])
        #expect(form["csrf"] == "token")
        // Bytes that look like another boundary, and a line's end, are of the file.
        #expect(form["file"] == "AQ0KLS14Ng0K")
    }

    @Test(
        "boundaries are read as browsers write them",
        arguments: [
            ("multipart/form-data; boundary=----WebKitFormBoundary7", "----WebKitFormBoundary7"),
            ("Multipart/Form-Data; charset=utf-8; boundary=\"a b\"", "a b"), ("multipart/form-data", nil),
            ("multipart/form-data; boundary=", nil), ("application/x-www-form-urlencoded", nil),
            ("multipart/form-data; boundary=" + String(repeating: "a", count: 71), nil), ("", nil),
        ])
    func boundaries(type: String, boundary: String?) {
        #expect(Form.boundary(type) == boundary)
    }

    @Test("noise and what is cut off anywhere never traps")
    func noise() {
        var random = SeededRandom(seed: 3)
        let whole = Array(Self.body.utf8)
        for length in 0...whole.count { _ = Form(parts: Array(whole.prefix(length)), boundary: "x7") }
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<6 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = Form(parts: bytes, boundary: "x7")
        }
        #expect(Form(parts: [], boundary: "x7").all.isEmpty)
    }
}
