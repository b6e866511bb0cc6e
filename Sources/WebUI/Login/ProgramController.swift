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
            router.get(RouterPath(path)) { request, _ in
                try answer(name, to: request, cache: "public, max-age=3600")
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
        // A page that was open while Linnet was renewed asks for the files of before: what it gets is not kept under their
        // address.
        let isCurrent = try context.parameters.require("version") == assets.version
        return try answer(
            try context.parameters.require("name"), to: request,
            cache: isCurrent ? "public, max-age=31536000, immutable" : "no-store")
    }

    private func answer(_ name: String, to request: Request, cache: String) throws -> Response {
        guard let asset = assets[name] else { throw HTTPError(.notFound) }
        var headers: HTTPFields = [.contentType: asset.type, .cacheControl: cache]
        if asset.packed != nil { headers[.vary] = "Accept-Encoding" }
        guard let packed = asset.packed, takesGzip(request.headers) else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: asset.body))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: packed))
    }
}
