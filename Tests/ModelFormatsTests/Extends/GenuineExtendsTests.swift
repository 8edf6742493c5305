import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelArchives
@testable import ModelFormats

/// Every genuine version written as a change of the one before it: nothing shows that it was.
@Suite(.needsFixtures) struct GenuineExtendsTests {
  @Test func `a version that extends is equal to the same written out, byte for byte`() throws {
    var pairs = 0
    for package in Fixtures.all(withExtension: "xcdatamodeld") {
      guard let model = readXcodeModelPackage(at: package).model, model.versions.count > 1 else { continue }
      pairs += model.versions.count - 1
      try withTemporaryFolder { folder in
        let plain = try write(model, to: folder.appending(path: "plain/M")) { _, version in
          writeModel(version.model)
        }
        let extending = try write(model, to: folder.appending(path: "changes/M")) { previous, version in
          guard let previous else { return writeModel(version.model) }
          let change = YAMLChange.pairs(
            from: modelSchema.write(previous.model), to: modelSchema.write(version.model), .model)
          return renderYAML([YAMLPair("extends", .text(previous.name))] + change)
        }
        try expectEqual(plain, extending, package)
      }
    }
    #expect(pairs >= 50)
  }

  private func write(
    _ model: VersionedModel, to folder: URL, _ text: (ModelVersion?, ModelVersion) -> String
  ) throws -> VersionedModel {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(writeVersions(model).utf8).write(to: folder.appending(path: "versions.yaml"))
    var previous: ModelVersion?
    for version in model.versions {
      try Data(text(previous, version).utf8).write(to: folder.appending(path: "\(version.name).yaml"))
      previous = version
    }
    let (read, diagnostics) = readVersionedModel(folder: folder)
    #expect(diagnostics.map { "\($0.place?.file ?? "") \($0.message)" } == [])
    return try #require(read)
  }

  private func expectEqual(_ plain: VersionedModel, _ extending: VersionedModel, _ package: URL) throws {
    #expect(plain.versions.count == extending.versions.count)
    for (left, right) in zip(plain.versions, extending.versions) {
      #expect(left.model == right.model, "\(package.path) \(left.name)")
      #expect(left.entityVersionHashesByName == right.entityVersionHashesByName)
      #expect(left.versionChecksum == right.versionChecksum)
      #expect(left.model.fingerprint == right.model.fingerprint)
    }
    let files = try (plain.bundleFiles(), extending.bundleFiles())
    #expect(files.0.elementsEqual(files.1, by: ==), "\(package.path)")
  }
}

/// The shortest `extends` between two written models: what a person would write by hand.
private enum YAMLChange {
  static func pairs(from old: [YAMLPair], to new: [YAMLPair], _ level: ChangeLevel) -> [YAMLPair] {
    var changes: [YAMLPair] = []
    var removed = old.filter { pair in !new.contains { $0.key == pair.key } }.map(\.key)
    // Names keep their order; where the new one is another, all of them are stated anew.
    let kept = old.map(\.key).filter { key in new.contains { $0.key == key } }
    let isReordered = !level.hasKeys && Array(new.map(\.key).prefix(kept.count)) != kept
    for pair in new {
      guard let before = old.first(where: { $0.key == pair.key }), !isReordered else {
        changes.append(pair)
        continue
      }
      if before.value == pair.value { continue }
      let below = level.below(pair.key)
      guard below != .value, case .mapping(let inner, let layout) = pair.value,
        case .mapping(let oldInner, _) = before.value
      else {
        changes.append(pair)
        continue
      }
      if !below.hasKeys, below != .names(.value), needsRemoval(oldInner, inner) || reordered(oldInner, inner)
      {
        // Only a mapping of keys has a 'remove': the section goes and comes back whole.
        removed.append(pair.key)
        changes.append(pair)
        continue
      }
      if below == .names(.value), needsRemoval(oldInner, inner) || reordered(oldInner, inner) {
        removed.append(pair.key)
        changes.append(pair)
        continue
      }
      changes.append(YAMLPair(pair.key, .mapping(pairs(from: oldInner, to: inner, below), layout)))
    }
    guard level.hasKeys, !removed.isEmpty else { return changes }
    return [YAMLPair("remove", .sequence(removed.map(YAMLValue.text)))] + changes
  }

  private static func needsRemoval(_ old: [YAMLPair], _ new: [YAMLPair]) -> Bool {
    old.contains { pair in !new.contains { $0.key == pair.key } }
  }

  private static func reordered(_ old: [YAMLPair], _ new: [YAMLPair]) -> Bool {
    old.map(\.key) != Array(new.map(\.key).prefix(old.count))
  }
}
