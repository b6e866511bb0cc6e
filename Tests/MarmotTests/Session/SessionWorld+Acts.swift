import NostrCore
import NostrNIPs

@testable import Marmot

/// What members do all day.
extension SessionWorld {
    private static let question = "\(marker) where are you?"

    /// Says something.
    ///
    /// - Returns: the id of what was said; `nil` where nothing was.
    @discardableResult
    mutating func speak(_ who: Int) -> EventID? {
        speak(who, "\(Self.marker) \(Int.random(in: 0..<1_000_000, using: &random))")
    }

    @discardableResult
    private mutating func speak(_ who: Int, _ words: String) -> EventID? {
        let now = clock(who)
        let draft = EventDraft(kind: 9, content: words, createdAt: now)
        guard members[who].isIn, var session = members[who].session else { return nil }
        do {
            let (event, rumor) = try session.send(draft, now: now, using: &random)
            members[who].session = session
            audiences[rumor.id] = session.group.roster.people
            witness(who, [.offer(event)])
            carryOut(who, [.offer(event)])
            return rumor.id
        } catch {
            violations.append("not said: \(error)")
            return nil
        }
    }

    /// Asks the members which epoch the group is in.
    mutating func ask(_ who: Int) { speak(who, Self.question) }

    /// Who is ahead of somebody who asks says so, in a gift wrap.
    mutating func answer(_ who: Int, _ message: GroupMessage) {
        guard message.rumor.content == Self.question, let session = members[who].session, members[who].isIn,
            message.epoch < session.epoch, !session.isOutOfStep,
            let asker = members.firstIndex(where: { $0.person == message.rumor.pubkey })
        else { return }
        underWay.append((asker, .answer(.vouched(by: members[who].person, epoch: session.epoch))))
    }

    mutating func change(_ who: Int, _ change: GroupChange) {
        guard members[who].isIn, var session = members[who].session else { return }
        // What an admin may not do, or what makes no sense any more, is refused at once; that is no violation.
        guard let effects = try? session.change(change, now: clock(who), using: &random) else { return }
        members[who].session = session
        witness(who, effects)
        carryOut(who, effects)
    }

    mutating func leave(_ who: Int) {
        guard members[who].isIn, var session = members[who].session else { return }
        // An admin may not.
        guard let event = try? session.leave(now: clock(who), using: &random) else { return }
        members[who].session = session
        witness(who, [.offer(event)])
        carryOut(who, [.offer(event)])
    }

    mutating func changeSomething(_ who: Int) {
        let other = Int.random(in: members.indices, using: &random)
        let person = members[other].person
        var edit = GroupEdit()
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: change(who, .freshKeys)
        case 6..<10:
            edit.name = "\(Self.marker) \(Int.random(in: 0..<100, using: &random))"
            change(who, .edit(edit))
        case 10..<12:
            if members[other].isIn { edit.promoted = [person] }
            change(who, .edit(edit))
        case 12..<16: if !members[other].isIn { change(who, .add([members[other].package.event])) }
        case 16..<18: if other > 1 { change(who, .remove([person])) }
        case 18: if who > 1 { change(who, .stepDown) }
        default: if who > 1 { leave(who) }
        }
    }

    /// Several do something before any of them hears of another.
    private mutating func race() {
        for _ in 0..<3 {
            let who = Int.random(in: members.indices, using: &random)
            if members[who].isOnline { changeSomething(who) }
        }
    }

    mutating func act() {
        let who = Int.random(in: members.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<6: if members[who].isOnline { changeSomething(who) }
        case 6: race()
        case 7..<20: if members[who].isOnline { speak(who) }
        case 20..<22: stirRelay()
        case 22..<24: crash(who)
        case 24..<26:
            members[who].isOnline.toggle()
            if members[who].isOnline { catchUp(who) } else { apply(who, .disconnected) }
        case 26..<38: pass(.seconds(Int64.random(in: 1...15, using: &random)))
        default:
            // As much as is sent, or else less and less would arrive.
            for _ in 0..<(members.count * relays.count) { deliverOne() }
        }
    }

    mutating func pass(_ time: Duration) {
        now = now + time
        postJunk(during: time)
        for who in members.indices where members[who].session?.isDue(now: clock(who)) ?? false { apply(who, .tick) }
    }

    /// All are online, and everything arrives, in some order.
    mutating func heal() {
        faults = false
        for who in members.indices { members[who].isOnline = true }
        for index in relays.indices where relays[index].standing == .down { raise(index) }
        for round in 0..<20 {
            for who in members.indices where members[who].session != nil {
                if round % 4 == 0 { catchUp(who) }
                if round == 8 || round == 12 { speak(who) }
            }
            settle(.seconds(round < 6 ? 60 : 600))
        }
        while !underWay.isEmpty { deliverOne() }
    }

    private mutating func settle(_ time: Duration) {
        while !underWay.isEmpty { deliverOne() }
        pass(time)
    }

    /// An admin lets in again who was told to be out of step; afterwards nobody may be.
    mutating func mend() {
        guard let admin = mender else { return }
        for who in members.indices where isApart(who, from: admin) && members[who].told != nil {
            let isListed = members[admin].session?.group.roster.people.contains(members[who].person) ?? false
            let package = members[who].package.event
            change(admin, isListed ? .readmit(package) : .add([package]))
            for _ in 0..<4 { settle(.seconds(60)) }
        }
        while !underWay.isEmpty { deliverOne() }
        unmended = members.indices.count { isApart($0, from: admin) }
    }

    private func isApart(_ who: Int, from admin: Int) -> Bool {
        members[who].place != nil && members[who].place != members[admin].place
    }

    /// An admin of those who are most among those who have one.
    private var mender: Int? {
        let sizes = branches.mapValues(\.count)
        let admins = members.indices.filter { who in
            members[who].isIn && members[who].session?.group.roster.isAdmin(members[who].person) == true
        }
        return admins.max { one, other in
            members[one].place.flatMap { sizes[$0] } ?? 0 < members[other].place.flatMap { sizes[$0] } ?? 0
        }
    }
}
