import NostrSigner

#if canImport(Security)
    extension KeyPlace {
        /// This system's keyring: the Keychain.
        static var keyring: any SystemKeyring { KeychainKeyring() }
    }
#else
    extension KeyPlace {
        /// This system's keyring: the Secret Service.
        static var keyring: any SystemKeyring { SecretServiceKeyring() }
    }
#endif
