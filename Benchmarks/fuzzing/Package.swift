// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The readers are not API: this package counts as a part of modelc's, whose name for the compiler is that of its folder.
let modelc = URL(filePath: Context.packageDirectory).deletingLastPathComponent().deletingLastPathComponent()
let packageName = modelc.lastPathComponent.lowercased().replacingOccurrences(of: "-", with: "_")

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
        .product(name: "ModelMigration", package: "modelc"),
        .product(name: "ModelCommands", package: "modelc"), .product(name: "GRDB", package: "GRDB.swift"),
      ],
      // Else SwiftPM's own name of the package comes last, and is taken.
      packageAccess: false,
      // libFuzzer brings the main function.
      swiftSettings: [.unsafeFlags(["-parse-as-library", "-package-name", packageName])])
  ],
  swiftLanguageModes: [.v6]
)
