import Foundation
import PushProxy

/// The keys a push proxy shows push services; read from files, never from arguments.
struct PushKeys: Sendable {
    let configuration: PushProxyConfiguration
    let directory: DataDirectory

    private var options: PushProxyOptions { configuration.options }
    private var environment: PushEnvironment { configuration.environment }

    /// Which certificates are believed, and whether near addresses are called.
    func network() throws -> PushNetwork {
        var network = PushNetwork()
        network.allowsPrivateAddresses = configuration.takesPrivate
        if let file = options.trustedRoots ?? environment.value("LINNET_PUSH_TRUSTED_ROOTS") {
            network.trustedRoots = Array(try Self.text(of: file).utf8)
        }
        return network
    }

    /// Who we are to Apple; `nil` when nothing is said of it.
    func apns() throws -> APNSConfiguration? {
        let named = environment.value("LINNET_PUSH_APNS_KEY_FILE", "APNS_KEY_FILE", "APNS_KEY_PATH")
        guard let file = options.apnsKeyFile ?? named else { return nil }
        guard let keyID = options.apnsKeyID ?? environment.value("LINNET_PUSH_APNS_KEY_ID", "APNS_KEY_ID"),
            let team = options.apnsTeamID ?? environment.value("LINNET_PUSH_APNS_TEAM_ID", "APNS_TEAM_ID"),
            let topic = options.apnsTopic ?? environment.value("LINNET_PUSH_APNS_TOPIC", "APNS_TOPIC", "BUNDLE_ID")
        else {
            throw CommandFailure(
                "Apple's key also needs --apns-key-id, --apns-team-id and --apns-topic (the app's bundle identifier).")
        }
        if Self.isOpenToOthers(file) {
            Output.error("\(file) can be read by others of this machine: chmod 600 it.\n")
        }
        var configuration = APNSConfiguration(
            keyPEM: try Self.text(of: file), keyID: keyID, teamID: team, topic: topic)
        let host = environment.value("APNS_HOST").map { $0.contains("://") ? $0 : "https://" + $0 }
        if let url = options.apnsURL ?? environment.value("LINNET_PUSH_APNS_URL", "APNS_URL") ?? host {
            configuration.origin = url
        }
        return configuration
    }

    /// Whether other people of this machine may read a file.
    private static func isOpenToOthers(_ file: String) -> Bool {
        // One that cannot be looked at cannot be read either, which is told next.
        let mode = (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? Int ?? 0
        return mode & 0o077 != 0
    }

    /// The key for browsers; drawn and kept when there is none.
    func vapid() throws -> VAPIDKey {
        let contact =
            options.contact ?? environment.value("LINNET_PUSH_CONTACT")
            ?? options.url ?? environment.value("LINNET_PUSH_URL", "PUBLIC_PROXY_URL")
            ?? "mailto:nobody@example.invalid"
        let path =
            options.vapidKeyFile ?? environment.value("LINNET_PUSH_VAPID_KEY_FILE")
            ?? "\(directory.path)/push-vapid.pem"
        if FileManager.default.fileExists(atPath: path) {
            do {
                return try VAPIDKey(pem: Self.text(of: path), contact: contact)
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                throw CommandFailure("\(path) holds no key for browsers: it must be a P-256 key in PEM.")
            }
        }
        let key = VAPIDKey(contact: contact)
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(key.pem.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw CommandFailure("Cannot write \(path), which is to hold the key for browsers.") }
        return key
    }

    private static func text(of file: String) throws -> String {
        // Why it cannot be read, the system's error would say in its own way.
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw CommandFailure("Cannot read \(file).")
        }
        return text
    }
}
