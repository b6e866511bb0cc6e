public import Foundation

/// What a service needs to send files and to find them.
public struct MediaAccess: Sendable {
    /// Speaks with media servers.
    public var transfer: any BlobTransferring
    /// Speaks with those whose address the person typed, which may be of this machine or a private network; `nil` where
    /// they are as all others.
    public var near: (any NearBlobTransferring)?
    /// Reads films and sounds of others part by part; `nil` where browsers do that themselves.
    public var parts: (any PartFetching)?
    /// Makes files ready.
    public var preparing: any MediaPreparing
    /// A folder that is the account's alone; made where it is missing.
    public var folder: URL

    /// What there is.
    public init(
        transfer: any BlobTransferring, near: (any NearBlobTransferring)? = nil,
        parts: (any PartFetching)? = nil, preparing: any MediaPreparing, folder: URL
    ) {
        self.transfer = transfer
        self.near = near
        self.parts = parts
        self.preparing = preparing
        self.folder = folder
    }
}
