import NostrClient
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

    private func read(_ body: [UInt8], in pieces: Int = .max) throws -> Form {
        var (reader, parts) = (MultipartReader(boundary: "x7"), Form.Gathering())
        var rest = body[...]
        repeat {
            for piece in try reader.read(rest.prefix(pieces)) { parts.add(piece) }
            rest = rest.dropFirst(pieces)
        } while !rest.isEmpty
        return parts.form
    }

    @Test(
        "a file counts as a field of its Base64, and of fields with one name the first counts",
        arguments: [1, 7, 10_000])
    func reads(pieces: Int) throws {
        let form = try read(Array(Self.body.utf8), in: pieces)
        #expect(form.all.map(\.name) == ["csrf", "file"])
        #expect(form["csrf"] == "token")
        // Bytes that look like another boundary, and a line's end, are of the file.
        #expect(form["file"] == "AQ0KLS14Ng0K")
    }

    @Test("a file keeps its name and its bytes; where none was chosen there is none")
    func files() throws {
        let whole = try read(Array(Self.body.utf8))
        #expect(whole.file("file") == FormFile(name: "me.jpg", bytes: Array("\u{1}\r\n--x6\r\n".utf8)))
        let empty = """
            --x7\r
            Content-Disposition: form-data; name="file"; filename=""\r
            Content-Type: application/octet-stream\r
            \r
            \r
            --x7--\r

            """
        let none = try read(Array(empty.utf8))
        #expect(none.file("file") == nil && none.has("file"))
    }

    @Test("lines of a text end as they do in any other form")
    func lineEnds() throws {
        let body = "--x7\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\na\r\nb\r\n--x7--"
        let form = try read(Array(body.utf8))
        #expect(form["text"] == "a\nb")
    }

    @Test("only where something is said a form may be large")
    func bounds() {
        for path in ["/messages/0123", "/circles/0123"] {
            #expect(FormGuard.largestForm(at: path) > OutgoingFile.largest)
        }
        for path in ["/messages", "/circles/0123/picture", "/compose", "/messages/0123/a/react", ""] {
            #expect(FormGuard.largestForm(at: path) == FormGuard.largestForm)
        }
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
    func noise() throws {
        var random = SeededRandom(seed: 3)
        let whole = Array(Self.body.utf8)
        for length in 0...whole.count {
            let cut = try read(Array(whole.prefix(length)))
            #expect(["", "token"].contains(cut["csrf"]) && ["", "AQ0KLS14Ng0K"].contains(cut["file"]))
        }
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<6 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? read(bytes)
        }
        let nothing = try read([])
        #expect(nothing.all.isEmpty)
    }
}
