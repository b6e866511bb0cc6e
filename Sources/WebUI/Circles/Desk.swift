internal import NostrClient
internal import ViewModels

/// The open account as the pages of circles still ask for it.
struct Desk {
    let account: any Account
    func ownPerson() async -> PersonItem { await PersonItem.own(of: account) }
}

extension WebContext {
    func requireDesk() throws -> Desk { Desk(account: try requireAccount()) }
}
