// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "fuzzing",
  dependencies: [
    .package(name: "modelc", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "fuzz-readers",
      dependencies: [
        .product(name: "ManagedModel", package: "modelc"), .product(name: "ModelFormats", package: "modelc"),
        .product(name: "Expressions", package: "modelc"), .product(name: "ModelMigration", package: "modelc"),
        .product(name: "PersistentStore", package: "modelc"),
        .product(name: "ModelCommands", package: "modelc"), .product(name: "GRDB", package: "GRDB.swift"),
      ],
      // libFuzzer brings the main function.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ],
  swiftLanguageModes: [.v6]
)
