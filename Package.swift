// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "modelc",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "modelc", targets: ["modelc"]),
    .library(name: "ManagedModel", targets: ["ManagedModel"]),
    .library(name: "Expressions", targets: ["Expressions"]),
    .library(name: "ModelFormats", targets: ["ModelFormats"]),
    .library(name: "ModelMigration", targets: ["ModelMigration"]),
    .library(name: "ModelCommands", targets: ["ModelCommands"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // System libraries.
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    // The flow, in its direction: CONTRIBUTING.md draws it.
    .target(name: "ManagedModel", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
    .target(name: "Expressions", dependencies: ["ManagedModel"]),
    .target(name: "ModelMapping", dependencies: ["ManagedModel", "Expressions"]),
    .target(
      name: "ModelFormats",
      dependencies: ["ManagedModel", "Expressions", "ModelMapping", "CLibYAML", "CZlib"]),
    .target(
      name: "PersistentStore",
      dependencies: [
        "ManagedModel", "Expressions", "ModelFormats", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "ModelMigration",
      dependencies: [
        "ManagedModel", "Expressions", "ModelMapping", "ModelFormats", "PersistentStore",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "ReleaseChecks",
      dependencies: [
        "ManagedModel", "ModelMapping", "ModelFormats", "PersistentStore", "ModelMigration",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "ModelCommands",
      dependencies: [
        "ManagedModel", "Expressions", "ModelMapping", "ModelFormats", "PersistentStore", "ModelMigration",
        "ReleaseChecks",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      // The sample of `modelc demo`, links to Models/Trails; the pages of `modelc explain`.
      resources: [
        "versions", "V1", "V2", "V3", "V4", "V5", "V6", "V3-V4", "V4-V5", "V5-V6",
      ].map { .embedInCode("Demo/Trails/\($0).yaml") }
        + ["MC0", "MC1", "MC2", "MC3", "MC4", "MC5", "MC6", "MC7"].map { .embedInCode("Explain/\($0).md") }),
    // A test tool, in C; Benchmarks/faults uses it.
    .executableTarget(name: "modelc-faults", path: "Tests/Faults"),
    .executableTarget(name: "modelc", dependencies: ["ModelCommands", "Migrations"]),
    .target(
      name: "Migrations", dependencies: ["ModelMigration"], path: "Migrations", exclude: ["Trails"]),

    // Tests.
    .target(name: "TestSupport", dependencies: ["ManagedModel", "Expressions"], path: "Tests/Support"),
    .testTarget(name: "ManagedModelTests", dependencies: ["ManagedModel", "TestSupport"]),
    .testTarget(name: "ExpressionsTests", dependencies: ["Expressions", "TestSupport"]),
    .testTarget(name: "ModelMappingTests", dependencies: ["ModelMapping", "TestSupport"]),
    .testTarget(
      name: "ModelFormatsTests", dependencies: ["ModelFormats", "ModelMapping", "Expressions", "TestSupport"]),
    .testTarget(
      name: "PersistentStoreTests",
      dependencies: ["PersistentStore", "Expressions", "ModelFormats", "TestSupport"]),
    .testTarget(
      name: "ModelMigrationTests",
      dependencies: [
        "ModelMigration", "ModelMapping", "PersistentStore", "ModelFormats", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ReleaseChecksTests",
      dependencies: [
        "ReleaseChecks", "ModelCommands", "ModelFormats", "PersistentStore", "ManagedModel", "TestSupport",
      ]),
    .testTarget(
      name: "ModelCommandsTests",
      dependencies: ["ModelCommands", "ModelFormats", "ManagedModel", "TestSupport"]),
    .testTarget(
      name: "ModelcEndToEndTests",
      dependencies: [
        "modelc", "modelc-faults", "TestSupport", "ManagedModel", "ModelFormats", "ModelCommands",
        "PersistentStore",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Snapshots"]),
  ],
  swiftLanguageModes: [.v6]
)

// The modelc of the benchmarks' shop, with a policy of its own: Benchmarks/run asks for it.
if Context.environment["MODELC_BENCHMARKS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "modelc-shop", dependencies: ["ModelCommands", "ModelMigration"],
      path: "Benchmarks/shop/Policies"))
}

// House rules, the same for every target that holds Swift.
for target in package.targets where target.type != .system && target.name != "modelc-faults" {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
