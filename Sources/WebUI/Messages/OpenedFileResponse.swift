internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// The answer with a file that was opened: it came sealed, and rests in no cache and on no disk in clear.
///
/// What its own bytes show to be a picture is shown; anything else is only ever saved, so that nothing of a stranger runs
/// with the rights of this page.
func openedFile(_ file: OpenedFile) -> Response {
    let isShown = file.sort.isPicture
    var response = Response(
        status: .ok,
        headers: [
            .contentType: isShown ? file.sort.type : FileSort.bytes.type, .xContentTypeOptions: "nosniff",
            .cacheControl: "no-store",
            // Whatever a browser makes of it: it loads nothing and runs nothing.
            .contentSecurityPolicy: "default-src 'none'; style-src 'none'; sandbox; frame-ancestors 'none'",
        ],
        body: .init(byteBuffer: .init(bytes: file.bytes)))
    // The name has only letters, digits and a few signs that need no quoting.
    response.headers[.contentDisposition] = "\(isShown ? "inline" : "attachment"); filename=\"\(file.name)\""
    return response
}
