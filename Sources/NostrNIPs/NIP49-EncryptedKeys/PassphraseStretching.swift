package import Crypto
internal import CryptoExtras

/// Makes a key from a passphrase at a cost; scrypt, unless a test asks only which costs are allowed.
///
/// Source: RFC 7914, with a block size of 8 and no parallelism, as NIP-49 asks.
package struct PassphraseStretching: Sendable {
    /// Takes the password, the salt and log N; gives 32 bytes.
    package let key: @Sendable (_ password: [UInt8], _ salt: [UInt8], _ logN: UInt8) throws -> SymmetricKey

    /// A way to stretch.
    package init(key: @escaping @Sendable ([UInt8], [UInt8], UInt8) throws -> SymmetricKey) {
        self.key = key
    }

    /// 2^logN rounds with 2^logN KiB of memory; throws where the machine does not have that much.
    package static let scrypt = PassphraseStretching { password, salt, logN in
        try KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: 32, rounds: 1 << Int(logN), blockSize: 8, parallelism: 1)
    }
}
