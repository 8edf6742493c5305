import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

@Suite("What only its owner may read, nobody else reads during a migration") struct PrivacyTests {
  @Test(arguments: MigrationWay.allCases, [true, false])
  func `mode stays, and no part is open to others`(way: MigrationWay, usesWAL: Bool) throws {
    try withTemporaryFolder { parent in
      let model = NoteStep.model()
      let folder = parent.appending(path: "private")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let objects = (1...50).map { ManagedObject("Note", $0, values: ["title": .string("n \($0)")]) }
      let store = try TestStore(in: folder, of: model.versions[0], usesWAL: usesWAL, objects: objects)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.url.path)
      // By a link from elsewhere: it stays a link, and everything is made beside what it leads to.
      let link = parent.appending(path: "link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.url)
      let seen = OpenParts()
      let monitor = MigrationMonitor { _ in seen.look(in: folder) }
      var options = MigrationOptions()
      options.route = way.route
      let output = folder.appending(path: "Out.sqlite")
      let report = try migrateStore(
        at: link.path, models: [model], to: way == .output ? .file(output.path) : .inPlaceOfStore,
        options: options, custom: way == .custom ? NoteStep.custom(for: model) : CustomMigrations(),
        monitor: monitor)
      seen.look(in: folder)
      #expect(seen.looks > 2 && seen.open.isEmpty, "\(seen.open)")
      #expect((report.plan.route == .inPlace) == (way == .inPlace))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == store.url.path)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted() == [
          "link.sqlite", "private",
        ])
      let results = [store.url, folder] + (way == .output ? [output] : [])
      #expect(try results.map(mode) == [0o600, 0o700, 0o600].prefix(results.count).map { $0 })
    }
  }

  private func mode(_ url: URL) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int ?? -1
  }
}

/// What others might read, at the moments when it was looked for.
private final class OpenParts: @unchecked Sendable {
  private let lock = NSLock()
  private var found: Set<String> = []
  private var count = 0

  var open: Set<String> { lock.withLock { found } }
  var looks: Int { lock.withLock { count } }

  func look(in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let open = names.filter { name in
      let path = folder.appending(path: name).path
      let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
      return (mode ?? 0) & 0o077 != 0
    }
    lock.withLock {
      found.formUnion(open)
      count += 1
    }
  }
}
