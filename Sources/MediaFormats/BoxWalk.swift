/// Goes through the boxes of a film and says what must go.
///
/// Source: ISO 14496-12; QuickTime File Format.
struct BoxWalk<File: ReadableBytes> {
    private(set) var parts = ErasedParts()
    private let file: File
    private var boxesLeft = 100_000
    /// How many bytes of pieces may still go: no piece lies upon another, so there are no more than the file has.
    private var bytesLeft: Int64
    private var hasMovie = false
    private var hasFragments = false
    private var hasErasedTrack = false

    /// What a film needs, by the box it is in; all else goes.
    ///
    /// Boxes within those without an entry stay.
    private let kept: [String: Set<String>] = [
        "": ["ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "wide", "pdin"],
        "moov": ["mvhd", "trak", "mvex", "iods", "ctab"],
        "trak": ["tkhd", "tref", "trgr", "edts", "mdia", "tapt", "load", "matt", "clip"],
        "mdia": ["mdhd", "hdlr", "minf", "elng"],
        "moof": ["mfhd", "traf"],
        "traf": ["tfhd", "tfdt", "trun", "sbgp", "sgpd", "subs", "saiz", "saio"],
    ]

    /// What is looked into, by the box it is in.
    private let containers: [String: Set<String>] = [
        "": ["moov", "moof"], "trak": ["mdia"], "mdia": ["minf"], "minf": ["stbl"], "moof": ["traf"],
    ]

    /// Tracks of what is seen, heard and read; others tell of the camera, such as where it is.
    private let handlers: Set<String> = ["vide", "soun", "text", "sbtl", "subt", "clcp", "tmcd", "auxv", "pict"]

    private struct Box {
        let name: String
        let start: Int64
        let content: Range<Int64>
    }

    private struct Track {
        let start: Int64
        let content: Range<Int64>
        var handler = ""
        var size: (width: Int, height: Int)?
        var samples: Range<Int64>?
    }

    init(_ file: File) {
        self.file = file
        parts.end = file.byteCount
        bytesLeft = file.byteCount
    }

    mutating func run() -> Bool {
        guard walk(0..<file.byteCount, in: "", track: nil) != nil, hasMovie else { return false }
        // The pieces of a track that goes would have to be found in every fragment.
        return !(hasErasedTrack && hasFragments)
    }

    /// Looks at each box of a range; what it learnt of the track that it is in, or `nil` when nothing can be made of it.
    private mutating func walk(_ range: Range<Int64>, in parent: String, track: Track?) -> Track?? {
        var (track, place) = (track, range.lowerBound)
        while place < range.upperBound {
            boxesLeft -= 1
            guard boxesLeft > 0 else { return nil }
            guard let box = box(at: place, before: range.upperBound) else {
                // Behind the last box of a film stands what is no part of it.
                guard parent == "", hasMovie else { return nil }
                parts.end = place
                break
            }
            guard look(at: box, in: parent, &track) else { return nil }
            place = box.content.upperBound
        }
        return .some(track)
    }

    private func box(at place: Int64, before end: Int64) -> Box? {
        let head = file.bytes(at: place, count: 16)
        guard let short = head.number(at: 0, 4), head.count >= 8 else { return nil }
        let name = String(decoding: head[4..<8], as: UTF8.self)
        var (length, headLength) = (Int64(short), Int64(8))
        if short == 0 { length = end - place }
        if short == 1 {
            guard head.count == 16, head[8] == 0, let long = head.number(at: 9, 7) else { return nil }
            (length, headLength) = (Int64(long), 16)
        }
        guard length >= headLength, length <= end - place else { return nil }
        return Box(name: name, start: place, content: place + headLength..<place + length)
    }

    private mutating func look(at box: Box, in parent: String, _ track: inout Track?) -> Bool {
        guard kept[parent]?.contains(box.name) != false else {
            // What is packed cannot be looked into.
            guard box.name != "cmov" else { return false }
            erase(box.start, box.content)
            return true
        }
        switch box.name {
        case "trak" where parent == "moov": return lookAtTrack(box)
        case let name where containers[parent]?.contains(name) == true:
            hasMovie = hasMovie || box.name == "moov"
            hasFragments = hasFragments || box.name == "moof"
            guard let inner = walk(box.content, in: box.name, track: track) else { return false }
            track = inner
            if box.name == "stbl" { track?.samples = box.content }
        case "mvhd", "tkhd", "mdhd":
            clearTimes(box)
            if box.name == "tkhd" { track?.size = size(box) }
            if box.name == "mvhd" { parts.milliseconds = length(box) }
        case "hdlr" where parent == "mdia":
            let handler = file.bytes(at: box.content.lowerBound + 8, count: 4)
            track?.handler = String(decoding: handler, as: UTF8.self)
        default: break
        }
        return true
    }

    private mutating func lookAtTrack(_ box: Box) -> Bool {
        let (patches, blanks) = (parts.patches.count, parts.blanks.count)
        let new = Track(start: box.start, content: box.content)
        guard let found = walk(box.content, in: "trak", track: new), let track = found else { return false }
        if track.handler == "vide", parts.width == nil {
            parts.width = track.size?.width
            parts.height = track.size?.height
        }
        guard !handlers.contains(track.handler) else { return true }
        hasErasedTrack = true
        // What went within it goes with it.
        parts.patches.removeSubrange(patches...)
        parts.blanks.removeSubrange(blanks...)
        if let samples = track.samples {
            var table = SampleTable(file, samples)
            guard let places = table.places() else { return false }
            for place in places { bytesLeft -= Int64(place.count) }
            guard bytesLeft >= 0 else { return false }
            parts.blanks += places
        }
        erase(box.start, box.content)
        return true
    }

    private mutating func erase(_ start: Int64, _ content: Range<Int64>) {
        parts.blanks.append(content)
        parts.patches.append(ErasedParts.Patch(place: start + 4, bytes: Array("free".utf8)))
    }

    /// When it was made and changed.
    private mutating func clearTimes(_ box: Box) {
        guard let version = file.bytes(at: box.content.lowerBound, count: 1).first else { return }
        let start = box.content.lowerBound + 4
        let end = min(box.content.upperBound, start + (version == 1 ? 16 : 8))
        if start < end { parts.blanks.append(start..<end) }
    }

    /// How long the film plays; `nil` where that makes no sense, as in one that is still being recorded.
    private func length(_ box: Box) -> Int? {
        let head = file.bytes(at: box.content.lowerBound, count: 32)
        guard let version = head.first else { return nil }
        // Of eight bytes the highest is zero in every film that anybody sees to its end.
        let (scaleAt, unitsAt, width) = version == 1 ? (20, 25, 7) : (12, 16, 4)
        guard let scale = head.number(at: scaleAt, 4), let units = head.number(at: unitsAt, width), scale > 0,
            units > 0, units / scale < 1_000_000
        else { return nil }
        return units / scale * 1000 + units % scale * 1000 / scale
    }

    /// The size a track is shown in: that of its head, turned as its matrix says.
    private func size(_ box: Box) -> (width: Int, height: Int)? {
        let head = file.bytes(at: box.content.lowerBound, count: 96)
        guard let version = head.first else { return nil }
        let matrix = version == 1 ? 52 : 40
        guard let width = head.number(at: matrix + 36, 2), let height = head.number(at: matrix + 40, 2),
            let across = head.number(at: matrix, 4), let turned = head.number(at: matrix + 4, 4),
            width > 0, height > 0
        else { return nil }
        return across == 0 && turned != 0 ? (height, width) : (width, height)
    }
}
