import Testing

@testable import linnet

@Suite("The address that other devices use")
struct PublicAddressTests {
    @Test(
        "is a scheme, a host and perhaps a port",
        arguments: [
            ("https://home.example", "https://home.example", "home.example"),
            ("HTTPS://Home.Example/", "https://home.example", "home.example"),
            ("http://10.0.0.7:4869", "http://10.0.0.7:4869", "10.0.0.7"),
            ("http://[fd00::7]:4869/", "http://[fd00::7]:4869", "[fd00::7]"),
        ])
    func reads(argument: String, text: String, host: String) throws {
        let address = try #require(PublicAddress(argument: argument))
        #expect(address.text == text && address.host == host)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "home.example", "ftp://home.example", "https://", "https://home.example/path", "https://a@home.example",
            "https://home.example?x", "https://home.example#x", "https://home.example:0", "javascript:alert(1)",
        ])
    func refuses(argument: String) {
        #expect(PublicAddress(argument: argument) == nil)
    }
}
