/// Checks many events on all cores; results in the order of the input.
///
/// Runs away from the caller's actor; a cancelled task still gets its results, so that none is lost half-way.
///
/// - Parameter priority: that of the tasks, the caller's where none is named. Below that of pages for what is fetched by
///   the thousand: each step of a page would else wait behind the parts of a batch.
@concurrent
public func verify(
    _ batch: [UnverifiedEvent], priority: TaskPriority? = nil
) async -> [Result<Event, EventRejection>] {
    await mapOnAllCores(batch, priority: priority) { raw in
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
///   - priority: that of the tasks; the caller's where none is named.
@concurrent
package func mapOnAllCores<Element: Sendable, Output: Sendable>(
    _ elements: [Element], parts sizes: ClosedRange<Int> = 8...256, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Element) -> Output
) async -> [Output] {
    let size = min(max(elements.count / 16, sizes.lowerBound), sizes.upperBound)
    guard elements.count > size else { return elements.map(transform) }
    return await withTaskGroup(of: (Int, [Output]).self) { group in
        let parts = (elements.count + size - 1) / size
        for part in 0..<parts {
            group.addTask(priority: priority) {
                if Task.currentPriority <= .utility { giveWay() }
                return (part, elements[(part * size)..<min((part + 1) * size, elements.count)].map(transform))
            }
        }
        var outputs = [[Output]](repeating: [], count: parts)
        for await (part, output) in group { outputs[part] = output }
        return Array(outputs.joined())
    }
}
