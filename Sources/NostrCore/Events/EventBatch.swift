/// Checks many events on all cores; results in the order of the input.
///
/// Runs away from the caller's actor; a cancelled task still gets its results, so that none is lost half-way.
@concurrent
public func verify(_ batch: [UnverifiedEvent]) async -> [Result<Event, EventRejection>] {
    // Small parts keep all cores busy to the end; large ones spare the cost of starting tasks. A check takes about
    // 35 µs, starting a task about one.
    let size = min(max(batch.count / 16, 8), 64)
    guard batch.count > size else { return batch.map(check) }
    return await withTaskGroup(of: (Int, [Result<Event, EventRejection>]).self) { group in
        for start in stride(from: 0, to: batch.count, by: size) {
            group.addTask { (start, batch[start..<min(start + size, batch.count)].map(check)) }
        }
        var parts: [Int: [Result<Event, EventRejection>]] = [:]
        for await (start, results) in group { parts[start] = results }
        return stride(from: 0, to: batch.count, by: size).flatMap { parts[$0] ?? [] }
    }
}

private func check(_ raw: UnverifiedEvent) -> Result<Event, EventRejection> {
    Result { () throws(EventRejection) in try Event(verifying: raw) }
}
