internal import Dispatch
internal import Synchronization

/// A secret on its way to somebody.
struct Parcel: Sendable {
    let content: PathSecret
    let key: HPKEPublicKey
}

extension Algorithms {
    /// `EncryptWithLabel` of one label and context to many, on all processors.
    ///
    /// A commit in a large group is little else than this: each recipient costs two multiplications on the curve, and
    /// none waits for another.
    ///
    /// - Returns: the ciphertexts, in the order of the parcels.
    /// - Throws: what one encryption throws.
    func encrypt(_ parcels: [Parcel], label: String, context: [UInt8]) throws(MLSError) -> [HPKECiphertext] {
        let size = 8
        guard parcels.count > size else {
            return try encrypt(parcels[...], label: label, context: context)
        }
        let starts = Array(stride(from: 0, to: parcels.count, by: size))
        let results = Mutex<[Int: Result<[HPKECiphertext], MLSError>]>([:])
        DispatchQueue.concurrentPerform(iterations: starts.count) { place in
            let part = parcels[starts[place]..<min(starts[place] + size, parcels.count)]
            let result = Result { () throws(MLSError) in try encrypt(part, label: label, context: context) }
            results.withLock { $0[place] = result }
        }
        var ciphertexts: [HPKECiphertext] = []
        for place in starts.indices {
            guard let part = results.withLock({ $0[place] }) else { preconditionFailure("each part is done once") }
            ciphertexts += try part.get()
        }
        return ciphertexts
    }

    private func encrypt(
        _ parcels: ArraySlice<Parcel>, label: String, context: [UInt8]
    ) throws(MLSError) -> [HPKECiphertext] {
        var ciphertexts: [HPKECiphertext] = []
        for parcel in parcels {
            ciphertexts.append(try encrypt(parcel.content.exposedBytes, to: parcel.key, label: label, context: context))
        }
        return ciphertexts
    }
}
