/// Checks many events on all cores; results in the order of the input.
///
/// Runs away from the caller's actor; a cancelled task still gets its results, so that none is lost half-way.
@concurrent
public func verify(_ batch: [UnverifiedEvent]) async -> [Result<Event, EventRejection>] {
    await verify(batch, givesWay: false)
}

/// The same; behind pages, on threads that give way where it is asked for: what is fetched by the thousand is to hold up
/// nobody.
@concurrent
package func verify(_ batch: [UnverifiedEvent], givesWay: Bool) async -> [Result<Event, EventRejection>] {
    await mapOnAllCores(batch, givesWay: givesWay) { raw in
        Result { () throws(EventRejection) in try Event(verifying: raw) }
    }
}

/// Why one line of text is no event to believe.
public enum EventLineError: Error, Hashable, Sendable {
    /// No event at all.
    case malformed(ParseError)
    /// An event with a wrong id or signature.
    case rejected(EventRejection)
}

/// Parses and checks many events, each one JSON text, on all cores; results in the order of the input.
///
/// Shape: each slice is one event, for example one line of a JSON Lines file; nothing is copied.
@concurrent
public func verify(
    lines: [ArraySlice<UInt8>], limits: ParseLimits = ParseLimits()
) async -> [Result<Event, EventLineError>] {
    await mapOnAllCores(lines) { line in
        Result { () throws(EventLineError) in
            let raw: UnverifiedEvent
            do throws(ParseError) { raw = try UnverifiedEvent(json: line.span, limits: limits) } catch {
                throw .malformed(error)
            }
            do throws(EventRejection) { return try Event(verifying: raw) } catch { throw .rejected(error) }
        }
    }
}

/// Maps elements on all cores, in order.
///
/// Small parts keep all cores busy to the end, large ones spare the cost of starting tasks: checking one event takes
/// about 35 µs, starting a task about one.
///
/// - Parameters:
///   - sizes: how many elements one task takes at least and at most.
///   - givesWay: whether a caller behind pages has more than one part done on threads that give way; then `transform`
///     must not hold a lock that others want.
@concurrent
package func mapOnAllCores<Element: Sendable, Output: Sendable>(
    _ elements: [Element], parts sizes: ClosedRange<Int> = 8...256, givesWay: Bool = false,
    _ transform: @escaping @Sendable (Element) -> Output
) async -> [Output] {
    let size = min(max(elements.count / 16, sizes.lowerBound), sizes.upperBound)
    guard elements.count > size else { return elements.map(transform) }
    let threads = givesWay ? BackgroundThreads.beneathCaller : nil
    return await withTaskGroup(of: (Int, [Output]).self) { group in
        let parts = (elements.count + size - 1) / size
        for part in 0..<parts {
            group.addTask(on: threads) {
                (part, elements[(part * size)..<min((part + 1) * size, elements.count)].map(transform))
            }
        }
        var outputs = [[Output]](repeating: [], count: parts)
        for await (part, output) in group { outputs[part] = output }
        return Array(outputs.joined())
    }
}

/// Computes something long, away from the caller's actor; for a caller behind pages, on threads that give way.
///
/// The body must not hold a lock that others want: whoever gives way may be left standing with it.
@concurrent
package func inBackground<Output: Sendable>(_ body: @escaping @Sendable () -> Output) async -> Output {
    await withTaskGroup(of: Output.self) { group in
        group.addTask(on: BackgroundThreads.beneathCaller, body)
        guard let output = await group.next() else { preconditionFailure("a group gives back what was put in") }
        return output
    }
}
