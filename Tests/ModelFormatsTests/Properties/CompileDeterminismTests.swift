import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import TestSupport
import Testing

/// Compiles in processes of their own, because Swift seeds its hashing anew in each.
@Suite(.needsFixtures) struct CompileDeterminismTests {
  private static let zones = ["UTC", "Asia/Kathmandu"]

  @Test func `every model compiled in other folders, time zones and locales gives identical bytes`()
    async throws
  {
    let root = FileManager.default.temporaryDirectory.appending(path: "modelc-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (index, zone) in Self.zones.enumerated() {
      // Folders of different depth and name.
      let folder = root.path + String(repeating: "/deeper \(index)", count: index + 1)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      await #expect(processExitsWith: .success) { [folder = folder as String, zone = zone as String] in
        unsafe setenv("TZ", zone, 1)
        unsafe setenv("LC_ALL", zone == "UTC" ? "C" : "tr_TR.UTF-8", 1)
        tzset()
        try compileEverything(into: URL(filePath: folder))
      }
    }
    let bundles = Self.zones.indices.map { index in
      content(of: URL(filePath: root.path + String(repeating: "/deeper \(index)", count: index + 1) + "/out"))
    }
    #expect(bundles[0].count > 200)
    for other in bundles.dropFirst() {
      #expect(Set(bundles[0].keys) == Set(other.keys))
      #expect(bundles[0].filter { other[$0.key] != $0.value }.keys.sorted() == [])
    }
  }
}

/// Xcode's models, and the same once more from YAML files, to `out`.
private func compileEverything(into folder: URL) throws {
  for (index, package) in Fixtures.all(withExtension: "xcdatamodeld").enumerated() {
    guard let model = readXcodeModelPackage(at: package).model else { continue }
    let out = folder.appending(path: "out/\(index)")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
    try model.writeBundle(to: out.appending(path: "Xcode.momd"))
    let source = folder.appending(path: "\(index) source")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    try Data(writeVersions(model).utf8).write(to: source.appending(path: "versions.yaml"))
    for version in model.versions {
      try Data(writeModel(version.model).utf8).write(to: source.appending(path: "\(version.name).yaml"))
    }
    guard let again = readVersionedModel(folder: source).model else { continue }
    try again.writeBundle(to: out.appending(path: "YAML.momd"))
  }
}

/// Path → bytes of every file below.
private func content(of folder: URL) -> [String: Data] {
  guard let walker = FileManager.default.enumerator(atPath: folder.path) else { return [:] }
  var content: [String: Data] = [:]
  for case let path as String in walker {
    let file = folder.appending(path: path)
    if !path.hasSuffix(".momd"), let data = try? Data(contentsOf: file) { content[path] = data }
  }
  return content
}
