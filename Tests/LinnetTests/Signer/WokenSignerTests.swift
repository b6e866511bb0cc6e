#if os(Linux)
    import Foundation
    import Logging
    import NostrCore
    import NostrNIPs
    import NostrRelay
    import NostrSigner
    import NostrStore
    import NostrTesting
    import SQLiteStorage
    import Testing
    import WebSocketNIO

    @testable import linnet

    @Suite("A signer that a push wakes", .timeLimit(.minutes(10)))
    struct WokenSignerTests {
        /// An account whose key a keyring has, an app paired with it, and a relay between them; nothing of it runs.
        private struct Sleeper {
            let directory = DataDirectory(path: NSTemporaryDirectory() + "linnet-\(UUID().uuidString)")
            let account = TestPerson.alice.publicKey
            let app = LocalSigner(TestPerson.bob.secretKey)
            let relay: RelayURL
            private let program: RunningProgram

            init(trust: TrustLevel = .full) async throws {
                try directory.prepare()
                program = try RunningProgram(["relay", "--port", "0", "--data", "\(directory.path)/relay"])
                relay = try RelayURL(String(program.line().dropFirst("relay ".count)))
                // A keyring that is unlocked: keeps one secret in a file, and says it when asked.
                let (tool, kept) = ("\(directory.path)/secret-tool", "\(directory.path)/kept")
                let script = "#!/bin/sh\ncase $1 in store) exec cat >'\(kept)';; *) exec cat '\(kept)';; esac\n"
                try Data(script.utf8).write(to: URL(filePath: tool))
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool)
                let keystore = KeyringKeystore(
                    SecretServiceKeyring(tool: tool), directory: "\(directory.path)/keys", now: { .current })
                _ = try await keystore.add(
                    LocalSigner(TestPerson.alice.secretKey), name: "", passphrase: "", handling: .unknown)
                let records = try SQLiteSignerRecords(path: directory.signer)
                var client = SignerClient(app: .remote(app.publicKey), account: account, connected: .current)
                client.trust = trust
                try await records.save(client)
                // The person's signer listens there; a relay near us that only the message names is not reached.
                var settings = SignerSettings()
                settings.relays = [relay]
                try await records.save(settings, of: account)
                try records.close()
            }

            /// An app's request to sign an event of a kind.
            func request(_ kind: UInt16, id: String) async throws -> Event {
                let draft = #"{"kind":\#(kind),"content":"woken","tags":[],"created_at":\#(Timestamp.current.seconds)}"#
                let request = RemoteRequest(id: id, .signEvent, [draft])
                return try await app.sign(
                    EventDraft(
                        kind: RemoteSigning.kind, tags: [["p", account.hex]],
                        content: try await app.encrypt(request.json, for: account, by: .nip44), createdAt: .current))
            }

            /// The program, given what a push says; run on a thread of its own.
            func wake(for event: Event) async throws -> Program.Result {
                let message =
                    #"{"signer_pubkey":"\#(account.hex)","event_id":"\#(event.id.hex)","relay_url":"\#(relay.text)","#
                    + #""event":\#(String(decoding: event.json, as: UTF8.self))}"#
                let path = "\(directory.path):/usr/bin:/bin"
                let data = directory.path
                return try await ChildProcess.onOwnThread {
                    try Program.run(
                        ["signer", "--wake", "--data", data], input: message, environment: ["PATH": path])
                }
            }

            /// What the app's relay brings it while something happens.
            func answers(
                _ body: (AsyncStream<RemoteResponse>) async throws -> Void
            ) async throws {
                let pool = RelayPool(
                    transport: try WebSocketTransport(), wall: { .current }, logger: Logger(label: "test"))
                let (app, account) = (self.app, self.account)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await pool.run() }
                    let subscription = await pool.subscribe([
                        relay: [Filter(kinds: [RemoteSigning.kind], tags: ["p": [app.publicKey.hex]], since: .current)]
                    ])
                    let (responses, response) = AsyncStream.makeStream(of: RemoteResponse.self)
                    let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
                    group.addTask {
                        for await update in subscription.updates {
                            if case .live = update { begun.yield() }
                            guard case .events(let events, _) = update else { continue }
                            for event in events {
                                let text = try await app.decrypt(event.content, from: account, by: .nip44)
                                response.yield(try RemoteResponse(json: Array(text.utf8)))
                            }
                        }
                    }
                    defer { group.cancelAll() }
                    // An answer that passes before anybody listens is lost: it is ephemeral.
                    for await _ in beginnings { break }
                    try await body(responses)
                    await subscription.cancel()
                }
            }
        }

        @Test("answers what it may, once, and leaves")
        func answers() async throws {
            let sleeper = try await Sleeper()
            try await sleeper.answers { answers in
                let event = try await sleeper.request(1, id: "one")
                let first = try await sleeper.wake(for: event)
                #expect(first.status == 0 && first.output.isEmpty && first.errors.isEmpty, "\(first.errors)")
                let answer = try #require(await answers.first { _ in true })
                #expect(answer.id == "one" && answer.error == nil)
                let signed = try Event(verifying: UnverifiedEvent(json: Array(answer.result.utf8)))
                #expect(signed.pubkey == sleeper.account && signed.content == "woken")
                // The push service brings the same twice.
                #expect(try await sleeper.wake(for: event).status == 0)
            }
            let records = try SQLiteSignerRecords(path: sleeper.directory.signer)
            let lines = try await records.activity(of: sleeper.account, ActivityQuery())
            #expect(lines.filter { $0.method == "sign_event" }.count == 1)
            try records.close()
        }

        @Test("keeps what needs the person for when the program is open")
        func keeps() async throws {
            let sleeper = try await Sleeper(trust: .medium)
            let woken = try await sleeper.wake(for: sleeper.request(0, id: "two"))
            #expect(woken.status == 0, "\(woken.errors)")
            let records = try SQLiteSignerRecords(path: sleeper.directory.signer)
            #expect(try await records.waiting(of: sleeper.account).map(\.request.id) == ["two"])
            try records.close()
        }

        @Test("does not go to a relay that the account blocks")
        func blocked() async throws {
            let sleeper = try await Sleeper()
            let event = try await sleeper.request(1, id: "four")
            let accounts = try SQLiteRecordStore(path: sleeper.directory.account(sleeper.account.hex))
            let marks = BlockedRelays([sleeper.relay]).marked(salt: [1, 2, 3])
            try await BlockedRelayRecords(accounts).save(marks)
            try accounts.close()
            let woken = try await sleeper.wake(for: event)
            #expect(woken.status == 1 && woken.errors.contains("no relay took the answer"), "\(woken.errors)")
        }

        @Test("says in one line why it cannot, and shows no secret", arguments: ["", "not JSON", "{}"])
        func refuses(message: String) throws {
            let result = try Program.run(["signer", "--wake", "--data", "/nonexistent"], input: message)
            #expect(result.status == 2 && result.errors.hasPrefix("linnet-wake: this is not a wake message"))
        }

        @Test("a keyring that does not give the key ends it with a sentence")
        func lockedKeyring() async throws {
            let sleeper = try await Sleeper()
            try FileManager.default.removeItem(atPath: "\(sleeper.directory.path)/kept")
            let woken = try await sleeper.wake(for: sleeper.request(1, id: "three"))
            #expect(woken.status == 1 && woken.errors.contains("does not open without a person"))
        }
    }
#endif
