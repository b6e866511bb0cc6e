// swift-tools-version: 6.2
// The architecture of Linnet: targets in layer order, each listing all it may import.
// Builds pass `--explicit-target-dependency-import-check error`, so an undeclared import does not compile.
import PackageDescription

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// One target of the house: what it uses of ours, what it uses from outside, and its files beside the sources.
func module(
    _ name: String, uses ours: [String] = [], outside: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: ours.map { .byName(name: $0) } + outside, resources: resources, swiftSettings: house)
}

/// A small program that shows how one library is used.
func example(_ name: String, uses ours: [String], outside: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: ours.map { .byName(name: $0) } + outside, path: "Examples/\(name)",
        swiftSettings: house)
}

/// The tests of one target.
func tests(
    _ name: String, uses ours: [String], outside: [Target.Dependency] = []
) -> Target {
    .testTarget(name: name, dependencies: ours.map { .byName(name: $0) } + outside, swiftSettings: house)
}

let crypto: [Target.Dependency] = [
    .product(name: "Crypto", package: "swift-crypto"), .product(name: "CryptoExtras", package: "swift-crypto"),
]
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
]
let hummingbird: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"), .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
]

let http: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")

let package = Package(
    name: "linnet",
    platforms: [.macOS(.v26), .iOS(.v26), .visionOS(.v26)],
    products: [
        .executable(name: "linnet", targets: ["linnet"]),
        .executable(name: "linnet-wake", targets: ["linnet-wake"]),
        .executable(name: "linnet-media", targets: ["linnet-media"]),
        .library(name: "AsyncPrimitives", targets: ["AsyncPrimitives"]),
        .library(name: "MLS", targets: ["MLS"]),
        .library(name: "NostrCore", targets: ["NostrCore"]),
        .library(name: "NostrNIPs", targets: ["NostrNIPs"]),
        .library(name: "Location", targets: ["Location"]),
        .library(name: "Marmot", targets: ["Marmot"]),
        .library(name: "NostrStore", targets: ["NostrStore"]),
        .library(name: "NostrRelay", targets: ["NostrRelay"]),
        .library(name: "NostrSigner", targets: ["NostrSigner"]),
        .library(name: "NostrClient", targets: ["NostrClient"]),
        .library(name: "Circles", targets: ["Circles"]),
        .library(name: "RelayServer", targets: ["RelayServer"]),
        .library(name: "ViewModels", targets: ["ViewModels"]),
        .library(name: "PushProxy", targets: ["PushProxy"]),
        .library(name: "BlossomServer", targets: ["BlossomServer"]),
        .library(name: "SQLiteStorage", targets: ["SQLiteStorage"]),
        .library(name: "PostgresStorage", targets: ["PostgresStorage"]),
        .library(name: "WebSocketNIO", targets: ["WebSocketNIO"]),
        .library(name: "NostrWorld", targets: ["NostrWorld"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // 0 system
        .systemLibrary(
            name: "CSecp256k1", pkgConfig: "libsecp256k1",
            providers: [.apt(["libsecp256k1-dev"]), .brew(["secp256k1"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(name: "CMalloc"),
        // libvips with fixed signatures; loaded when a picture needs it, so nothing is linked and no header is needed
        .target(name: "CVips", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // what a process gives up before it reads a stranger's file, said to the kernel in its own headers' terms
        .target(name: "CSandbox"),
        // which pages of a file are in memory, and to begin writing them: calls that Swift does not see
        .target(name: "CPageCache"),
        // pages with code that are not needed now, told to the kernel under the loader's lock, which Swift's Glibc hides
        .target(name: "CProgramCode"),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

        // 1 pure
        module("AsyncPrimitives"),
        module("Processes"),
        module("MediaFormats"),
        module("Secp256k1", uses: ["CSecp256k1"]),
        module("GzipFormat", uses: ["CZlib"]),
        module("NostrCore", uses: ["Secp256k1"], outside: crypto),
        module("NostrNIPs", uses: ["NostrCore", "Secp256k1"], outside: crypto),
        module("MLS", outside: crypto),
        // of Nostr only its Timestamp, and the public key that names whose place it is
        module("Location", uses: ["AsyncPrimitives", "NostrCore"]),

        // 2 bridge and ports
        module("Marmot", uses: ["MLS", "NostrCore", "NostrNIPs"], outside: crypto),
        module("NostrStore", uses: ["AsyncPrimitives", "NostrCore", "NostrNIPs"]),
        module("NostrRelay", uses: ["AsyncPrimitives", "NostrCore", "NostrNIPs"], outside: [log]),
        module(
            "NostrSigner", uses: ["AsyncPrimitives", "GzipFormat", "NostrCore", "NostrNIPs", "NostrRelay"],
            outside: crypto + [log]),

        // 3 adapters
        module(
            "SQLiteStorage", uses: ["AsyncPrimitives", "NostrCore", "NostrNIPs", "NostrStore", "NostrSigner"],
            outside: [
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        module("PostgresStorage", uses: ["CLibPQ", "NostrCore", "NostrStore"], outside: [log]),
        module("WebSocketNIO", uses: ["NostrCore", "NostrRelay"], outside: nio + [log]),
        // its socket, read by hand, serves gpsd over TCP too
        module(
            "DBus", uses: ["AsyncPrimitives", "Location"],
            outside: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        module(
            "MapTiles", uses: ["AsyncPrimitives", "CZlib", "NostrCore"],
            outside: crypto + [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"), http,
            ]),

        module(
            "OpenWeb", uses: ["NostrCore"],
            outside: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
                http,
            ]),

        // 4 use cases
        module(
            "NostrClient",
            uses: [
                "AsyncPrimitives", "MediaFormats", "NostrCore", "NostrNIPs", "NostrStore", "NostrRelay", "NostrSigner",
            ],
            outside: [log]),
        module(
            "Circles",
            uses: [
                "AsyncPrimitives", "Location", "Marmot", "NostrCore", "NostrNIPs", "NostrStore", "NostrRelay",
                "NostrSigner", "NostrClient",
            ],
            outside: crypto + [log]),

        // 5 screens and services
        module(
            "ViewModels",
            uses: [
                "AsyncPrimitives", "Circles", "Location", "NostrCore", "NostrNIPs", "NostrRelay", "NostrSigner",
                "NostrStore", "NostrClient",
            ]),
        module("RelayServer", uses: ["AsyncPrimitives", "NostrCore", "NostrNIPs", "NostrStore"], outside: [log]),

        module(
            "PushProxy", uses: ["AsyncPrimitives", "NostrCore", "NostrNIPs", "NostrStore", "NostrRelay"],
            outside: hummingbird + crypto + nio + [http, log]),
        module(
            "BlossomServer",
            uses: ["AsyncPrimitives", "CPageCache", "MediaFormats", "NostrCore", "NostrNIPs", "NostrStore"],
            outside: hummingbird + crypto + nio + [log]),

        // 6 face and world
        module(
            "WebUI",
            uses: [
                "AsyncPrimitives", "CQREncode", "GzipFormat", "NostrCore", "NostrNIPs", "NostrClient", "ViewModels",
            ],
            outside: hummingbird + [log] + crypto,
            resources: [.copy("Assets")]),
        module(
            "NostrWorld",
            uses: [
                "AsyncPrimitives", "NostrCore", "NostrNIPs", "NostrStore", "RelayServer", "Secp256k1", "WebSocketNIO",
            ],
            outside: crypto + [log]),

        // 7 root
        .executableTarget(
            name: "linnet",
            dependencies: [
                "CMalloc", "CProgramCode", "AsyncPrimitives", "MediaFormats", "Processes", "NostrCore", "NostrNIPs",
                "NostrStore",
                "NostrRelay",
                "NostrSigner", "SQLiteStorage", "PostgresStorage", "WebSocketNIO", "DBus", "MapTiles", "OpenWeb",
                "Location", "NostrClient",
                "Circles",
                "ViewModels",
                "RelayServer", "PushProxy", "BlossomServer",
                "WebUI", "NostrWorld",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"), http,
            ] + nio + hummingbird, swiftSettings: house),

        // one process per push, so small that it is a program of its own
        .executableTarget(
            name: "linnet-wake",
            dependencies: [
                "AsyncPrimitives", "NostrCore", "NostrNIPs", "NostrRelay", "NostrSigner", "NostrStore", "SQLiteStorage",
                "WebSocketNIO", log,
            ],
            swiftSettings: house),

        // one process per file that a person publishes: what reads pictures of strangers reads nothing else
        .executableTarget(
            name: "linnet-media", dependencies: ["CSandbox", "CVips", "MediaFormats", "NostrNIPs"],
            swiftSettings: house),

        // examples
        example("SignAndVerify", uses: ["NostrCore"]),
        example("MLSChat", uses: ["MLS"]),
        example(
            "SmallRelay", uses: ["NostrCore", "NostrNIPs", "NostrStore", "RelayServer", "WebSocketNIO"],
            outside: [log]),

        // tests
        module(
            "NostrTesting",
            uses: [
                "AsyncPrimitives", "Processes", "NostrCore", "NostrNIPs", "NostrStore", "NostrRelay", "NostrSigner",
            ]),
        tests("AsyncPrimitivesTests", uses: ["AsyncPrimitives", "NostrTesting"]),
        tests("MLSTests", uses: ["MLS", "MLSChat", "NostrTesting"], outside: crypto),
        tests("MarmotTests", uses: ["Marmot", "MLS", "NostrCore", "NostrNIPs", "NostrTesting"], outside: crypto),
        tests("GzipFormatTests", uses: ["GzipFormat", "NostrTesting"]),
        tests("MediaFormatsTests", uses: ["MediaFormats", "NostrTesting"]),
        tests("Secp256k1Tests", uses: ["Secp256k1", "NostrTesting"]),
        tests("NostrCoreTests", uses: ["NostrCore", "NostrTesting"]),
        .target(
            name: "LocationTesting", dependencies: ["Location", "NostrCore", "NostrTesting"],
            path: "Tests/Support/LocationTesting", swiftSettings: house),
        tests("LocationTests", uses: ["AsyncPrimitives", "Location", "LocationTesting", "NostrCore", "NostrTesting"]),
        tests(
            "NostrNIPsTests", uses: ["NostrNIPs", "NostrCore", "NostrTesting", "Secp256k1"], outside: crypto),
        tests("NostrStoreTests", uses: ["NostrStore", "NostrCore", "NostrNIPs", "NostrTesting"]),
        tests("NostrRelayTests", uses: ["AsyncPrimitives", "NostrRelay", "NostrCore", "NostrNIPs", "NostrTesting"]),
        tests(
            "NostrSignerTests",
            uses: [
                "AsyncPrimitives", "GzipFormat", "NostrSigner", "NostrRelay", "NostrCore", "NostrNIPs", "NostrTesting",
            ],
            outside: crypto),
        .executableTarget(
            name: "store-writer",
            dependencies: [
                "SQLiteStorage", "Marmot", "NostrStore", "NostrSigner", "NostrNIPs", "NostrCore", "NostrTesting",
            ] + crypto,
            path: "Tests/Support/StoreWriter", swiftSettings: house),
        tests(
            "SQLiteStorageTests",
            uses: [
                "SQLiteStorage", "MLS", "Marmot", "NostrStore", "NostrSigner", "NostrCore", "NostrNIPs",
                "NostrTesting", "store-writer",
            ],
            outside: crypto + [.product(name: "GRDB", package: "GRDB.swift")]),
        tests(
            "WebSocketNIOTests", uses: ["WebSocketNIO", "NostrRelay", "NostrCore", "NostrTesting"],
            outside: nio + crypto + [log]),
        tests("DBusTests", uses: ["AsyncPrimitives", "DBus", "Location", "NostrCore", "NostrTesting"]),
        .target(
            name: "WebTesting", dependencies: ["NostrTesting"] + nio, path: "Tests/Support/WebTesting",
            swiftSettings: house),
        tests("OpenWebTests", uses: ["OpenWeb", "NostrTesting", "WebTesting"], outside: nio + crypto),
        tests("MapTilesTests", uses: ["MapTiles", "AsyncPrimitives", "NostrCore", "NostrTesting"]),
        .target(
            name: "AccountTesting",
            dependencies: [
                "AsyncPrimitives", "NostrClient", "NostrStore", "NostrRelay", "NostrSigner", "NostrCore", "NostrNIPs",
                "NostrTesting",
            ],
            path: "Tests/Support/AccountTesting", swiftSettings: house),
        tests(
            "NostrClientTests",
            uses: [
                "AccountTesting", "AsyncPrimitives", "NostrClient", "NostrStore", "NostrRelay", "NostrSigner",
                "NostrCore", "NostrNIPs", "NostrTesting", "Secp256k1",
            ], outside: crypto),
        tests(
            "CirclesTests",
            uses: [
                "AccountTesting", "AsyncPrimitives", "Circles", "Location", "LocationTesting", "MLS", "Marmot",
                "NostrClient", "NostrStore", "NostrRelay", "NostrSigner", "NostrCore", "NostrNIPs", "NostrTesting",
            ], outside: crypto),
        .target(
            name: "ScreenTesting",
            dependencies: [
                "ViewModels", "AsyncPrimitives", "NostrClient", "NostrRelay", "NostrSigner", "NostrCore", "NostrNIPs",
                "NostrTesting",
            ],
            path: "Tests/Support/ScreenTesting", swiftSettings: house),
        tests(
            "ViewModelsTests",
            uses: [
                "ViewModels", "ScreenTesting", "AsyncPrimitives", "Circles", "Location", "NostrClient", "NostrRelay",
                "NostrSigner", "NostrCore", "NostrNIPs", "NostrStore", "NostrTesting",
            ]),
        tests(
            "RelayServerTests",
            uses: ["RelayServer", "AsyncPrimitives", "NostrStore", "NostrCore", "NostrNIPs", "NostrTesting"]),
        tests(
            "PushProxyTests",
            uses: [
                "PushProxy", "AsyncPrimitives", "SQLiteStorage", "PostgresStorage", "RelayServer", "WebSocketNIO",
                "NostrStore", "NostrRelay", "NostrSigner", "NostrCore", "NostrNIPs", "NostrTesting", "linnet",
            ],
            outside: hummingbird + crypto + nio + [
                http, log, .product(name: "NIOHTTP2", package: "swift-nio-http2"),
            ]),
        tests(
            "BlossomServerTests",
            uses: ["BlossomServer", "AsyncPrimitives", "NostrStore", "NostrCore", "NostrNIPs", "NostrTesting"],
            outside: hummingbird + crypto + nio + [
                http, log, .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        tests(
            "WebUITests",
            uses: [
                "WebUI", "ViewModels", "ScreenTesting", "AccountTesting", "AsyncPrimitives", "Circles",
                "NostrClient", "NostrSigner", "NostrRelay", "NostrStore",
                "NostrCore",
                "Location", "NostrNIPs", "NostrTesting", "Secp256k1",
            ],
            outside: hummingbird + [.product(name: "HummingbirdTesting", package: "hummingbird")]),
        tests(
            "NostrWorldTests",
            uses: [
                "NostrWorld", "AsyncPrimitives", "NostrClient", "NostrStore", "NostrRelay", "NostrSigner",
                "WebSocketNIO", "NostrCore",
                "NostrNIPs", "NostrTesting",
            ]),
        .testTarget(
            name: "LinnetTests",
            dependencies: [
                "linnet", "linnet-wake", "linnet-media", "MediaFormats", "AsyncPrimitives", "OpenWeb", "WebSocketNIO",
                "SQLiteStorage", "NostrRelay", "NostrStore",
                "NostrNIPs",
                "NostrCore",
                "NostrTesting", "DBus", "Circles", "Location", "NostrClient", "NostrSigner", "ViewModels", "WebUI",
                "ScreenTesting", "AccountTesting", "WebTesting",
                log,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio
                + hummingbird,
            swiftSettings: house),
        .testTarget(
            name: "Hostile",
            dependencies: [
                "AsyncPrimitives", "MLS", "Marmot", "NostrCore", "NostrNIPs", "NostrStore", "NostrRelay", "NostrSigner",
                "NostrClient", "Circles", "WebSocketNIO", "RelayServer", "AccountTesting", "NostrTesting", log,
            ], swiftSettings: house),
        .testTarget(
            name: "Interop",
            dependencies: [
                "AsyncPrimitives", "MLS", "Marmot", "NostrCore", "NostrNIPs", "NostrStore", "NostrRelay", "NostrSigner",
                "NostrClient", "Circles", "SQLiteStorage", "WebSocketNIO", "RelayServer", "BlossomServer",
                // The program itself, which is run.
                "NostrTesting", "linnet",
                log, .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + crypto + hummingbird, exclude: ["Peers"], swiftSettings: house),
    ]
)
