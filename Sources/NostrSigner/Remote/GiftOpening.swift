internal import NostrCore
internal import NostrNIPs

extension EventSigner {
    /// Opens gift wraps with a signer that decrypts one text at a time, elsewhere.
    ///
    /// Some signers say only that something failed. So that no message is taken for damaged because the signer was busy,
    /// locked or told to refuse, it is asked a control question after a failure: to open what it closed itself.
    ///
    /// - Parameter atOnce: how many wraps are under way at a moment.
    /// - Throws: ``SigningFailure`` when the signer cannot be asked, or fails the control question.
    func openOneByOne(_ wraps: [Event], atOnce: Int) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        var outcomes = [Result<UnwrappedGift, GiftRejection>?](repeating: nil, count: wraps.count)
        var failure: (any Error)?
        try await withThrowingTaskGroup(of: (Int, Opened).self) { group in
            var next = 0
            func start() {
                guard next < wraps.count else { return }
                let index = next
                next += 1
                group.addTask { (index, try await self.opened(wraps[index])) }
            }
            for _ in 0..<min(atOnce, wraps.count) { start() }
            while let (index, opened) = try await group.next() {
                outcomes[index] = opened.outcome
                failure = failure ?? opened.doubt
                start()
            }
        }
        if let failure, try await !answersControlQuestion() { throw failure }
        return outcomes.map { $0 ?? .failure(.notForUs) }
    }

    /// Opens one wrap by two decryptions.
    private func opened(_ wrap: Event) async throws -> Opened {
        do { try GiftWrap.check(wrap) } catch { return Opened(.failure(error)) }
        let sealText: String
        switch try await decrypted(wrap.content, from: wrap.pubkey) {
        case .success(let text): sealText = text
        case .failure(let doubt): return Opened(.failure(.notForUs), doubt)
        }
        let seal: Seal
        do { seal = try Seal(json: sealText) } catch { return Opened(.failure(error)) }
        switch try await decrypted(seal.event.content, from: seal.author) {
        case .success(let text):
            return Opened(Result { () throws(GiftRejection) in try UnwrappedGift(wrap: wrap, seal: seal, rumor: text) })
        case .failure(let doubt): return Opened(.failure(.notARumor), doubt)
        }
    }

    /// A text, or the signer's own word that it does not open.
    ///
    /// - Throws: ``SigningFailure`` when the signer said nothing about it.
    private func decrypted(_ payload: String, from other: PublicKey) async throws -> Result<String, SigningFailure> {
        do {
            return .success(try await decrypt(payload, from: other, by: .nip44))
        } catch SigningFailure.said(let words) {
            return .failure(.said(words))
        } catch SigningFailure.wrongAnswer {
            return .failure(.wrongAnswer)
        } catch SigningFailure.timedOut where payload.utf8.count > ConversationKey.compatibleLength {
            // Too long for a request in the form that every program reads: it would never be answered.
            return .failure(.timedOut)
        }
    }

    private func answersControlQuestion() async throws -> Bool {
        let text = "linnet control question"
        do {
            let closed = try await encrypt(text, for: publicKey, by: .nip44)
            return try await decrypt(closed, from: publicKey, by: .nip44) == text
        } catch SigningFailure.said, SigningFailure.wrongAnswer {
            return false
        }
    }
}

/// What became of one wrap, and whether the signer itself may be the reason.
private struct Opened: Sendable {
    let outcome: Result<UnwrappedGift, GiftRejection>
    let doubt: SigningFailure?

    init(_ outcome: Result<UnwrappedGift, GiftRejection>, _ doubt: SigningFailure? = nil) {
        self.outcome = outcome
        self.doubt = doubt
    }
}
