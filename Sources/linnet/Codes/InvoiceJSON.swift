import NostrCore
import NostrNIPs
import ViewModels

/// A Lightning invoice as JSON.
enum InvoiceJSON {
    /// Whether a text claims to be one.
    static func isInvoice(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["lightning:", "bitcoin:", "lnbc", "lntb", "lnurl"].contains { text.hasPrefix($0) }
    }

    /// One line for an invoice whose signature was checked, or for an LNURL.
    static func text(of code: String) throws -> String {
        let text = lightningCode(in: code)
        if text.lowercased().hasPrefix("lnurl"), let place = LightningPlace(text) {
            return JSONValue.object([
                JSONMember("lnurl", .string(place.lnurl)), JSONMember("url", .string(place.url)),
            ]).text
        }
        do throws(LightningInvoiceError) {
            return line(try LightningInvoice(text))
        } catch {
            throw CommandFailure(
                "\(Shown.text(code)) cannot be decoded. \(InvoiceWords.problem(error))")
        }
    }

    private static func line(_ invoice: LightningInvoice) -> String {
        var members = [
            JSONMember("invoice", .string(invoice.text)), JSONMember("network", .string(invoice.network.rawValue)),
        ]
        if let amount = invoice.millisatoshis { members.append(JSONMember("millisatoshis", .number("\(amount)"))) }
        switch invoice.purpose {
        case .text(let text): members.append(JSONMember("description", .string(text)))
        case .hash(let hash): members.append(JSONMember("description_hash", .string(encodeHex(hash))))
        case .unsaid: break
        }
        members += [
            JSONMember("created_at", .number("\(invoice.createdAt.seconds)")),
            JSONMember("expires_at", .number("\(invoice.expiresAt.seconds)")),
            JSONMember("payment_hash", .string(encodeHex(invoice.paymentHash))),
            JSONMember("payee", .string(encodeHex(invoice.payee))),
        ]
        return JSONValue.object(members).text
    }
}
