import Foundation
import TestSupport
import Testing

/// The two SwiftPM plugins in a fresh package that depends on this one by path.
///
/// It builds everything anew, which takes minutes: `.ci/run package` asks for it, plain `swift test` does not.
@Suite(
  "Plugins in a fresh package",
  .enabled(
    if: ProcessInfo.processInfo.environment["MODELC_OWN_PACKAGE"] != nil, "MODELC_OWN_PACKAGE is not set"))
struct PluginTests {
  @Test func `models are compiled with their target, and the gate is a command of the package`() throws {
    let modelc = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(Self.manifest(modelc.path), to: "Package.swift")
      try place.write(Self.program, to: "Sources/App/main.swift")
      try place.write(Self.version, to: "Models/Huts/V1.yaml")
      try place.write("current: V1\nversions: [V1]\n", to: "Models/Huts/versions.yaml")
      let first = try runSwift("run", "-q", "App", in: folder)
      #expect(first.code == 0 && first.text.hasSuffix("V1.mom VersionInfo.plist\n"), "\(first.text)")
      // A version more, and the bundle follows.
      try place.write(Self.version + "      beds: integer16?\n", to: "Models/Huts/V2.yaml")
      try place.write("current: V2\nversions: [V1, V2]\n", to: "Models/Huts/versions.yaml")
      let second = try runSwift("run", "-q", "App", in: folder)
      #expect(second.text.hasSuffix("V1.mom V2.mom VersionInfo.plist\n"), "\(second.text)")

      let unreleased = try runSwift("package", "modelc-check", in: folder)
      #expect(unreleased.code == 0 && unreleased.text.contains("MC7011"), "\(unreleased.text)")
      expectSuccess(try place.modelc("release", "V1", "--fixture", "20"))
      let passed = try runSwift("package", "modelc-check", "--format", "github", in: folder)
      #expect(passed.code == 0, "\(passed.text)")
      try place.replace("name: string?", with: "name: date?", in: "Models/Huts/V1.yaml")
      let edited = try runSwift("package", "modelc-check", "--format", "github", in: folder)
      #expect(edited.code != 0 && edited.text.contains("MC7001"), "\(edited.text)")
    }
  }

  private static func manifest(_ modelc: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "App",
      platforms: [.macOS(.v13)],
      dependencies: [.package(name: "modelc", path: "\(modelc)", traits: ["Plugins"])],
      targets: [
        .executableTarget(name: "App", plugins: [.plugin(name: "CompileModels", package: "modelc")])
      ])

    """
  }

  private static let version = """
    entities:
      Hut:
        attributes:
          name: string?

    """

  private static let program = """
    import Foundation

    guard let bundle = Bundle.module.url(forResource: "Huts", withExtension: "momd") else {
      print("there is no Huts.momd among the resources")
      exit(1)
    }
    print(try FileManager.default.contentsOfDirectory(atPath: bundle.path).sorted().joined(separator: " "))

    """
}
