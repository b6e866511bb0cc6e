public import NostrCore
public import NostrNIPs

/// How often an app used the key within the last hour.
///
/// Uses of one second and permission are counted together, so that it stays small however busy the app is.
public struct HourUses: Hashable, Sendable {
    private struct Uses: Hashable {
        let second: Int64
        let permission: RemotePermission
        var count: Int
    }

    private var uses: [Uses] = []
    private var head = 0
    private var totals: [RemotePermission: Int] = [:]
    private var total = 0

    /// None.
    public init() {}

    /// How often in all.
    public func count() -> Int { total }

    /// How often for a permission; without a kind, for all kinds.
    public func count(of permission: RemotePermission) -> Int {
        if permission.method == .signEvent, permission.kind == nil {
            return totals.reduce(0) { permission.covers($1.key) ? $0 + $1.value : $0 }
        }
        return totals[permission] ?? 0
    }

    /// Notes uses; moments go forward.
    public mutating func note(_ permission: RemotePermission, at now: Timestamp, count: Int = 1) {
        guard permission.method.usesKey, count > 0 else { return }
        total += count
        totals[permission, default: 0] += count
        // What an app does within a second is a few things many times over.
        for index in uses.indices[head...].suffix(4) where uses[index].second == now.seconds {
            if uses[index].permission == permission {
                uses[index].count += count
                return
            }
        }
        uses.append(Uses(second: now.seconds, permission: permission, count: count))
    }

    /// Forgets what is an hour old.
    public mutating func forget(before moment: Timestamp) {
        while head < uses.count, uses[head].second <= moment.seconds {
            let old = uses[head]
            total -= old.count
            totals[old.permission, default: 0] -= old.count
            if totals[old.permission] == 0 { totals[old.permission] = nil }
            head += 1
        }
        if head > 1024 || head == uses.count {
            uses.removeFirst(head)
            head = 0
        }
    }
}
