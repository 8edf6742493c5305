import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

/// Texts that are none: `verify` finds them, `export` goes on and marks them.
@Suite("Texts that are not UTF-8") struct UnreadableTextTests {
  private func store(in folder: URL) throws -> URL {
    let url = folder.appending(path: "Store.sqlite")
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Note", attributes: [.init(name: "text", type: .string, isOptional: true)])
    ])
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      _ = try createStore(
        in: db, version: ModelVersion(name: "V1", model: model), frameworkVersion: 1344,
        objects: (1...4).map { ManagedObject("Note", $0, values: ["text": .string("note \($0)")]) })
      try db.execute(
        sql: """
          UPDATE ZNOTE SET ZTEXT = CAST(x'61ff' AS TEXT) WHERE Z_PK = 1;
          UPDATE ZNOTE SET ZTEXT = CAST(x'eda080' AS TEXT) WHERE Z_PK = 2;
          UPDATE ZNOTE SET ZTEXT = CAST(x'610062' AS TEXT) WHERE Z_PK = 3
          """)
    }
    try queue.close()
    return url
  }

  @Test func `verify names them`() throws {
    try withTemporaryFolder { folder in
      let run = try Modelc.run("verify", try store(in: folder).path, in: folder)
      #expect(run.code == 1, "\(run)")
      #expect(
        (run.stdout + run.stderr).contains("'text' of 2 objects of 'Note' does not hold a valid string"),
        "\(run)")
    }
  }

  @Test func `export goes on and marks them`() throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder)
      let lines = try Modelc.run("export", store.path, "--as", "jsonl", in: folder)
      #expect(lines.code == 0, "\(lines)")
      #expect(lines.stderr.contains("warning[MC5401]: 'text' of 2 objects of 'Note'"), "\(lines)")
      let written = lines.stdout.split(separator: "\n")
      #expect(written.count == 4, "\(lines)")
      #expect(written.first?.contains(#""unreadable":{"text":"bytes X'61ff'"}"#) == true, "\(lines)")
      #expect(written.last?.contains("note 4") == true && written.last?.contains("unreadable") == false)
      let yaml = try Modelc.run("export", store.path, "--as", "yaml", in: folder)
      #expect(yaml.code == 0 && yaml.stdout.contains("# unreadable: text: bytes X'eda080'"), "\(yaml)")
    }
  }
}
