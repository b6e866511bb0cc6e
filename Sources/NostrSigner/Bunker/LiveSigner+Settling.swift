internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import Synchronization

// Answering: what is kept first, what is not kept, and what is hardly worth a word.
extension LiveSigner {
    /// Seals the answer, keeps it with its line in the log, and hands it on to be sent.
    func settle(_ hand: RequestInHand, _ answer: RequestAnswer) async -> Handled {
        let time = now()
        let title = state.withLock { $0.clients[hand.app]?.title } ?? hand.appTitle
        do {
            var content: String?
            if case .relays(let client, let cipher) = hand.way {
                content = try await sealed(answer.response(to: hand.read.request.id), for: client, cipher)
            }
            try await records.settle(
                hand.kept, answer: content,
                activity: hand.line(
                    answer.outcome, by: answer.rule, title: title, at: time, result: answer.result,
                    error: answer.error))
            let caller = state.withLock { state in
                state.progress.set(hand.event, .answered(undelivered: nil))
                state.waiting.leave(hand.event)
                state.clients[hand.app]?.requests += 1
                state.clients[hand.app]?.lastSeen = time
                return state.callers.removeValue(forKey: hand.event)
            }
            tell(.activity)
            caller?.yield(answer.direct)
            caller?.finish()
            guard let content, case .relays(let client, _) = hand.way else { return .known }
            return .answer(outgoing(content, to: client, about: hand.event))
        } catch SigningFailure.locked {
            return await wait(hand, why: .locked, nil)
        } catch {
            return failed(hand, error)
        }
    }

    /// Answers without keeping: what costs nothing to do again.
    func reply(_ answer: RequestAnswer, to hand: RequestInHand) async -> Handled {
        guard case .relays(let client, let cipher) = hand.way else { return .known }
        do {
            let content = try await sealed(answer.response(to: hand.read.request.id), for: client, cipher)
            state.withLock { $0.progress.set(hand.event, .answered(undelivered: nil)) }
            return .answer(outgoing(content, to: client, about: hand.event))
        } catch {
            return failed(hand, error)
        }
    }

    /// The same answer as before, for an app that asks again.
    func again(_ content: String?, _ hand: RequestInHand) -> Handled {
        guard let content, case .relays(let client, _) = hand.way else {
            state.withLock { $0.progress.set(hand.event, .over) }
            return .known
        }
        state.withLock { $0.progress.set(hand.event, .answered(undelivered: nil)) }
        return .answer(outgoing(content, to: client, about: hand.event))
    }

    /// The disk or the key failed: the request may come again, and what was admitted is found at the next start.
    func failed(_ hand: RequestInHand, _ error: any Error) -> Handled {
        state.withLock { state in
            state.progress.forget(hand.event)
            state.hasUnfinished = true
        }
        if !(error is CancellationError) {
            logger.error("a request could not be kept", metadata: ["problem": "\(error)"])
        }
        return .failed
    }

    /// Tells an app that is not paired so, unless too many are told already.
    func answerStranger(_ hand: RequestInHand) async -> Handled {
        // Whoever logs out is out; and nobody else learns by it who is paired.
        if case .logout = hand.action { return over(hand.event, .tooMany) }
        guard state.withLock({ $0.mayAnswerStranger(now: now()) }) else { return over(hand.event, .tooMany) }
        return await reply(.refused(RefusalWords.notPaired, by: .notPaired), to: hand)
    }

    /// It is done with, and nobody hears of it.
    func over(_ id: EventID, _ why: RequestRejection) -> Handled {
        state.withLock { $0.progress.set(id, .over) }
        return .dropped(why)
    }

    /// Tells a paired app that its request makes no sense, where it says which one.
    func answerUnreadable(_ error: RemoteMessageError, _ decrypted: DecryptedRequest) async -> Handled {
        let request = decrypted.verified
        let isPaired = state.withLock { $0.clients[.remote(request.sender)] != nil }
        let id: String
        let sentence: String
        switch error {
        case .noMethod(let given): (id, sentence) = (given, "The request has no method")
        case .tooManyParameters(let given): (id, sentence) = (given, "The request has too many parameters")
        case .notAnObject, .noID: return over(request.event.id, .unreadable)
        }
        guard isPaired else { return over(request.event.id, .unreadable) }
        do {
            let content = try await sealed(
                RemoteResponse(id: id, error: sentence), for: request.sender, decrypted.cipher)
            state.withLock { $0.progress.set(request.event.id, .answered(undelivered: nil)) }
            return .answer(outgoing(content, to: request.sender, about: request.event.id))
        } catch {
            state.withLock { $0.progress.forget(request.event.id) }
            return .failed
        }
    }
}
