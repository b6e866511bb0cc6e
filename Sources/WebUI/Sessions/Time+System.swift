public import AsyncPrimitives
internal import Foundation
public import NostrCore

extension Time<Timestamp> {
    /// The machine's own time.
    public static var system: Time<Timestamp> {
        Time<Timestamp>(clock: ContinuousClock()) { Timestamp(seconds: Int64(Foundation.Date().timeIntervalSince1970)) }
    }
}
