import ArgumentParser
import AsyncPrimitives
internal import Circles
internal import Location
import NostrClient
import NostrCore
import NostrNIPs
import Synchronization
import ViewModels

extension CircleCommand {
    /// `linnet circle share`.
    struct Share: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell a circle where you are, once, or again and again.",
            discussion: """
                The place is read from standard input as two numbers, latitude and longitude, and with --accuracy as \
                precise as that: a place on a command line would stand in the shell's history. With --gpsd or --geoclue \
                it is measured, for as long as --wait says. With --every it goes on, by the settings of the circle, until \
                --for is over or it is ended with Ctrl-C or SIGTERM: then sharing stops, and the circle is told, if \
                its settings say so. linnet circle pause, resume and stop reach it while it runs; stop ends it.
                """)

        @OptionGroup var options: CircleOptions
        @OptionGroup var source: PlaceSourceOptions
        @Option(help: ArgumentHelp("How precise the place is, in metres.", valueName: "metres")) var accuracy = 50.0
        @Option(help: ArgumentHelp("Go on sharing this often, 10 to 3600 seconds.", valueName: "seconds"))
        var every: Int?
        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("With --every: for how long; then sharing stops.", valueName: "seconds"))
        var span: Int?

        func validate() throws {
            if let every, !(10...3600).contains(every) { throw ValidationError("--every takes 10 to 3600 seconds.") }
            if let span, every == nil || span < 1 { throw ValidationError("--for takes seconds, and needs --every.") }
        }

        func run() async throws {
            if let every { return try await share(every: every) }
            let wait = Duration.seconds(options.waiting.wait)
            let place: LocationPayload
            if let source = source.chosen { place = try await measure(source, wait) } else { place = try readPlace() }
            try await options.change { try await $0.messaging.send(place, in: $1) }
        }

        /// Shares by the settings of the circle, with another interval, until the time is over or the program ends.
        private func share(every seconds: Int) async throws {
            let time = Time<Timestamp>(clock: ContinuousClock(), now: { .current })
            let source = try standing(time)
            let directory = options.session.data.directory()
            try await options.run { [span, waiting = options.waiting] account, circles, id in
                var settings = try await circles.sharing.state(in: id).settings
                (settings.interval, settings.pause) = (SharingInterval(clamping: seconds), .none)
                try await circles.sharing.share(settings, in: id)
                let interval = settings.interval.duration
                let reading = StoppableWork {
                    for await one in source.readings(every: interval) {
                        // A disk that fails once may be well for the next.
                        do { try await circles.sharing.receive(one) } catch {
                            Output.error(Trouble(error).sentence + "\n")
                        }
                    }
                }
                // Sharing that nobody watches over any more must not go on when Linnet runs next.
                let signal = try await EndingSignals.heeded(stop: { await reading.stop() }) {
                    try await Self.hearing(in: directory, of: account, circles, id, until: reading) {
                        Output.error("Sharing where you are; Ctrl-C ends it.\n")
                        guard let span else { return await reading.run() }
                        _ = await withDeadline(.seconds(span), on: ContinuousClock()) { await reading.run() }
                    }
                }
                let sent = try await circles.sharing.state(in: id)
                try await circles.sharing.stop(in: id)
                _ = try await isTrue(within: .seconds(waiting.wait)) {
                    try await !circles.sharing.state(in: id).isBusy
                }
                Output.line(CircleJSON.sharing(sent))
                // Who ends it by a signal or with circle stop knows why nothing was sent.
                guard sent.hasSent || signal != nil || !sent.isOn else {
                    throw CommandFailure("No relay took a place.")
                }
            }
        }

        /// What is read again and again: what measures, or the place that was typed.
        private func standing(_ time: Time<Timestamp>) throws -> any LocationSource {
            guard let chosen = source.chosen else { return try StandingPlace(readPlace()) }
            do { return try chosen.reading(time: time) { nil } } catch { throw CommandFailure(error.sentence) }
        }

        private func measure(_ source: PlaceSource, _ wait: Duration) async throws -> LocationPayload {
            let time = Time<Timestamp>(clock: ContinuousClock(), now: { .current })
            let reading: any LocationSource
            do { reading = try source.reading(time: time) { nil } } catch { throw CommandFailure(error.sentence) }
            let first = await reading.first(within: wait)
            guard case .fix(let fix)? = first else {
                throw CommandFailure(PlaceWords.outcome(PlaceOutcome(first), of: source))
            }
            let payload = LocationPayload(
                latitude: fix.place.latitude, longitude: fix.place.longitude, accuracy: fix.accuracy,
                sentAt: .current, measuredAt: fix.moment)
            guard let payload else { throw CommandFailure("What was measured is not a place that can be shared.") }
            return payload
        }

        private func readPlace() throws -> LocationPayload {
            let typed = try StandardInput.firstLine() ?? ""
            let words = typed.split { $0 == "," || $0.isWhitespace }
            let degrees = words.compactMap { Double($0) }
            guard words.count == 2, degrees.count == 2,
                let place = LocationPayload(
                    latitude: degrees[0], longitude: degrees[1], accuracy: accuracy, sentAt: .current)
            else { throw CommandFailure("Give a latitude and a longitude in degrees, as in 52.5163 13.3777.") }
            return place
        }
    }
}

/// A place that was typed, and stays.
private struct StandingPlace: LocationSource {
    let place: LocationPayload

    init(_ place: LocationPayload) { self.place = place }

    func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let place = place
        let isFirst = Mutex(true)
        return AsyncStream {
            if !isFirst.withLock({ first in
                defer { first = false }
                return first
            }) {
                // Cancelled means that nobody reads any more.
                do { try await ContinuousClock().sleep(for: interval) } catch { return nil }
            }
            // What was typed was checked then.
            let fix = try? Fix(
                latitude: place.latitude, longitude: place.longitude, accuracy: place.accuracy, moment: .current)
            return fix.map { .fix($0) }
        }
    }
}

/// What measures the place.
struct PlaceSourceOptions: ParsableArguments {
    @Option(
        defaultAsFlag: GPSDAddress.standard.description, parsing: .next,
        help: ArgumentHelp("Measure the place with gpsd, on this machine or at an address.", valueName: "host:port"))
    var gpsd: String?
    @Flag(name: .customLong("geoclue"), help: "Measure the place with GeoClue, the desktop's location service.")
    var geoClue = false

    func validate() throws {
        // An option whose value may be left out is read as text: one that does not read would pass for none.
        if let gpsd, GPSDAddress(gpsd) == nil {
            throw ValidationError("Give the address of gpsd as host:port, as in \(GPSDAddress.standard).")
        }
        if gpsd != nil, geoClue { throw ValidationError("Choose one: --gpsd or --geoclue.") }
        if geoClue, !PlaceSource.offersGeoClue { throw ValidationError("GeoClue is a service of Linux desktops.") }
    }

    /// What was chosen; `nil` for standard input.
    var chosen: PlaceSource? { geoClue ? .geoClue : gpsd.map { .gpsd(address: $0) } }
}
