import NostrSigner

#if canImport(Security)
    extension KeystoreOptions {
        /// This system's keyring: the Keychain.
        static var keyring: any SystemKeyring { KeychainKeyring() }
    }
#else
    extension KeystoreOptions {
        /// This system's keyring: the Secret Service.
        static var keyring: any SystemKeyring { SecretServiceKeyring() }
    }
#endif
