import CVips
import MediaFormats
import NostrNIPs

/// A picture that libvips has read, upright, in sRGB with 8 bits.
@safe struct Picture: ~Copyable {
    private let handle: OpaquePointer

    var width: Int { Int(unsafe linnet_vips_width(handle)) }
    var height: Int { Int(unsafe linnet_vips_height(handle)) }

    private init?(_ handle: OpaquePointer?) {
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe linnet_vips_release(handle) }

    /// Loads the library, for one format; whether it is there.
    static func start(_ format: MediaFormat) -> Bool {
        let reader: LinnetReader =
            switch format {
            case .png: LINNET_PNG
            case .gif: LINNET_GIF
            case .webp: LINNET_WEBP
            case .heic, .avif: LINNET_HEIF
            default: LINNET_JPEG
            }
        return linnet_vips_start(reader, 2) == 0
    }

    /// What the first bytes of a file say.
    static func head(of bytes: [UInt8]) throws(Failure) -> LinnetPictureHead {
        var head = LinnetPictureHead()
        let answer = unsafe bytes.withUnsafeBytes { unsafe linnet_vips_head($0.baseAddress, $0.count, &head) }
        guard answer == 0, head.width > 0, head.height > 0 else { throw .broken }
        return head
    }

    /// Reads a file, no side longer than so many dots.
    static func read(_ bytes: [UInt8], _ head: LinnetPictureHead, longest: Int) throws(Failure) -> Picture {
        let handle = unsafe bytes.withUnsafeBytes {
            unsafe linnet_vips_read($0.baseAddress, $0.count, Int32(longest), head.has_profile)
        }
        // What is read is in memory of its own by now.
        guard let picture = unsafe Picture(handle) else { throw .broken }
        return picture
    }

    func smaller(_ longest: Int) throws(Failure) -> Picture {
        guard let picture = unsafe Picture(linnet_vips_smaller(handle, Int32(longest))) else { throw .broken }
        return picture
    }

    func isTransparent() throws(Failure) -> Bool {
        let answer = unsafe linnet_vips_is_transparent(handle)
        guard answer >= 0 else { throw .broken }
        return answer == 1
    }

    /// The picture as a file.
    func written(as format: MediaFormat) throws(Failure) -> [UInt8] {
        var (bytes, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        let answer =
            switch format {
            case .png: unsafe linnet_vips_png(handle, &bytes, &count)
            case .webp: unsafe linnet_vips_webp(handle, Int32(PicturePlan.quality), &bytes, &count)
            default: unsafe linnet_vips_jpeg(handle, Int32(PicturePlan.quality), &bytes, &count)
            }
        guard answer == 0, let bytes = unsafe bytes else { throw .broken }
        defer { unsafe linnet_vips_free(bytes) }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Its dots, for what it looks like from far away.
    func dots() throws(Failure) -> PixelImage {
        var count = 0
        guard let samples = unsafe linnet_vips_samples(handle, &count) else { throw .broken }
        defer { unsafe linnet_vips_free(samples) }
        let bytes = unsafe Array(UnsafeBufferPointer(start: samples, count: count))
        guard let image = PixelImage(width: width, height: height, samples: bytes) else { throw .broken }
        return image
    }
}
