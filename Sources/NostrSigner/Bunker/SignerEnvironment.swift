internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs

/// What a signer works with: its key, records and relays, and the time.
struct SignerEnvironment: Sendable {
    let key: TimedKey
    let records: any SignerRecords
    let network: any SignerNetwork
    let versions: any PublishedVersions
    let configuration: SignerConfiguration
    let time: Time<Timestamp>
    /// The minute of the day, local time, 0..<1440.
    let minute: @Sendable () -> Int
    let logger: Logger
    /// Checks the passphrase of the account's key; `nil` where nobody could type it.
    var passphrases: (any PassphraseChecking)?

    /// Whose signer it is.
    var account: PublicKey { key.signer.publicKey }

    /// What the steps may know now.
    var context: StepContext {
        StepContext(
            account: account, now: time.now(), minute: minute, uptime: time.uptime(),
            lockedStrangers: configuration.limits.lockedStrangers,
            approvalPage: configuration.approvalPage)
    }
}

// The work of the pipeline's steps. It is done away from the signer's actor, so that requests use all cores.
extension SignerEnvironment {
    @concurrent
    func open(_ request: VerifiedRequest) async -> Result<OpenedRequest, any Error> {
        await outcome { try await key.use { try await request.opened(by: $0) } }
    }

    @concurrent
    func admit(_ kept: AdmittedRequest) async -> Result<Admission, any Error> {
        await outcome { try await records.admit(kept) }
    }

    @concurrent
    func wait(_ step: WaitingStep) async -> Result<Void, any Error> {
        let line = step.line(at: time.now())
        return await outcome { try await records.wait(step.kept, why: step.rule, activity: line) }
    }

    @concurrent
    func perform(_ step: PerformingStep) async -> Result<RequestResult, any Error> {
        await outcome {
            try await key.use { [action = step.request.action, report = step.report] in
                try await action.perform(with: $0, report)
            }
        }
    }

    @concurrent
    func seal(_ step: SealingStep) async -> Result<String, any Error> {
        await outcome {
            try await key.seal(
                step.response, for: step.client, by: step.cipher, readsLongForm: step.readsLongForm)
        }
    }

    @concurrent
    func record(_ step: RecordingStep) async -> Result<Void, any Error> {
        let line = step.line(at: time.now())
        return await outcome { try await records.settle(step.request.kept, answer: step.content, activity: line) }
    }

    private func outcome<Value>(_ work: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}

// What signing would change, against the version in force.
extension SignerEnvironment {
    /// Looks for the version in force and compares.
    @concurrent
    func explain(_ draft: EventDraft) async -> ChangeReport {
        if draft.kind == DeletionRequest.kind { return await explainDeletion(draft) }
        guard draft.kind.retention == .replaceable || draft.kind.retention == .addressable else {
            return ChangeReport(
                SigningSummary(of: draft), isUnknownKind: !ChangeReport.isKnown(draft.kind),
                amount: await amount(of: draft))
        }
        let address = EventAddress(
            kind: draft.kind, author: account,
            identifier: draft.kind.retention == .addressable ? draft.tags.firstValue("d") ?? "" : "")
        let (current, isFresh) = await versions.current(address, deadline: configuration.deadlines.version)
        return await ChangeReport(of: draft, against: current, isFresh: isFresh) { content in
            guard let cipher = ContentCipher(ofPrivatePart: content) else { return PrivateItems() }
            // Not readable now, whatever the reason: the report says so.
            let text = try? await key.use { try await $0.decrypt(content, from: $0.publicKey, by: cipher) }
            return text.flatMap { PrivateItems(json: $0) }
        }
    }

    /// How much money a draft is about, also where only its author can read that.
    private func amount(of draft: EventDraft) async -> Int64? {
        guard let peer = draft.sealsAmount(for: account) else { return draft.amount }
        // A signer elsewhere would ask its person, only to show a sum.
        guard key.signer.answersAtOnce else { return nil }
        let cipher: ContentCipher = LegacyEncryption.isPayload(draft.content) ? .nip04 : .nip44
        // Not readable now, or never: then nothing is said.
        let text = try? await key.use { try await $0.decrypt(draft.content, from: peer, by: cipher) }
        return text.flatMap { draft.amount(in: $0) }
    }

    private func explainDeletion(_ draft: EventDraft) async -> ChangeReport {
        let ids = draft.tags.named("e").prefix(200).compactMap { tag in
            // What is no id deletes nothing.
            tag.value.flatMap { try? EventID(hex: $0) }
        }
        return ChangeReport(deleting: draft, of: account, found: ids.isEmpty ? [] : await versions.events(ids))
    }
}
