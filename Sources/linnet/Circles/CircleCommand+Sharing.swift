import ArgumentParser
import AsyncPrimitives
internal import Circles
internal import Location
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

extension CircleCommand {
    /// `linnet circle share`.
    struct Share: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell a circle where you are, once.",
            discussion: """
                The place is read from standard input as two numbers, latitude and longitude, and with --accuracy as \
                precise as that: a place on a command line would stand in the shell's history. With --gpsd or --geoclue \
                it is measured, for as long as --wait says.
                """)

        @OptionGroup var options: CircleOptions
        @OptionGroup var source: PlaceSourceOptions
        @Option(help: ArgumentHelp("How precise the place is, in metres.", valueName: "metres")) var accuracy = 50.0

        func run() async throws {
            let wait = Duration.seconds(options.waiting.wait)
            let place: LocationPayload
            if let source = source.chosen { place = try await measure(source, wait) } else { place = try readPlace() }
            try await options.change { try await $0.messaging.send(place, in: $1) }
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
                sentAt: fix.moment)
            guard let payload else { throw CommandFailure("What was measured is no place that can be told.") }
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
