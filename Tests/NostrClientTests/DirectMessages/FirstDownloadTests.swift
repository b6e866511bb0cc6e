import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

/// Which pages of a first download are read together, and how far it counts as done.
struct FirstDownloadTests {
    private let start: Int64 = 1_700_000_000

    @Test("the first page is read alone, then two together, then four, and at the end what is left")
    func grows() {
        var download = begun()
        var sizes: [Int] = []
        var from = start
        for _ in 0..<13 {
            download.add(page(from: &from))
            guard let batch = download.batch() else { continue }
            sizes.append(batch.wraps.count)
            let isFurther = download.didRead(batch.number)
            #expect(isFurther)
        }
        #expect(sizes == [500, 1000, 2000, 2000])
        download.add(page(from: &from, count: 7))
        #expect(download.question == nil)
        let batches = [download.batch(), download.batch(atEnd: true), download.batch(atEnd: true)]
        #expect(batches.map { $0?.wraps.count } == [nil, 1007, nil])
    }

    @Test("it has come as far as everything before is on the disk, in whatever order batches are read")
    func withoutGap() {
        var download = begun()
        let nothing = download.reached
        var from = start
        var numbers: [Int] = []
        while !download.isFull {
            download.add(page(from: &from))
            if let batch = download.batch() { numbers.append(batch.number) }
        }
        #expect(numbers == [0, 1, 2])
        let early = [download.didRead(2), download.didRead(1)]
        #expect(early == [false, false])
        #expect(download.reached == nothing && download.isFull)
        let late = [download.didRead(0), download.didRead(0), download.didRead(17)]
        #expect(late == [true, false, false])
        #expect(download.reached.question == download.question && !download.isFull)
    }

    @Test("large wraps are read in smaller batches, and fewer of those are open")
    func large() {
        var download = begun()
        var from = start
        let text = String(repeating: "A", count: 512 << 10)
        var sizes: [Int?] = []
        for number in 0..<2 {
            // The second was to wait for another page.
            download.add(page(from: &from, text: text))
            sizes.append(download.batch()?.wraps.count)
            #expect(download.isFull)
            _ = download.didRead(number)
        }
        #expect(sizes == [500, 500])
    }

    private func begun() -> FirstDownload {
        var progress = InboxProgress()
        progress.begin(now: Timestamp(seconds: start))
        return FirstDownload(from: progress)
    }

    private func page(from: inout Int64, count: Int = 500, text: String = "sealed") -> [Event] {
        let model = TestPerson.eve.event()
        let newest = from
        from -= Int64(count)
        return (0..<count).map { number in
            Event(
                trustingStored: UnverifiedEvent(
                    id: model.id, pubkey: model.pubkey, createdAt: Timestamp(seconds: newest - Int64(number)),
                    kind: GiftWrap.kind, tags: [], content: text, signature: model.signature))
        }
    }
}
