public import Hummingbird
internal import NostrClient
internal import ViewModels

/// What is known about a request on its way through the guards.
public struct WebContext: RequestContext {
    /// What Hummingbird keeps of a request.
    public var coreContext: CoreRequestContextStorage
    /// The session behind the cookie.
    var session: Session?
    /// The fields of a form that was posted.
    var form = Form()
    /// The files that came with it.
    var files: [ArrivedFile] = []
    /// What holds for the whole program.
    var settings = Settings()
    /// What the person of the open account chose; while none is open, what holds then.
    var personal = PersonalSettings()

    /// Nothing is known yet: each guard on the way fills in its part.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}

extension WebContext {
    /// The session; pages behind ``SessionGuard`` have one.
    func requireSession() throws -> Session {
        guard let session else { throw HTTPError(.unauthorized) }
        return session
    }

    /// The open account; pages behind ``AccountGuard`` have one.
    func requireAccount() throws -> any Account {
        guard let account = try requireSession().account else { throw HTTPError(.unauthorized) }
        return account
    }

    /// Whether films and sounds of others come by way of this program, as the person chose for all they load.
    var playsRecordings: Bool { personal.fetchesPictures && session?.account?.recordings != nil }
}
