#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Lets everything else on this machine go before what the thread that calls does from now on.
///
/// On Linux tasks of a low priority have threads of their own, but to the system these count as much as all others: while
/// thousands of events are checked, a page would share the processor with them evenly. A thread that gave way cannot take
/// it back, so call this from tasks of ``TaskPriority/utility`` or lower only. Elsewhere the system does this itself.
func giveWay() {
    #if os(Linux)
        // Where the system refuses, it is as it was before.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #endif
}
