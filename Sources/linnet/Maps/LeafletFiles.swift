import Foundation

/// Leaflet as a package of the system brings it (Debian's libjs-leaflet).
enum LeafletFiles {
    /// Where it is; `nil` where it is not installed.
    static var folder: String? {
        let folder = "/usr/share/javascript/leaflet"
        return FileManager.default.isReadableFile(atPath: folder + "/leaflet.js") ? folder : nil
    }
}
