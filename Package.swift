// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "modelc",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "modelc", targets: ["modelc"]),
    // The page "What the library does" says which to depend on.
    .library(
      name: "ModelMigration", targets: ["ModelMigration", "ManagedModel"]),
    .library(name: "ModelMigrationCompatibility", targets: ["ModelMigrationCompatibility"]),
    .library(name: "ModelFormats", targets: ["ModelFormats"]),
    .library(name: "ReleaseChecks", targets: ["ReleaseChecks", "StoreFixtures"]),
    .library(name: "ModelCommands", targets: ["ModelCommands"]),
    .plugin(name: "CompileModels", targets: ["CompileModels"]),
    .plugin(name: "CheckModels", targets: ["CheckModels"]),
  ],
  traits: [
    // Without it this package would build all it has a second time, as tools of the host.
    .trait(name: "Plugins", description: "Builds modelc for the plugins CompileModels and CheckModels."),
    // Its parser would make the build more than half again as long.
    .trait(name: "SwiftData", description: "Reads SwiftData's models from Swift source."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    // System libraries.
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // SHA-2 of our own, and zlib (Debian's zlib1g-dev).
    .target(name: "CBytes", linkerSettings: [.linkedLibrary("z")]),

    // The flow, in its direction: CONTRIBUTING.md draws it. Models: what they say, hash to, and become.
    .target(name: "ManagedModel", dependencies: ["CBytes"]),
    .target(name: "ModelArchives", dependencies: ["ManagedModel", "CBytes"]),
    // What Swift source declares; the parser is there with the trait alone.
    .target(
      name: "SwiftDataModels",
      dependencies: [
        "ManagedModel",
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["SwiftData"])),
        .product(name: "SwiftParser", package: "swift-syntax", condition: .when(traits: ["SwiftData"])),
        .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: .when(traits: ["SwiftData"])),
        .product(
          name: "SwiftParserDiagnostics", package: "swift-syntax", condition: .when(traits: ["SwiftData"])),
      ]),
    // Models in files: YAML, Xcode's XML, bundles, revisions of git.
    .target(
      name: "ModelFormats", dependencies: ["ManagedModel", "ModelArchives", "SwiftDataModels", "CLibYAML"]),
    // Stores: their files, what is in them, what is wrong in them, and such as are made.
    .target(
      name: "PersistentStore",
      dependencies: [
        "ManagedModel", "ModelArchives", "CSQLite", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // Damaged stores, and logs of apps whose stores do not open.
    .target(
      name: "StoreRepair",
      dependencies: ["ManagedModel", "PersistentStore", .product(name: "GRDB", package: "GRDB.swift")]),
    .target(
      name: "StoreFixtures",
      dependencies: [
        "ManagedModel", "ModelArchives", "ModelFormats", "PersistentStore",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // Migrations: object by object, and as a whole.
    .target(
      name: "ModelMigration",
      dependencies: [
        "ManagedModel", "ModelArchives", "PersistentStore", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // Core Data's names and optionals for policies that were written for it.
    .target(name: "ModelMigrationCompatibility", dependencies: ["ManagedModel", "ModelMigration"]),
    .target(
      name: "ReleaseChecks",
      dependencies: [
        "ManagedModel", "ModelFormats", "SwiftDataModels", "PersistentStore", "StoreFixtures",
        "ModelMigration",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // The sample of `modelc demo` and the pages of `modelc explain`, in C.
    .target(
      name: "EmbeddedFiles",
      exclude: (0...7).map { "MC\($0).md" } + ["Init", "LogKinds.txt", "Page", "Pages.txt"]),
    .target(
      name: "ModelCommands",
      dependencies: [
        "ManagedModel", "ModelArchives", "ModelFormats", "SwiftDataModels", "PersistentStore", "StoreRepair",
        "StoreFixtures", "ModelMigration", "ReleaseChecks", "EmbeddedFiles",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // A test tool, in C; Benchmarks/faults uses it.
    .executableTarget(name: "modelc-faults", path: "Tests/Faults"),
    .executableTarget(name: "modelc", dependencies: ["ModelCommands", "Migrations"]),
    .target(
      name: "Migrations", dependencies: ["ModelMigration", "ManagedModel"],
      path: "Migrations", exclude: ["Trails"]),

    // Plugins for packages that depend on this one.
    .plugin(
      name: "CompileModels", capability: .buildTool(),
      dependencies: [.target(name: "modelc", condition: .when(traits: ["Plugins"]))],
      path: "Sources/Plugins/CompileModels"),
    .plugin(
      name: "CheckModels",
      capability: .command(
        intent: .custom(
          verb: "modelc-check", description: "The gate before a release, on the package's models.")),
      dependencies: [.target(name: "modelc", condition: .when(traits: ["Plugins"]))],
      path: "Sources/Plugins/CheckModels"),

    // Tests.
    .target(
      name: "TestSupport",
      dependencies: [
        "ManagedModel", "SwiftDataModels", "PersistentStore", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], path: "Tests/Support"),
    .testTarget(name: "ManagedModelTests", dependencies: ["ManagedModel", "TestSupport"]),
    .testTarget(
      name: "ModelFormatsTests",
      dependencies: ["ManagedModel", "ModelArchives", "ModelFormats", "TestSupport"]),
    .testTarget(
      name: "SwiftDataModelsTests",
      dependencies: [
        "ManagedModel", "SwiftDataModels", "ModelFormats", "PersistentStore", "StoreFixtures", "TestSupport",
      ]),
    .testTarget(
      name: "PersistentStoreTests",
      dependencies: [
        "ManagedModel", "ModelArchives", "ModelFormats", "PersistentStore", "StoreFixtures", "ModelMigration",
        "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ModelMigrationTests",
      dependencies: [
        "ManagedModel", "ModelMigration", "ModelMigrationCompatibility", "ModelArchives", "ModelFormats",
        "PersistentStore", "StoreFixtures", "StoreRepair", "ReleaseChecks", "TestSupport",
        .product(name: "Logging", package: "swift-log"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ReleaseChecksTests",
      dependencies: [
        "ReleaseChecks", "ModelCommands", "ManagedModel", "ModelFormats", "SwiftDataModels", "ModelMigration",
        "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ModelCommandsTests",
      dependencies: [
        "ModelCommands", "ManagedModel", "ModelFormats", "ModelArchives", "ReleaseChecks", "StoreRepair",
        "PersistentStore", "SwiftDataModels",
        "ModelMigration",
        "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ], exclude: ["Snapshots"]),
  ],
  swiftLanguageModes: [.v6],
  // `#embed`
  cLanguageStandard: .gnu2x
)

// The end-to-end job: tests that run the built modelc. They are a quarter of the tests' time, and CI has them always.
if Context.environment["MODELC_END_TO_END"] != nil {
  package.targets.append(
    .testTarget(
      name: "ModelcEndToEndTests",
      dependencies: [
        "modelc", "modelc-faults", "TestSupport", "ManagedModel", "ModelFormats", "PersistentStore",
        "ModelMigration", "ModelCommands", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Snapshots", "Codes/nextSteps.txt"]))
}

// What `.ci/release` builds on Linux asks the system for less at its start. The folder holds `libstdc++.a` alone.
if let libraries = Context.environment["MODELC_RELEASE_LIBRARIES"] {
  for target in package.targets where target.name == "modelc" {
    target.linkerSettings = [
      .unsafeFlags([
        "-L", libraries, "-Xclang-linker", "-static-libgcc", "-use-ld=lld",
        "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--no-export-dynamic",
      ])
    ]
  }
}

// What `Benchmarks/run` needs: a program that asks `migrationRequired`, and a modelc with a policy of its own.
if Context.environment["MODELC_BENCHMARKS"] != nil {
  package.targets += [
    .executableTarget(
      name: "migration-required", dependencies: ["ManagedModel", "ModelFormats", "ModelMigration"],
      path: "Benchmarks/required"),
    .executableTarget(
      name: "modelc-shop",
      dependencies: ["ModelCommands", "ManagedModel", "ModelMigration"],
      path: "Benchmarks/shop/Policies"),
  ]
}

// Core Data as the judge, on Macs; elsewhere a stub of its declarations type-checks those tests: `.ci/run coredata`.
let stubsCoreData = Context.environment["MODELC_CORE_DATA_STUB"] != nil
#if os(macOS)
  let judgesByCoreData = true
#else
  let judgesByCoreData = stubsCoreData
#endif
if stubsCoreData { package.targets.append(.target(name: "CoreData", path: "Tests/Stubs/CoreData")) }
if judgesByCoreData {
  package.targets.append(
    .testTarget(
      name: "CoreDataTests",
      dependencies: [
        "ManagedModel", "ModelArchives", "ModelFormats", "PersistentStore", "StoreFixtures", "ModelMigration",
        "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ] + (stubsCoreData ? ["CoreData"] : []),
      exclude: ["README.md", "fetch-fixtures"]))
}

// House rules, the same for every target that holds Swift.
let withoutSwift: Set = ["EmbeddedFiles", "modelc-faults"]
for target in package.targets
where target.type != .system && target.type != .plugin && !withoutSwift.contains(target.name) {
  // What Apple's declarations warn of is not known here, and those of Linux warn of what Apple has.
  target.swiftSettings = target.name == "CoreDataTests" ? [] : [.treatAllWarnings(as: .error)]
  target.swiftSettings? += [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
  // A project's policies import one module, as in the packages of others.
  if target.name != "Migrations" {
    target.swiftSettings?.append(.enableUpcomingFeature("MemberImportVisibility"))
  }
}
