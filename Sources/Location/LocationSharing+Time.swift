internal import NostrCore

extension LocationSharing {
    /// After the clock was put back, nothing has happened later than now, and nothing waits longer than it would.
    mutating func heal(_ now: Timestamp) {
        if let made = promise?.madeAt { promise?.madeAt = min(made, now) }
        latest = latest?.dated(noLaterThan: now)
        sendNowBy = sendNowBy.map { min($0, now + Self.patience) }
        alertUntil = alertUntil.map { min($0, now + Self.closeLook * 4) }
        askingSince = askingSince.map { min($0, now) }
        movement.heal(now: now)
        queue.heal(now: now)
    }

    mutating func expire(_ now: Timestamp) {
        if case .until(let moment) = settings.pause, moment <= now { resume() }
        if let alertUntil, alertUntil <= now { self.alertUntil = nil }
        queue.expire(now: now, mayKeep: mayKeep)
    }

    private var dueAt: Timestamp? { promise.map { $0.madeAt + min($0.span, span) } }

    private func isDue(_ now: Timestamp) -> Bool { dueAt.map { $0 <= now } ?? true }

    /// Whether there is a reason to tell that was not told, and a place to tell it with.
    private var hasReasonToTell: Bool {
        failure != nil && !hasTold && settings.tellsWhy && queue.canTell
    }

    private var trouble: SharingTrouble { failure == .notAllowed ? .noPermission : .noFix }

    mutating func queueWhatIsDue(_ now: Timestamp) {
        if let by = sendNowBy, let latest {
            let isFresh = latest.moment + Self.freshness >= now
            if isFresh || by <= now {
                sendNowBy = nil
                enqueue(latest, now, why: pausedReason ?? (isFresh ? nil : .silent(trouble)))
            }
        } else if let by = sendNowBy, by + Self.patience * 9 <= now {
            sendNowBy = nil
        }
        guard settings.pause == .none, isDue(now) else { return askingSince = nil }
        if isUnsent, let latest {
            // A source that rests told this one some time ago. Its next may be about to come; else it is asked anew.
            let since = askingSince ?? now
            let isOld = latest.moment + Self.freshness < now && failure == nil
            guard isOld, now < since + Self.closeLook else {
                hasTold = failure != nil && settings.tellsWhy
                return enqueue(latest, now, why: hasTold ? .silent(trouble) : nil)
            }
            askingSince = since
        } else if hasReasonToTell {
            hasTold = true
            queue.announce(.silent(trouble), isAskedFor: false, now: now)
        }
    }

    mutating func enqueue(_ fix: Fix, _ now: Timestamp, why: ToldReason? = nil) {
        let shared = shared(fix)
        let place = SharedPlace(fix: shared, sentAt: now, interval: span, isStationary: movement.isStill, why: why)
        queue.put(place, isAskedFor: settings.pause != .none)
        promise = Promise(madeAt: now, span: span)
        isUnsent = false
        askingSince = nil
    }

    /// The position as the circle may know it.
    private mutating func shared(_ fix: Fix) -> Fix {
        guard let size = settings.blur else { return fix }
        var grid = Blur(size: size, secret: blurSecret)
        // The same grid again keeps its places of rest, also after exact positions were shared for a while.
        if let blur, blur.size == grid.size { grid = blur }
        defer { blur = grid }
        return grid.blurred(fix, isStill: movement.isStill == true)
    }

    func nextMoment(after now: Timestamp) -> Timestamp? {
        var moments = [queue.nextMoment, alertUntil]
        if case .until(let moment) = settings.pause { moments.append(moment) }
        if let by = sendNowBy { moments.append(latest == nil ? by + Self.patience * 9 : by) }
        if settings.pause == .none, isUnsent || hasReasonToTell {
            moments += askingSince.map { [$0 + Self.punctuality, $0 + Self.closeLook].filter { $0 > now } } ?? [dueAt]
        }
        return moments.compactMap(\.self).min().map { max($0, now + .seconds(1)) }
    }
}
