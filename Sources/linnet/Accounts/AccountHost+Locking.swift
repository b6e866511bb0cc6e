import Logging
import NostrClient
import NostrCore
import NostrSigner
import ViewModels

// Locking by hand and by itself.
extension AccountHost {
    /// Wipes the key and everything decrypted; the account goes on reading what is public.
    func lock(_ key: PublicKey) async {
        // The demo person's key is in every copy of the program; nothing would be safer for its being locked.
        guard key != demo?.signer.publicKey, let open = atWork[key], let signer = open.signer else { return }
        signer.lock()
        open.account.lockDidChange()
        elsewhere[key] = nil
        browsers[key] = nil
        await open.account.keyDidLock()
    }

    /// Notes that the person is there.
    func touch(_ key: PublicKey) async {
        idle[key]?.touch(at: uptime.elapsed())
    }

    /// After how long an account locks itself.
    func autoLock(of key: PublicKey) async -> Duration? {
        if let known = idle[key] { return known.after }
        // What cannot be read is said where it matters: when the account is opened.
        guard (try? await open(key)) != nil else { return nil }
        return idle[key]?.after
    }

    /// Sets after how long an account locks itself, and keeps that in its records.
    func setAutoLock(_ after: Duration?, of key: PublicKey) async throws {
        if let after, after < AutoLock.shortest {
            throw Trouble(AccountsWords.shortestAutoLock, canRetry: false)
        }
        _ = try await open(key)
        guard let records = atWork[key]?.records else { return }
        try await AutoLock.keep(after, in: records)
        idle[key] = AutoLock(after: after, at: uptime.elapsed())
    }

    /// Locks every account that nobody has touched for long enough.
    func lockIdle() async {
        let now = uptime.elapsed()
        for (key, rule) in idle where rule.isDue(at: now) && atWork[key]?.signer?.isLocked == false {
            await lock(key)
            log.info("an account has locked itself")
        }
    }

    /// Looks every few seconds which accounts nobody touches, until cancelled.
    func lockWhenIdle(clock: any Clock<Duration> = ContinuousClock()) async throws {
        while true {
            try await clock.sleep(for: .seconds(5))
            await lockIdle()
        }
    }
}
