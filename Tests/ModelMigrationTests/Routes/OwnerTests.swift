import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

@Suite("A store that root migrates stays its owner's", .needsRoot) struct OwnerTests {
  @Test(arguments: MigrationWay.allCases, [true, false])
  func `store, backup and result have owner and group of the store`(way: MigrationWay, usesWAL: Bool) throws {
    try withTemporaryFolder { folder in
      let model = NoteStep.model()
      let objects = (1...50).map { ManagedObject("Note", $0, values: ["title": .string("n \($0)")]) }
      let store = try TestStore(in: folder, of: model.versions[0], usesWAL: usesWAL, objects: objects)
      try Stranger.give(store.url)
      var options = MigrationOptions()
      options.route = way.route
      let output = folder.appending(path: "Out.sqlite")
      let report = try migrateStore(
        at: store.url.path, models: [model], to: way == .output ? .file(output.path) : .inPlaceOfStore,
        options: options, custom: way == .custom ? NoteStep.custom(for: model) : CustomMigrations())
      #expect((report.plan.route == .inPlace) == (way == .inPlace))
      #expect((report.backup == nil) == (way == .output))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.count >= 2)
      for name in names { #expect(try Stranger.owns(folder.appending(path: name)), "\(name)") }
    }
  }
}

/// An account and a group that nobody has.
enum Stranger {
  private static let (user, group) = (4321, 1234)

  static func give(_ url: URL) throws {
    try FileManager.default.setAttributes(
      [.ownerAccountID: user, .groupOwnerAccountID: group], ofItemAtPath: url.path)
  }

  static func owns(_ url: URL) throws -> Bool {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.ownerAccountID] as? Int, attributes[.groupOwnerAccountID] as? Int) == (user, group)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where files cannot be given away.
  static var needsRoot: Self { .enabled(if: geteuid() == 0, "only root gives files away") }
}
