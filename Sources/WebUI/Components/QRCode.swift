internal import CQREncode

/// A QR code as SVG: dark modules on a light quiet zone whatever the page's colours, so that every camera reads it.
///
/// Error correction level M, or L for what is too long for it; a quiet zone of four modules. Source: ISO/IEC 18004.
///
/// - Parameters:
///   - text: what it holds; `nil` comes back for more than a code can hold (2953 bytes).
///   - title: what a screen reader says in its place.
func qrCode(_ text: String, title: String) -> HTML? {
    guard let modules = DarkModules(text) else { return nil }
    let quiet = 4
    let side = modules.width + 2 * quiet
    return """
        <svg class="qr" role="img" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges"><title>\(title)</title><rect width="100%" height="100%" fill="#fff" stroke="none"/><path fill="#000" stroke="none" d="\(each: modules.runs, { run in
            "M\(run.column + quiet) \(run.row + quiet)h\(run.length)v1h-\(run.length)z"
        })"/></svg>
        """
}

/// The dark modules of a QR code, row by row.
@safe public struct DarkModules: Equatable, Sendable {
    /// Modules beside each other in one row.
    public struct Run: Equatable, Sendable {
        /// Where it is, from the top.
        public var row: Int
        /// Where it begins, from the left.
        public var column: Int
        /// How many modules it has.
        public var length: Int
    }

    /// Modules in a row, and rows.
    public let width: Int
    /// The dark ones, from the top and the left.
    public private(set) var runs: [Run] = []

    /// Encodes a text; `nil` when it is empty, or longer than a code can hold (2953 bytes).
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 2953 else { return nil }
        let levels = [QR_ECLEVEL_M, QR_ECLEVEL_L]
        // The library copies the text, and what it returns is ours to free.
        let made = unsafe bytes.withUnsafeBufferPointer { bytes in
            for level in levels {
                if let code = unsafe QRcode_encodeData(Int32(bytes.count), bytes.baseAddress, 0, level) {
                    return unsafe Optional(code)
                }
            }
            return nil
        }
        guard let code = unsafe made else { return nil }
        defer { unsafe QRcode_free(code) }
        guard let data = unsafe code.pointee.data else { return nil }
        width = Int(unsafe code.pointee.width)
        // One byte per module, of which the lowest bit says whether it is dark.
        for row in 0..<width {
            for column in 0..<width where unsafe data[row * width + column] & 1 == 1 {
                if let last = runs.last, last.row == row, last.column + last.length == column {
                    runs[runs.count - 1].length += 1
                } else {
                    runs.append(Run(row: row, column: column, length: 1))
                }
            }
        }
    }
}
