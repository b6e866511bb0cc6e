import NostrCore
import Testing
import WebSocketNIO

@testable import NostrWorld

@Suite("Hosts of the world")
struct WorldHostsTests {
    @Test(
        "its resolver knows its own relays, also dead ones, and its trends, by both names, and nothing else"
    )
    func knows() throws {
        let world = try hamlet()
        let hosts = WorldHosts(
            WorldAddresses(
                indexers: [], relays: world.relays, dead: world.dead, pictures: world.pictures,
                hero: world.heroPerson.publicKey))
        let trends = try RelayURL(world.pictures.replacing("http", with: "ws"))
        for relay in world.relays.map(\.address) + world.dead + [trends] {
            for name in ["127.0.0.1", "localhost"] {
                #expect(hosts.resolve(name, port: relay.port) == .simulated(["127.0.0.1"]))
            }
            #expect(hosts.resolve("127.0.0.2", port: relay.port) == .unknown)
            #expect(hosts.resolve("relay.example.com", port: relay.port) == .unknown)
        }
        #expect(hosts.resolve("127.0.0.1", port: 22) == .unknown)
        #expect(hosts.resolve("127.0.0.1", port: 46_999) == .unknown)
    }
}
