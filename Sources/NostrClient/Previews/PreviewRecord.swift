internal import NostrCore
internal import NostrNIPs

/// What came of asking a site once, kept so that it is not asked again and again.
struct PreviewRecord: Hashable, Sendable {
    static let table = "link-preview"
    /// How long a preview counts, a page that has none, and a site that could not be reached.
    private static let lifetime: Duration = .seconds(7 * 86_400)
    private static let absence: Duration = .seconds(86_400)
    private static let pause: Duration = .seconds(15 * 60)

    /// What came.
    enum Outcome: Hashable, Sendable {
        case preview(LinkPreview)
        /// The page has nothing to show.
        case nothing
        /// Nobody answered.
        case unreachable
    }

    let outcome: Outcome
    let askedAt: Timestamp

    init(_ outcome: Outcome, at moment: Timestamp) {
        self.outcome = outcome
        askedAt = moment
    }

    /// The preview; `nil` where there is none.
    var preview: LinkPreview? {
        if case .preview(let preview) = outcome { preview } else { nil }
    }

    /// Whether it still counts.
    func isFresh(_ now: Timestamp) -> Bool {
        let lifetime =
            switch outcome {
            case .preview: Self.lifetime
            case .nothing: Self.absence
            case .unreachable: Self.pause
            }
        return askedAt <= now && askedAt + lifetime > now
    }

    /// Reads what was kept; `nil` for what is none.
    init?(record: [UInt8]) {
        // What another version wrote is asked for anew.
        guard let kept = try? JSONValue(record), let moment = kept["at"]?.string.flatMap({ Int64($0) }) else {
            return nil
        }
        let text = { (name: String) in kept[name]?.string ?? "" }
        let outcome: Outcome
        switch text("came") {
        case "preview":
            let picture = text("picture")
            outcome = .preview(
                LinkPreview(
                    title: text("title"), summary: text("summary"), site: text("site"),
                    picture: picture.isEmpty ? nil : picture))
        case "nothing": outcome = .nothing
        case "unreachable": outcome = .unreachable
        default: return nil
        }
        self.init(outcome, at: Timestamp(seconds: moment))
    }

    var record: [UInt8] {
        var members = [JSONMember("at", .string("\(askedAt.seconds)"))]
        switch outcome {
        case .preview(let preview):
            members += [
                JSONMember("came", .string("preview")), JSONMember("title", .string(preview.title)),
                JSONMember("summary", .string(preview.summary)), JSONMember("site", .string(preview.site)),
                JSONMember("picture", .string(preview.picture ?? "")),
            ]
        case .nothing: members.append(JSONMember("came", .string("nothing")))
        case .unreachable: members.append(JSONMember("came", .string("unreachable")))
        }
        return Array(JSONValue.object(members).text.utf8)
    }
}
