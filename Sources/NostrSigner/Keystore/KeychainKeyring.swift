#if canImport(Security)
    internal import Foundation
    public import NostrCore
    internal import NostrNIPs
    internal import Security

    /// The Keychain of Apple's systems: one generic password per key, on this device only, readable while it is unlocked.
    public struct KeychainKeyring: SystemKeyring {
        private let service: String

        /// - Parameter service: the name under which the Keychain keeps and shows the keys.
        public init(service: String = "linnet") {
            self.service = service
        }

        /// Adds a password, or replaces the one that is there.
        public func put(_ secret: String, label: String, for key: PublicKey) async throws {
            let value: [CFString: Any] = [
                kSecValueData: Data(secret.utf8), kSecAttrLabel: label,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ]
            let added = unsafe SecItemAdd(query(key).merging(value) { $1 } as CFDictionary, nil)
            if added == errSecDuplicateItem {
                try check(SecItemUpdate(query(key) as CFDictionary, value as CFDictionary))
            } else {
                try check(added)
            }
        }

        /// The password of a key.
        public func secret(of key: PublicKey) async throws -> String? {
            let asked = query(key).merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(asked as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try check(status)
            return (found as? Data).flatMap { String(validating: $0, as: UTF8.self) }
        }

        /// Deletes the password of a key.
        public func remove(_ key: PublicKey) async throws {
            let status = SecItemDelete(query(key) as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
        }

        private func query(_ key: PublicKey) -> [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key.npub,
                kSecAttrSynchronizable: false,
            ]
        }

        private func check(_ status: OSStatus) throws {
            switch status {
            case errSecSuccess: return
            case errSecUserCanceled, errSecAuthFailed, errSecInteractionNotAllowed: throw KeystoreError.keyringRefused
            default: throw KeystoreError.noKeyring
            }
        }
    }
#endif
