internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The page of a Lightning invoice, or of an LNURL: shown as a code for a wallet; nothing is paid.
struct InvoicesController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/invoices/:text", use: invoice)
    }

    @Sendable private func invoice(_ request: Request, _ context: WebContext) async throws -> Response {
        let now = pages.noteStyle(context).now
        let title: String
        let body: HTML
        var status = HTTPResponse.Status.ok
        let text = context.parameters.get("text") ?? ""
        if let place = PayAddressItem(pasted: text) {
            (title, body) = ("Pay to \(place.text)", payPlaceView(place))
        } else {
            do throws(LightningInvoiceError) {
                let page = try InvoicePage(text, now: now)
                (title, body) = (page.invoice.title, invoicePageView(page, now: now))
            } catch {
                (title, body, status) = ("No invoice", invoiceProblemView(error), .notFound)
            }
        }
        return try await pages.page(
            title: title, at: .none, body, parts: [.sheets], request: request, context: context, status: status)
    }
}
