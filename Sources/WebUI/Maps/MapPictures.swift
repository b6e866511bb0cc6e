public import ViewModels

/// Pictures of the map for pages: from the source that a person named, kept on this machine.
public protocol MapPictures: Sendable {
    /// The folder with `leaflet.js` and `leaflet.css`; `nil` where Leaflet is not installed.
    var leaflet: String? { get }

    /// What is wrong with a source; `nil` for one that can be used.
    func problem(with source: MapSource) -> MapSourceProblem?

    /// One picture, by the three parts of its address as they stand in a path: how near, column, row.
    func picture(_ zoom: String, _ column: String, _ row: String, of source: MapSource) async -> MapPicture

    /// Begins to fetch a part of the map for when there is no network, instead of one that is being fetched.
    ///
    /// - Returns: why it does not; `nil` when it does.
    func keep(_ part: MapPart, of source: MapSource) async -> MapPartProblem?

    /// Fetches no part any more.
    func stopKeeping() async

    /// How far the fetching has come; `nil` when nothing was asked for, or it was stopped.
    var progress: MapProgress? { get async }

    /// The bytes of all that is kept.
    var size: Int { get async }

    /// Deletes all that is kept.
    func clear() async throws
}

/// What became of the wish for a picture of the map.
public enum MapPicture: Hashable, Sendable {
    /// The file, and its media type.
    case file([UInt8], type: String)
    /// There is none at this address.
    case absent
    /// It cannot be had now.
    case unavailable
}

/// A part of the map as a page shows it.
public struct MapPart: Hashable, Sendable {
    /// Degrees.
    public let south, west, north, east: Double
    /// How near it is looked at, 0…22.
    public let zoom: Int

    /// A part between four sides.
    public init(south: Double, west: Double, north: Double, east: Double, zoom: Int) {
        (self.south, self.west, self.north, self.east, self.zoom) = (south, west, north, east, zoom)
    }
}

/// Why a part of the map is not fetched.
public enum MapPartProblem: Error, Hashable, Sendable {
    /// The source cannot be used.
    case noSource
    /// It is more pictures than may be asked for at once.
    case tooLarge(most: Int)
}

/// How far the fetching of a part of the map has come, in pictures.
public struct MapProgress: Hashable, Sendable {
    /// The whole part.
    public let count: Int
    /// Those that were dealt with.
    public let done: Int
    /// Those of them that are here now, or that the source does not have.
    public let ready: Int
    /// Whether the source refused or was out of reach, so that the rest was left for another time.
    public let isBroken: Bool

    /// What was counted.
    public init(count: Int, done: Int, ready: Int, isBroken: Bool) {
        (self.count, self.done, self.ready, self.isBroken) = (count, done, ready, isBroken)
    }
}

/// What is wrong with a source of map pictures that a person named.
public enum MapSourceProblem: Error, Hashable, Sendable {
    /// Neither https nor on this machine.
    case notSecure
    /// A mark that the address must hold exactly once.
    case missing(String)
    /// Braces around something else than z, x, y or s.
    case unknownMark
    /// Not the shape of an address, or one with a password in it.
    case notAnAddress
    /// More than 500 bytes.
    case tooLong
    /// Not 0…22.
    case badZoom
}

extension MapPictures {
    /// A source that pictures can be drawn from: one that can be used, where Leaflet is there to draw them.
    func drawn(_ source: MapSource?) -> MapSource? {
        guard leaflet != nil, let source, problem(with: source) == nil else { return nil }
        return source
    }
}
