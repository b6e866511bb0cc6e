import Foundation
import NIOCore
import NostrStore
import ViewModels

/// What a person is told when a program that serves a port cannot open.
struct PortSentences {
    let host: String
    let port: Int
    /// What may be running there already.
    let program: String

    /// Runs a program.
    ///
    /// - Throws: one plain sentence where its store or its port cannot be opened, else what the program throws.
    func speaking(_ run: () async throws -> Void) async throws {
        do {
            try await run()
        } catch let error as StoreError {
            throw CommandFailure(error.sentence)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw CommandFailure("Port \(port) is taken: is \(program) running already? Choose another with --port.")
        } catch let error as IOError where [EADDRNOTAVAIL, EACCES].contains(error.errnoCode) {
            throw CommandFailure("Cannot listen on \(host) port \(port): choose another with --host and --port.")
        } catch  where error is SocketAddressError || error is SocketAddressError.UnknownHost {
            throw CommandFailure("\(host) is not an address of this machine: choose another with --host.")
        }
    }
}
