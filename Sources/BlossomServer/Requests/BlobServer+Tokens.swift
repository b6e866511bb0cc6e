internal import AsyncPrimitives
internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs

extension BlobServer {
    /// The token of a request, which permits what is asked.
    ///
    /// - Throws: ``BlossomRefusal``, 401.
    func token(
        of request: Request, for action: BlobAuthorization.Action, blob: BlobHash? = nil, mustNameBlob: Bool = true
    ) throws(BlossomRefusal) -> BlobAuthorization {
        guard let header = request.headers[.authorization] else {
            throw BlossomRefusal(.unauthorized, "This needs a token signed by your key (BUD-11).")
        }
        do throws(BlobAuthorization.Refusal) {
            let token = try BlobAuthorization(header: header, now: time.now())
            try token.permits(action, at: settings.domains, blob: blob, mustNameBlob: mustNameBlob)
            return token
        } catch {
            throw BlossomRefusal(error)
        }
    }

    /// The token of somebody who may bring blobs.
    func bringer(_ request: Request, blob: BlobHash?) async throws -> BlobAuthorization {
        let token = try token(of: request, for: .upload, blob: blob)
        guard await mayBring(token.author) else { throw BlossomRefusal.strangers }
        return token
    }

    /// What a server says of a blob, with the address by which this client gets it.
    func descriptor(_ blob: KeptBlob, for request: Request, withTags: Bool = false) -> BlobDescriptor {
        let ending = MediaType.fileExtension(blob.type)
        var descriptor = BlobDescriptor(
            url: "\(address(for: request))/\(blob.hash.hex).\(ending)", hash: blob.hash, size: blob.size,
            type: blob.type,
            uploaded: blob.uploaded)
        if withTags { descriptor.tags = descriptor.fieldTags }
        return descriptor
    }

    /// The address that stands before a blob's name.
    ///
    /// The host that was asked counts only when it is one of ours: an answer that leads elsewhere would be a stranger's.
    private func address(for request: Request) -> String {
        if let address = settings.address { return address }
        if let asked = request.head.authority?.lowercased(), settings.domains.contains(Self.withoutPort(asked)) {
            return "http://\(asked)"
        }
        return "http://\(settings.domains.min() ?? "localhost")"
    }

    private static func withoutPort(_ host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }
}
