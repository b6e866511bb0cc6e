import AsyncPrimitives
import DBus
import Foundation
internal import Location
import NostrClient
import NostrCore
import ViewModels

#if os(Linux)
    extension PlaceSource {
        /// Whether the desktop's location service can be asked here.
        static let offersGeoClue = true
    }
#else
    extension PlaceSource {
        /// Whether the desktop's location service can be asked here.
        static let offersGeoClue = false
    }
#endif

extension PlaceSource {
    /// What reads from it.
    ///
    /// - Parameters:
    ///   - time: what it runs on; a recorded way is set out on now.
    ///   - fixed: the place that the account entered.
    /// - Throws: a ``Trouble`` that says what is wrong with it.
    func reading(
        time: Time<Timestamp>, fixed: @escaping @Sendable () async throws -> Coordinate?
    ) throws(Trouble) -> any LocationSource {
        switch self {
        case .gpsd(let address):
            guard let address = GPSDAddress(address) else {
                throw Trouble("That is not an address of gpsd; it looks like 127.0.0.1:2947.", canRetry: false)
            }
            return GPSDSource(GPSDSocketConnector(address: address), time: time)
        case .geoClue:
            guard Self.offersGeoClue else {
                throw Trouble("GeoClue is a service of Linux desktops; there is none here.", canRetry: false)
            }
            let bus = EnvironmentVariables.value("DBUS_SYSTEM_BUS_ADDRESS") ?? DBusAddress.standardSystemBus
            return GeoClueSource(time: time) { DBusGeoClue(bus: bus) }
        case .track(let file):
            let track = try Self.track(in: file)
            do {
                return try GPXReplay(track, from: time.now(), isLooping: true, time: time)
            } catch {
                throw Trouble("\(file) cannot be used.", canRetry: false)
            }
        case .fixed: return KeptPlace(place: fixed, time: time)
        }
    }

    /// The way in a file.
    private static func track(in file: String) throws(Trouble) -> GPXTrack {
        // What is no ordinary file could be waited for without end.
        let kind = try? FileManager.default.attributesOfItem(atPath: resolved(file))[.type] as? FileAttributeType
        guard file.hasPrefix("/"), kind == .typeRegular, let handle = FileHandle(forReadingAtPath: file),
            let data = try? handle.read(upToCount: longestTrack + 1)
        else { throw Trouble("There is no file \(file) here that can be read; give its whole path.", canRetry: false) }
        do {
            return try GPXTrack(gpx: Array(data))
        } catch {
            throw Trouble("\(file) holds no track: a GPX file with one is needed.", canRetry: false)
        }
    }

    /// The most that is read of a file; a longer one is none.
    private static let longestTrack = 16 << 20

    private static func resolved(_ file: String) -> String {
        URL(filePath: file).resolvingSymlinksInPath().path
    }
}
