private enum Name {
    static let head = 0x1A45_DFA3, segment = 0x1853_8067, information = 0x1549_A966, tracks = 0x1654_AE6B
    static let track = 0xAE, video = 0xE0, width = 0xB0, height = 0xBA, cluster = 0x1F43_B675
    static let tags = 0x1254_C367, attachments = 0x1941_A469, date = 0x4461, title = 0x7BA9, fileName = 0x7384
    static let checksum = 0xBF, void = 0xEC
}

/// Goes through the elements of a Matroska or WebM file and says what must go.

///

/// Source: RFC 8794; RFC 9559.
struct ElementWalk<File: ReadableBytes> {
    private(set) var parts = ErasedParts()
    private let file: File
    private var elementsLeft = 4_000_000
    private var hasTracks = false

    private struct Element {
        let name: Int
        let start: Int64
        let content: Range<Int64>
        let isUnbounded: Bool
    }

    init(_ file: File) { self.file = file }

    mutating func run() -> Bool {
        guard let head = element(at: 0, before: file.byteCount), head.name == Name.head, !head.isUnbounded else {
            return false
        }
        var place = head.content.upperBound
        while let next = element(at: place, before: file.byteCount), next.name != Name.segment {
            elementsLeft -= 1
            guard next.name == Name.void, !next.isUnbounded, elementsLeft > 0 else { return false }
            erase(next)
            place = next.content.upperBound
        }
        guard let segment = element(at: place, before: file.byteCount), walk(segment, depth: 0) else { return false }
        // Behind the segment stands what is no part of the film.
        if !segment.isUnbounded || parts.end == 0 { parts.end = segment.content.upperBound }
        return hasTracks
    }

    /// An element that is not longer than what it is in; one cut by the end of the file ends there.
    private func element(at place: Int64, before end: Int64) -> Element? {
        let head = file.bytes(at: place, count: 12)
        guard place < end, let first = head.first else { return nil }
        let nameLength = first.leadingZeroBitCount + 1
        guard nameLength <= 4, let name = head.number(at: 0, nameLength), head.count > nameLength else { return nil }
        let width = head[nameLength].leadingZeroBitCount + 1
        guard width <= 8, nameLength + width <= head.count else { return nil }
        var length: Int64 = Int64(head[nameLength]) & ((1 << Int64(8 - width)) - 1)
        for byte in head[(nameLength + 1)..<(nameLength + width)] { length = length << 8 | Int64(byte) }
        let isUnbounded = length == (1 << Int64(7 * width)) - 1
        let start = place + Int64(nameLength + width)
        guard start <= end else { return nil }
        if isUnbounded {
            return Element(name: name, start: place, content: start..<end, isUnbounded: true)
        }
        guard length <= end - start || end == file.byteCount else { return nil }
        return Element(
            name: name, start: place, content: start..<start + min(length, end - start), isUnbounded: false)
    }

    /// Looks at what is in an element.
    private mutating func walk(_ parent: Element, depth: Int) -> Bool {
        guard depth < 4 else { return false }
        var place = parent.content.lowerBound
        while let element = element(at: place, before: parent.content.upperBound) {
            elementsLeft -= 1
            guard elementsLeft > 0 else { return false }
            if element.isUnbounded {
                // Only a cluster may leave it open; what is in it is told from what follows by its name.
                guard parent.name == Name.segment, element.name == Name.cluster else { return false }
                place = element.content.lowerBound
                continue
            }
            guard look(at: element, depth: depth) else { return false }
            place = element.content.upperBound
        }
        guard place < parent.content.upperBound else { return true }
        // What is no element may stand behind the last of a recording, and is cut off.
        guard parent.name == Name.segment, hasTracks else { return false }
        parts.end = place
        return parent.isUnbounded
    }

    private mutating func look(at element: Element, depth: Int) -> Bool {
        switch element.name {
        case Name.tags, Name.attachments, Name.date, Name.title, Name.fileName, Name.void, Name.checksum:
            erase(element)
        case Name.information, Name.tracks, Name.track, Name.video:
            hasTracks = hasTracks || element.name == Name.tracks
            return walk(element, depth: depth + 1)
        case Name.width: parts.width = parts.width ?? number(element)
        case Name.height: parts.height = parts.height ?? number(element)
        default: break
        }
        return true
    }

    private func number(_ element: Element) -> Int? {
        guard element.content.count <= 4, !element.content.isEmpty else { return nil }
        let count = element.content.count
        return file.bytes(at: element.content.lowerBound, count: count).number(at: 0, count)
    }

    /// Makes an element one that means nothing, of the same length.
    private mutating func erase(_ element: Element) {
        let whole = element.content.upperBound - element.start
        parts.blanks.append(element.start..<element.content.upperBound)
        let head: [UInt8]
        if whole >= 9 {
            let length = whole - 9
            head =
                [0xEC, 1] + stride(from: 48, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> Int64($0)) }
        } else {
            head = [0xEC, 0x80 | UInt8(truncatingIfNeeded: whole - 2)]
        }
        parts.patches.append(ErasedParts.Patch(place: element.start, bytes: head))
    }
}
