internal import Foundation
internal import NostrNIPs

/// Small pictures, films and sounds that say where and by whom they were made, in every place there is for it.
public enum SampleMedia {
    /// What none of them may say once it is prepared.
    public static let secret = "48.2082N 16.3738E by Alice's camera"

    /// Each with its type; one of a kind.
    public static var all: [(type: String, bytes: [UInt8])] {
        [
            ("image/jpeg", jpeg()), ("image/png", png), ("image/gif", gif), ("image/webp", webp),
            ("video/mp4", film), ("video/webm", matroska), ("audio/wav", wave), ("audio/mpeg", mp3),
            ("audio/flac", flac),
        ]
    }

    /// Pictures of 16 × 16 dots that are always written anew: red and green above blue and white.
    public static var packed: [(type: String, bytes: [UInt8])] {
        [("image/avif", decoded(plainAVIF)), ("image/heic", decoded(plainHEIC))]
    }

    /// A JPEG of 32 × 16 dots: red and green above blue and white.
    ///
    /// - Parameter orientation: what EXIF says of it, 1 to 8.
    public static func jpeg(orientation: UInt8 = 1) -> [UInt8] {
        let plain = decoded(plainJPEG)
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker] + number(content.count + 2, 2) + content
        }
        let told =
            segment(0xE1, Array("Exif\0\0".utf8) + exif(orientation: orientation))
            + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(secret)".utf8))
            + segment(0xED, Array("Photoshop 3.0\08BIM\(secret)".utf8)) + segment(0xFE, Array(secret.utf8))
        return Array(plain[..<2]) + told + plain[2...] + Array("PK\u{3}\u{4}\(secret)".utf8)
    }

    /// A PNG of 4 × 2 dots, half of which can be seen through.
    public static var png: [UInt8] {
        var image = PixelImage(width: 4, height: 2)
        for x in 0..<4 { image.set(x, 0, red: 200, green: 90, blue: 10, opacity: x < 2 ? 0 : 255) }
        let file = image.png
        let told =
            chunk("tEXt", Array("Author\0\(secret)".utf8)) + chunk("iTXt", Array("XML\0\0\0\0\0\(secret)".utf8))
            + chunk("eXIf", exif(orientation: 1)) + chunk("tIME", [7, 230, 1, 1, 1, 1, 1])
        return Array(file[..<33]) + told + file[33...] + Array(secret.utf8)
    }

    /// A GIF that moves.
    public static var gif: [UInt8] {
        let plain = decoded(plainGIF)
        let comment: [UInt8] = [0x21, 0xFE, UInt8(secret.utf8.count)] + Array(secret.utf8) + [0]
        let application: [UInt8] = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [UInt8(secret.utf8.count)]
        let place = 19
        return Array(plain[..<place]) + comment + application + Array(secret.utf8) + [0] + plain[place...]
            + Array(secret.utf8)
    }

    /// A WebP with EXIF and XMP.
    public static var webp: [UInt8] {
        let plain = decoded(plainWebP)
        let chunks =
            riffChunk("VP8X", [0x0C, 0, 0, 0, 31, 0, 0, 15, 0, 0]) + plain[12...]
            + riffChunk("EXIF", exif(orientation: 1)) + riffChunk("XMP ", Array(secret.utf8))
        return Array("RIFF".utf8) + number(chunks.count + 4, 4).reversed() + Array("WEBP".utf8) + chunks
            + Array(secret.utf8)
    }

    /// A sound without sound.
    public static var wave: [UInt8] {
        let chunks =
            riffChunk("fmt ", [1, 0, 1, 0, 64, 31, 0, 0, 64, 31, 0, 0, 1, 0, 8, 0])
            + riffChunk("LIST", Array("INFOIART\(secret)".utf8)) + riffChunk("data", [128, 128, 128])
        return Array("RIFF".utf8) + number(chunks.count + 4, 4).reversed() + Array("WAVE".utf8) + chunks
    }

    /// Frames between tags.
    public static var mp3: [UInt8] {
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(secret.utf8.count)] + Array(secret.utf8)
        let last = Array("TAG\(secret)".utf8)
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        return tag + frame + frame + last + [UInt8](repeating: 0, count: 128 - last.count)
    }

    /// A head, comments, a frame's beginning.
    public static var flac: [UInt8] {
        Array("fLaC".utf8) + [0, 0, 0, 34] + [UInt8](repeating: 1, count: 34) + [0x84]
            + number(secret.utf8.count, 3) + Array(secret.utf8) + [0xFF, 0xF8, 0xC9, 0x18, 0, 0]
    }

    static func exif(orientation: UInt8) -> [UInt8] {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
        }
        let text = Array(secret.utf8)
        // A head of 8 bytes, three entries of 12 with their count and their end.
        let afterward = 8 + 2 + 36 + 4
        return Array("MM\0*".utf8) + number(8, 4) + number(3, 2)
            + entry(0x010F, 2, text.count, number(afterward, 4))
            + entry(0x0112, 3, 1, [0, orientation, 0, 0])
            + entry(0x8825, 4, 1, number(afterward + text.count, 4)) + number(0, 4) + text
            + number(1, 2) + entry(0x0001, 2, 2, Array("N\0\0\0".utf8)) + number(0, 4)
    }

    /// A whole number, the highest byte first.
    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func riffChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(content.count, 4).reversed() + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return number(content.count, 4) + body + checksum(body)
    }

    /// What stands behind a chunk of a PNG.
    static func checksum(_ body: [UInt8]) -> [UInt8] {
        let value = ~body.reduce(~0 as UInt32) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
            }
        }
        return number(Int(value), 4)
    }

    private static func decoded(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }

    private static let plainJPEG =
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU"
        + "FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
        + "FBQUFBQUFBT/wAARCAAQACADAREAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAgJCv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/"
        + "xAAZAQEAAwEBAAAAAAAAAAAAAAAABwkKBgj/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCdEGLUwFjISZjwGXjR"
        + "m9ygOltVY7gB/9k="
    private static let plainAVIF =
        "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5w"
        + "aXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAKgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEA"
        + "AAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAQAAAAEAAAABBwaXhpAAAA"
        + "AAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAADJtZGF0EgAKCRgM/9ggQEDQgDIbRsAAABR/ulvdOBufK4wbXtJmDl0r+dLttX0w"
    private static let plainHEIC =
        "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5w"
        + "aXRtAAAAAAACAAAAEGlkYXQAAAAAABAAEAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAQgACAAEAAAAAAAAAAQAAAAAA"
        + "AAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAA"
        + "dmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAAD"
        + "AB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAEAAAABAA"
        + "AAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAEptZGF0AAAA"
        + "PigBrxkhnyxI8L/csK79bFePm2X8oe8Pe+140S9of4GtM7CuKd2FYUDA3PQ5dHTCjWKCcFC0BVdrqLJBj4mA"
    private static let plainGIF =
        "R0lGODlhAgACAIAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAgACAAAIBgABCAQQEAA7"
    private static let plainWebP =
        "UklGRjgAAABXRUJQVlA4TCwAAAAvH8ADAB8gEEjeHzqN+RcQFPwf3fxHZA+AINtmkpOc5AEuENH/qFL9AWzbDw=="
}
