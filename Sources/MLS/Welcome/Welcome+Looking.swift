extension Welcome {
    /// Decrypts what a Welcome says of the group, to decide whether to join.
    ///
    /// Nothing in it is verified: whose signature it bears, and whether that is valid, shows when the group is joined.
    ///
    /// - Parameter own: the key package it is for; it is not spent.
    /// - Throws: `invalidWelcome` if it is for another key package, `decryptionFailed`, `malformed`, or `missingPSK` if
    ///   a pre-shared key is needed. Source: RFC 9420 §12.4.3.1.
    public func groupInfo(for own: OwnKeyPackage) throws(MLSError) -> GroupInfo {
        try OpenedWelcome(
            self, own.keyPackage, initKey: own.initKey, PSKs(), TrustEverybody(), Algorithms(cipherSuite)
        ).groupInfo
    }
}
