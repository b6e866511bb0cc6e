internal import HTTPTypes
internal import Hummingbird
internal import NostrCore

/// What needs no session: health and metrics for the operator, the style sheets, scripts, pictures and the manifest.
struct ProgramController {
    let isHealthy: @Sendable () async -> Bool
    /// `nil` where there is no page of metrics.
    let readMetrics: (@Sendable () async -> String)?
    let assets: Assets

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/healthz", use: health)
        router.get("/metrics", use: metrics)
        router.get("/assets/:version/:name", use: asset)
        for (path, name) in [
            ("/manifest.webmanifest", "manifest.webmanifest"), ("/favicon.ico", "linnet.svg"),
            ("/favicon.svg", "linnet.svg"), ("/sw.js", "sw.js"),
        ] {
            router.get(RouterPath(path)) { _, _ in
                try answer(name, cache: "public, max-age=3600")
            }
        }
    }

    @Sendable private func health(_ request: Request, _ context: WebContext) async throws -> Response {
        await isHealthy() ? plainText("ok\n") : plainText("not well\n", status: .serviceUnavailable)
    }

    @Sendable private func metrics(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let readMetrics else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .init(byteBuffer: .init(string: await readMetrics())))
    }

    @Sendable private func asset(_ request: Request, _ context: WebContext) async throws -> Response {
        try answer(try context.parameters.require("name"), cache: "public, max-age=31536000, immutable")
    }

    private func answer(_ name: String, cache: String) throws -> Response {
        guard let asset = assets[name] else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: asset.type, .cacheControl: cache],
            body: .init(byteBuffer: asset.body))
    }
}
