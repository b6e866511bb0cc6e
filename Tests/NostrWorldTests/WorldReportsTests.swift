import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("Reports of the world", .timeLimit(.minutes(10)))
struct WorldReportsTests {
    @Test("people report notes and people, some in words of their own; strangers report whom one follows")
    func messy() throws {
        let world = try WorldTests.town.get()
        let reports = world.events.filter { $0.kind == Report.kind }.compactMap { event in
            Report(event).map { (by: event.pubkey, report: $0) }
        }
        let follows = Set(world.heroFollows)
        let trusted = reports.filter { follows.contains($0.by) }
        #expect(trusted.contains { $0.report.event != nil } && trusted.contains { $0.report.event == nil })
        #expect(trusted.contains { $0.report.event != nil && follows.contains($0.report.person) })
        #expect(reports.contains { !follows.contains($0.by) && follows.contains($0.report.person) })
        #expect(trusted.contains { $0.report.event == nil && $0.report.address?.kind == 30_023 })
        #expect(reports.contains { $0.report.reason == nil } && reports.contains { $0.report.reason != nil })
        #expect(reports.allSatisfy { $0.by != $0.report.person })
        let ids = Set(world.events.map(\.id))
        #expect(reports.allSatisfy { one in one.report.event.map(ids.contains) ?? true })
    }
}
