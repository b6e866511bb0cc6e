/// A tile that cannot be had, out of one that shows more of the earth.
extension TileSupply {
    /// How many halvings away one is looked for; beyond that there is nothing to be seen.
    private static let farthest = 4
    /// Dots of a tile that is made, along each side.
    private static let side = 256

    /// Gives a tile to look at: where it cannot be had, the part of a larger one that shows the same place.
    ///
    /// That is what a map without a network has, nearer than the region that was fetched for it; such a picture counts as
    /// old. Only tiles that are PNG are enlarged.
    public func shown(_ tile: TileAddress) async -> Outcome {
        let outcome = await self.tile(tile)
        if case .picture = outcome { return outcome }
        for halvings in 1...Self.farthest {
            guard let larger = tile.around(halvings: halvings) else { break }
            guard let kept = await kept(larger) else { continue }
            guard kept.kind == .png, let image = TileImage(png: kept.bytes),
                let picture = TilePicture(image.part(tile, halvings: halvings, side: Self.side).png)
            else { break }
            return .picture(picture, isOld: true)
        }
        return outcome
    }
}

extension TileAddress {
    /// The tile that shows this one's square and more: so many halvings less; `nil` beyond the whole earth.
    func around(halvings: Int) -> TileAddress? {
        TileAddress(z: z - halvings, x: x >> halvings, y: y >> halvings)
    }
}

extension TileImage {
    /// The part of this tile that shows another one's square, enlarged; dots between dots are mixed of the four nearest.
    ///
    /// - Parameters:
    ///   - tile: the tile that is to be shown.
    ///   - halvings: how many more than this one it has.
    ///   - side: dots of the result along each side.
    func part(_ tile: TileAddress, halvings: Int, side: Int) -> TileImage {
        let count = 1 << halvings
        /// Where the middle of a dot lies in this tile, in 256ths of its dots.
        func place(_ index: Int, _ tile: Int, _ length: Int) -> Int {
            let start = length * 256 * (tile % count) / count
            return start + (2 * index + 1) * length * 256 / (count * side * 2) - 128
        }
        var result = TileImage(width: side, height: side)
        let columns = (0..<side).map { place($0, tile.x, width) }
        for y in 0..<side {
            let row = place(y, tile.y, height)
            let (top, down) = (row >> 8, row & 255)
            for x in 0..<side {
                let (left, right) = (columns[x] >> 8, columns[x] & 255)
                let (one, two) = (offset(left, top), offset(left + 1, top))
                let (three, four) = (offset(left, top + 1), offset(left + 1, top + 1))
                for sample in 0..<4 {
                    let above = Int(dots[one + sample]) * (256 - right) + Int(dots[two + sample]) * right
                    let below = Int(dots[three + sample]) * (256 - right) + Int(dots[four + sample]) * right
                    let sum = above * (256 - down) + below * down + 32768
                    result.dots[(y * side + x) * 4 + sample] = UInt8(clamping: sum >> 16)
                }
            }
        }
        return result
    }
}
