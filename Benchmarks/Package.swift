// swift-tools-version: 6.2
// Measures Linnet against what the machine allows; its own package, so that nothing here reaches the product.
import PackageDescription

let package = Package(
    name: "linnet-benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "linnet", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .systemLibrary(
            name: "CSecp256k1Raw", pkgConfig: "libsecp256k1",
            providers: [.apt(["libsecp256k1-dev"]), .brew(["secp256k1"])]),
        .executableTarget(
            name: "linnet-bench",
            dependencies: [
                "CSecp256k1Raw",
                .product(name: "MLS", package: "linnet"), .product(name: "Marmot", package: "linnet"),
                .product(name: "Location", package: "linnet"),
                .product(name: "NostrCore", package: "linnet"), .product(name: "NostrNIPs", package: "linnet"),
                .product(name: "NostrSigner", package: "linnet"),
                .product(name: "AsyncPrimitives", package: "linnet"), .product(name: "NostrStore", package: "linnet"),
                .product(name: "SQLiteStorage", package: "linnet"), .product(name: "NostrRelay", package: "linnet"),
                .product(name: "WebSocketNIO", package: "linnet"),
                .product(name: "NostrClient", package: "linnet"), .product(name: "Circles", package: "linnet"),
                .product(name: "NostrWorld", package: "linnet"), .product(name: "RelayServer", package: "linnet"),
                // The programs themselves, which are run, not linked.
                .product(name: "linnet", package: "linnet"), .product(name: "linnet-wake", package: "linnet"),
                .product(name: "linnet-media", package: "linnet"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .treatAllWarnings(as: .error),
            ]),
    ]
)
