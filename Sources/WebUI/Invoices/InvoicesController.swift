internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The page of a Lightning invoice: shown as a code for a wallet; nothing is paid.
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
        do throws(LightningInvoiceError) {
            let page = try InvoicePage(try required(context), now: now)
            (title, body) = (page.invoice.title, invoicePageView(page, now: now))
        } catch {
            (title, body, status) = ("No invoice", invoiceProblemView(error), .notFound)
        }
        return try await pages.page(
            title: title, at: .none, body, parts: [.sheets], request: request, context: context, status: status)
    }

    private func required(_ context: WebContext) throws(LightningInvoiceError) -> String {
        guard let text = context.parameters.get("text") else { throw .tooShort }
        return text
    }
}
