import ArgumentParser
import Foundation

/// Where a person's other devices reach the pages: a scheme, a host and perhaps a port, as `https://home.example`.
struct PublicAddress: ExpressibleByArgument, Equatable {
    /// Without a slash at its end.
    let text: String
    /// The host as requests name it, in lower case.
    let host: String

    /// Reads it; `nil` for anything that is more, or less, than an address of pages.
    init?(argument: String) {
        guard let parts = URLComponents(string: argument), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty,
            ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil, parts.user == nil,
            parts.password == nil, parts.port.map({ (1...65535).contains($0) }) ?? true
        else { return nil }
        self.host = host
        text = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }
}
