import NostrCore
import NostrNIPs

@testable import Marmot

/// A group in whose life nothing goes wrong but that strangers post as much as relays let through.
extension SessionWorld {
    /// Lives for some days; gives what was lost by it.
    ///
    /// - Parameter hours: how often something happens.
    mutating func liveCalmly(days: Int, hours: Int) -> [String] {
        faults = false
        for who in members.indices { catchUp(who) }
        for _ in 0..<(days * 24 / hours) {
            calmly { $0.speakHeardByAll() }
            if chance(50) { calmly { $0.changeCalmly() } }
            pass(.seconds(Int64(hours) * 3600))
        }
        calmly { $0.speakHeardByAll() }
        // What was from ahead of somebody's clock, or pushed out and asked for again, comes then.
        for _ in 0..<2 { calmly { $0.pass(.seconds(86_400)) } }
        return losses()
    }

    /// Does something, and lets all hear it while strangers go on.
    private mutating func calmly(_ act: (inout SessionWorld) -> Void) {
        act(&self)
        for _ in 0..<3 {
            pass(.seconds(WorldStrangers.burst))
            while !underWay.isEmpty { deliverOne() }
        }
    }

    private mutating func speakHeardByAll() {
        let able = members.indices.filter { members[$0].isIn }
        guard let who = able.randomElement(using: &random), let line = speak(who) else { return }
        for other in able where other != who { members[other].expected.insert(line) }
    }

    private mutating func changeCalmly() {
        let absent = members.indices.filter { !members[$0].isIn }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            var edit = GroupEdit()
            edit.name = "\(Self.marker) \(Int.random(in: 0..<100, using: &random))"
            change(0, .edit(edit))
        case 1: if let other = absent.first { change(0, .add([members[other].package.event])) }
        case 2: if members.count(where: \.isIn) > 2 { change(0, .remove([members[members.count - 1].person])) }
        default: change(Int.random(in: 0..<2, using: &random), .freshKeys)
        }
    }

    private func losses() -> [String] {
        var losses = violations
        if branches.count != 1 { losses.append("they are in \(branches.count) places") }
        for who in members.indices {
            let member = members[who]
            if member.notices.contains(.outOfStep) { losses.append("\(who) was told to be out of step") }
            let unheard = member.expected.subtracting(member.shown).count
            if unheard > 0 { losses.append("\(who) has not heard \(unheard) of \(member.expected.count) lines") }
            guard let session = member.session, member.isIn else { continue }
            let limits = SessionLimits()
            let late = limits.renewal + .seconds(86_400)
            guard session.convergence.state.joinedAt + late < now else { continue }
            let renewed = session.convergence.state.renewal.doneAt
            if renewed.map({ $0 + late < now }) ?? true { losses.append("\(who) has not renewed its keys") }
        }
        return losses
    }
}
