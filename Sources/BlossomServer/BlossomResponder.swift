public import Hummingbird
internal import NIOCore

/// What is known of a request besides itself: the connection that it came over.
public struct BlossomContext: RequestContext {
    /// What Hummingbird keeps of a request.
    public var coreContext: CoreRequestContextStorage
    let channel: any Channel

    /// Notes where it came from.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// A media server alone behind a port.
public struct BlossomResponder: HTTPResponder {
    private let server: BlobServer

    /// Answers HTTP for this server, which keeps its state; several responders may share one.
    public init(_ server: BlobServer) {
        self.server = server
    }

    /// Answers.
    public func respond(to request: Request, context: BlossomContext) async throws -> Response {
        await server.respond(to: request, over: context.channel)
    }
}
