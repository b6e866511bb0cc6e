/// Words about payments that were made.
enum ZapWords {
    /// How much was paid, and in how many payments.
    ///
    /// - Parameter millisatoshis: thousandths of a satoshi.
    static func sum(_ millisatoshis: Int64, payments: Int) -> String {
        let amount = InvoiceWords.amount(millisatoshis)
        return payments == 1 ? "\(amount) in one payment" : "\(amount) in \(payments) payments"
    }
}
