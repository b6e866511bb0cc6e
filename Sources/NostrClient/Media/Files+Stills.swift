internal import NostrNIPs

/// Pictures that show a film before it plays: files of their own, beside it on its servers.
extension Files {
    public func addStill(_ picture: FileIntake, of id: String) async throws {
        try await load()
        guard let film = files[id], film.type.hasPrefix("video/") else { return }
        let facts = FileFacts(name: film.name + ".jpg", type: "image/jpeg", description: film.description)
        let still = try await add(picture, facts, to: film.places.compactMap(\.server))
        try await change(id) { $0.still = still.file.id }
        try await tellFilms(of: still.file.id)
    }

    /// Tells films where their still is, once a server has it.
    func tellFilms(of still: String) async throws {
        guard let address = files[still]?.stored?.url else { return }
        for film in files.values where film.still == still && film.stillAddress != address {
            try await change(film.id) { $0.stillAddress = address }
        }
    }
}
