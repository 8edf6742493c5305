import Foundation
import GRDB
import ManagedModel
import ModelArchives
import PersistentStore
import TestSupport
import Testing

@Suite struct `The store's own model` {
  private func examine(_ change: String? = nil, _ arguments: StatementArguments = []) throws -> String {
    try withNewStore(of: SampleModels.everyType) { db, _, _ in
      if let change { try db.execute(sql: change, arguments: arguments) }
      switch try db.examineModelCache(metadata: db.readStoreMetadata()) {
      case .absent: return "absent"
      case .unreadable: return "unreadable"
      case .untrusted(_, let differing): return "untrusted \(differing.joined(separator: " "))"
      case .trusted(let model): return "trusted \(model.entities.count)"
      }
    }
  }

  @Test func `Its recomputed hashes decide`() throws {
    #expect(try examine() == "trusted \(SampleModels.everyType.entities.count)")
    var other = SampleModels.everyType
    other.entities[0].versionHashModifier = "other"
    other.entities.append(EntityDescription(name: "Zebra"))
    let stale = try other.encodedCache()
    let state = try examine("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [stale])
    #expect(state.hasPrefix("untrusted ") && state.hasSuffix("Zebra"))
    #expect(state.contains(other.entities[0].name))
  }

  @Test(arguments: [
    ("DELETE FROM Z_MODELCACHE", "absent"), ("DROP TABLE Z_MODELCACHE", "absent"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", "absent"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = 'text'", "unreadable"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(100)", "unreadable"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(20000000)", "unreadable"),
    ("ALTER TABLE Z_MODELCACHE RENAME COLUMN Z_CONTENT TO X", "absent"),
  ])
  func `What is none is said to be none`(_ change: String, _ state: String) throws {
    #expect(try examine(change) == state)
  }
}
