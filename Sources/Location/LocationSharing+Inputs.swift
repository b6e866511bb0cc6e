internal import NostrCore

extension LocationSharing {
    mutating func add(_ fix: Fix, _ now: Timestamp) {
        guard settings.pause == .none || sendNowBy != nil else { return }
        let fix = fix.dated(noLaterThan: now)
        if let latest, fix.moment < latest.moment { return }
        latest = fix
        isUnsent = true
        failure = nil
        hasTold = false
        movement.record(fix)
        watchBattery(fix.battery)
    }

    /// Forgets where the member was: sharing that begins anew knows no earlier position.
    public mutating func forgetPosition() {
        latest = nil
        isUnsent = false
    }

    /// Told at once, and once until it has recovered; not while sharing rests.
    private mutating func watchBattery(_ percent: Int?) {
        guard let percent, settings.pause == .none else { return }
        guard let limit = settings.lowBattery, percent < limit else { return isBatteryLow = false }
        guard !isBatteryLow else { return }
        (isBatteryLow, fallen) = (true, percent)
        // What was promised for later goes now.
        promise = nil
    }

    mutating func connect(_ now: Timestamp) {
        queue.connect()
        // What waits is older than what is known by now.
        if queue.hasWaiting, isUnsent, settings.pause == .none, let latest { enqueue(latest, now) }
    }

    mutating func change(to new: SharingSettings, _ now: Timestamp) {
        let old = settings
        settings = new
        if new.blur != old.blur {
            // What waits was made for other eyes: it is made again.
            queue.forget()
            promise = nil
            if latest != nil { isUnsent = true }
        }
        queue.keepsTrail = new.keepsTrail
        if new.pause != .none, new.pause != old.pause { rest(now) }
        if new.pause == .none, old.pause != .none { resume() }
        if case .until(let moment) = new.pause, moment <= now { resume() }
    }

    /// Sharing rests: what waits is dropped, and the circle is told why with the place it knows.
    private mutating func rest(_ now: Timestamp) {
        queue.dropWaiting()
        (alertUntil, sendNowBy) = (nil, nil)
        if settings.tellsWhy, let reason = pausedReason { queue.announce(reason, isAskedFor: true, now: now) }
    }

    mutating func resume() {
        settings.pause = .none
        promise = nil
        hasTold = false
        // Where the member was while sharing rested is nobody's business, and the place before is known.
        isUnsent = false
        queue.withdrawPause()
    }

    /// What the circle is told while sharing rests; `nil` while it does not.
    public var pausedReason: ToldReason? {
        switch settings.pause {
        case .none: nil
        case .untilResumed: .paused(until: nil)
        case .until(let moment): .paused(until: moment)
        }
    }
}
