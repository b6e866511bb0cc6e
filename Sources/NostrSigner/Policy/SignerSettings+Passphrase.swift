internal import NostrCore
internal import NostrNIPs

// What needs the passphrase again where a person wants that: a yes to what is protected, and what would make it needless.
extension SignerSettings {
    /// Whether a permission is about a protected kind; signing any kind is.
    func protects(_ permission: RemotePermission) -> Bool {
        permission.method == .signEvent && permission.kind.map(protectedKinds.contains) ?? true
    }

    /// Whether a verdict about a request needs the passphrase.
    ///
    /// - Parameter permission: what the request needs; `nil` for what needs none.
    func needPassphrase(for verdict: RequestVerdict, about permission: RemotePermission?) -> Bool {
        guard asksForPassphrase, verdict.allows else { return false }
        return verdict.trust == .full || verdict.granted.contains(where: protects)
            || permission.map(protects) ?? false
    }

    /// Whether an app's change needs the passphrase: it may do more of what is protected without being asked about.
    ///
    /// What only takes away never does.
    func needPassphrase(toChange before: SignerClient?, into after: SignerClient) -> Bool {
        guard asksForPassphrase else { return false }
        let isFull = after.trust == .full
        if isFull, before?.trust != .full { return true }
        let allowed = after.grants.filter { $0.verdict == .allow && protects($0.permission) }
        if allowed.contains(where: { !(before?.grants.contains($0) ?? false) }) { return true }
        guard let before, isFull || !allowed.isEmpty else { return false }
        let heldBack = before.grants.filter { $0.verdict != .allow && protects($0.permission) }
        return heldBack.contains { !after.grants.contains($0) } || after.isLimitedLess(than: before)
    }

    /// Whether other settings in place of these need the passphrase: asking for it begins or ends, or less is protected.
    func needPassphrase(toBecome after: SignerSettings) -> Bool {
        asksForPassphrase != after.asksForPassphrase
            || (asksForPassphrase && !protectedKinds.isSubset(of: after.protectedKinds))
    }
}

extension SignerClient {
    /// Whether a limit of before is gone or wider.
    fileprivate func isLimitedLess(than before: SignerClient) -> Bool {
        if let limit = before.perHour, perHour.map({ $0 > limit }) ?? true { return true }
        // Other hours may be more of the day; hours where there were none are less.
        return before.hours != nil && hours != before.hours
    }
}
