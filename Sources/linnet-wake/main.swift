// One process per push: reads a wake message from standard input, answers the request it tells of, and leaves.
//
//     linnet-wake --data DIRECTORY        `linnet signer --wake` runs this
//     linnet-wake --received --data DIRECTORY    a socket's service runs this: one HTTP request, a push, on its input
//
// The account's key must open without a passphrase: from the system's keyring. Small on purpose, no Foundation of its own:
// it is measured from exec to the answer on the relay. Exit: 0 answered, or kept for the person; 1 not; 2 misused.
import AsyncPrimitives
import Logging
import NostrCore
import NostrRelay
import NostrSigner
import NostrStore
import SQLiteStorage
import WebSocketNIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

func leave(_ code: Int32, _ text: String) -> Never {
    let line = Array("linnet-wake: \(text)\n".utf8)
    // With standard error closed there is nowhere to say it.
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    exit(code)
}

let arguments = CommandLine.arguments
let isReceived = arguments.count == 4 && arguments[1] == "--received"
guard isReceived || arguments.count == 3, arguments[arguments.count - 2] == "--data", let directory = arguments.last
else {
    leave(2, "usage: linnet-wake [--received] --data DIRECTORY")
}

let message: WakeMessage
do { message = try WakeMessage(json: isReceived ? receivePush(directory) : readMessage()) } catch {
    leave(2, "this is not a wake message: \(error)")
}

LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
let logger = Logger(label: "linnet.wake")
let opened = await openSigner(message.signer, in: directory)
let records: SQLiteSignerRecords
do { records = try SQLiteSignerRecords(path: "\(directory)/signer.sqlite") } catch { leave(1, "\(error)") }
let sockets: WebSocketTransport
do { sockets = try WebSocketTransport() } catch { leave(1, "\(error)") }
// A wake message and apps name relays too; only the person's own are reached in private networks.
let transport = NamedRelaysTransport(sockets) { relay in
    // Records that cannot be read name no relays.
    (try? await records.settings(of: message.signer))?.relays.contains(relay) ?? false
}
let pool = RelayPool(
    transport: transport, blocked: BlockedRelaysInForce(await blockedRelays(of: message.signer, in: directory)),
    authenticator: SignerRelays(signer: opened), wall: { .current }, logger: logger)
let machineTime = Time<Timestamp>(clock: ContinuousClock(), now: { .current })
let signer = LiveSigner(
    signer: opened, records: records, network: pool, time: machineTime, minute: { minuteOfDay() },
    logger: logger)
switch await WokenSigner(signer, pool: pool, time: machineTime).answer(message) {
case .processed(.answered(delivered: true)), .processed(.waiting), .processed(.known): exit(0)
case .processed(.answered(delivered: false)): leave(1, "no relay took the answer")
case .processed(.dropped(let why)): leave(1, "not a request to answer: \(why)")
case .processed(.failed): leave(1, "the request could not be kept or done")
case .notOurs: leave(1, "for another account")
case .notFound: leave(1, "no relay has the request")
case .timedOut: leave(1, "took too long")
}
