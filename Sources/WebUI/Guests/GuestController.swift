internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// The page that guest links open, for people without an account.
///
/// The same for everybody: what a link says stands behind `#`, which browsers send to no server, and the browser asks the
/// link's relays by itself.
struct GuestController {
    let pages: PageRenderer

    /// Nothing but the program's own files, and connections to relays, which this page cannot know beforehand.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; "
        + "connect-src wss: ws:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/guest") { _, context in
            var response = pages.bare(title: "Where somebody is", guestView(), context, script: "guest.js")
            response.headers[.contentSecurityPolicy] = Self.policy
            return response
        }
    }
}
