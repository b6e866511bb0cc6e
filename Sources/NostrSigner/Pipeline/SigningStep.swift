internal import NostrCore

/// What is to be done next about one request, with the step that takes in how it went.
///
/// A request to the signer is a value that goes through steps: received → opened → read → identified → decided →
/// (waits for the person) → performed → sealed → recorded → answered. Each step is a value with one pure transition, `next`:
/// the outcome of its work goes in, the next step comes out. Steps that are read together share a file: `Receiving`,
/// `Identifying`, `Deciding`, `Performing`, `Answering`. The work itself (decrypting, signing, the records) is done by
/// ``LiveSigner``.
enum SigningStep: Hashable, Sendable {
    /// Decrypt a request and read it.
    case open(OpeningStep)
    /// Open the secret that lets the next app in.
    case checkSecret(SecretCheckStep)
    /// Replace the secret, which is used up.
    case renewSecret(SecretRenewalStep)
    /// Keep an app that was paired or came back.
    case keepApp(AppKeepingStep)
    /// Note in the records that the request came, once.
    case admit(AdmissionStep)
    /// Find out what signing would change.
    case explain(ExplanationStep)
    /// Keep a request for the person, or for the key.
    case wait(WaitingStep)
    /// Do with the key what was allowed.
    case perform(PerformingStep)
    /// Encrypt a response.
    case seal(SealingStep)
    /// Keep the answer and its line in the log; nothing is sent before both are in the records.
    case record(RecordingStep)
    /// Forget an app that logs out.
    case depart(DepartureStep)
    /// Nothing more.
    case end(RequestEnd)
}

/// How the pipeline ends for a request.
enum RequestEnd: Hashable, Sendable {
    /// It is no request to be answered.
    case dropped(RequestRejection)
    /// This is to be sent.
    case answer(OutgoingAnswer)
    /// It waits for the person, or for the key.
    case waiting
    /// Another copy of it is being worked on, or it was answered before.
    case known
    /// The key is locked, and the person who decides is told so.
    case locked
    /// It could not be kept or done; the app asks again.
    case failed
}

/// What the steps may know besides the request and the signer's state.
struct StepContext: Sendable {
    /// Whose signer it is.
    let account: PublicKey
    /// The time of day.
    let now: Timestamp
    /// The minute of the day, local time.
    let minute: @Sendable () -> Int
    /// How long the signer has been at work, by a clock that does not jump.
    var uptime: Duration = .zero
    /// How many requests of apps that are not paired are kept while the key is locked.
    var lockedStrangers = 20
    /// The page where a person can decide about a request.
    var approvalPage: (@Sendable (EventID) -> String?)?
}

/// What a step wants told to others, besides its next step.
enum SignerSignal: Hashable, Sendable {
    /// Screens read again what they show.
    case changed(SigningChange)
    /// A request that can be read came by a relay.
    case received(RelayURL, Timestamp)
    /// What is known of an app is to be kept.
    case keep(RequestingApp)
    /// The signer listens on other relays from now on.
    case relaysChanged
    /// The caller of a link has its answer.
    case answered(EventID, DirectAnswer)
    /// This is to be sent while the request goes on waiting.
    case deliver(OutgoingAnswer)
    /// Something for the operator's log.
    case trouble(String)
}

/// An answer on its way to an app: encrypted once, sent in as many events as it takes.
struct OutgoingAnswer: Hashable, Sendable {
    /// The event of the request.
    let request: EventID
    /// The app.
    let client: PublicKey
    /// The encrypted response.
    let content: String
    /// Where to.
    let relays: [RelayURL]
}
