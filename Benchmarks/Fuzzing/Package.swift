// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds modelc builds this. `Benchmarks/fuzz` builds and runs it, with
// `-sanitize=fuzzer,address` for everything.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "modelc", path: "../..")],
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "FuzzLanguage",
      dependencies: [
        "CFuzzer", .product(name: "ManagedModel", package: "modelc"),
        .product(name: "ModelFormats", package: "modelc"),
      ]),
    .executableTarget(
      name: "FuzzFormats",
      dependencies: [
        "CFuzzer", .product(name: "ManagedModel", package: "modelc"),
        .product(name: "ModelFormats", package: "modelc"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
