import Foundation
import ManagedModel
import PersistentStore

extension StoreRepairer {
  /// Leaves out all objects but those of some entities and their sub-entities, and references to what is left out.
  ///
  /// - Throws: MC0009 where the version has no such entity.
  func keepOnly(_ names: [String]) throws {
    for name in names where !target.model.entities.contains(where: { $0.name == name }) {
      throw DiagnosticsError(.noEntity(name, in: target.version))
    }
    let kept = Set(names.flatMap { store.hierarchy.descendantNames(includingSelf: $0) })
    for table in store.schema.tables {
      for entity in store.schema.entities
      where entity.rootEntityName == table.rootEntityName && !kept.contains(entity.name) {
        try change(
          .leftOut, of: PropertyReference(entity: entity.name, property: ""),
          "DELETE FROM \(quotedIdentifier(table.name)) WHERE Z_ENT = \(entity.number)"
        ) {
          "\($0) \(verb($0, "object", "objects")) of '\(entity.name)' \(verb($0, "is", "are")) left out"
        }
      }
    }
    try repairRows()
    try repairDerivedValues()
  }
}

extension StoreReplacement {
  /// Writes a private copy under the name that was asked for, with the large values of the store.
  ///
  /// The copy lies beside the store, the new file perhaps on another volume.
  func write(_ staged: PrivateStore, to output: String) throws {
    try staged.finish(file.header.journalForm)
    let connection = try StoreConnection(path: staged.path)
    defer { try? connection.close() }
    let new = try connection.stage(for: output)
    defer { new.discard() }
    let data = MigratedExternalData(forStoreAt: output, like: file, seed: output, isNew: true)
    defer { data.discard() }
    try data.copyFiles(ofStoreAt: file.path, referredToBy: new)
    try data.finish(in: new)
    try new.finish(file.header.journalForm)
    try new.publish(at: output)
    data.keep()
  }
}

extension Diagnostic {
  static func noEntity(_ name: String, in version: ModelVersion) -> Self {
    let names = version.model.entities.map(\.name)
    return Self(
      .fileUnreadable, .error, "'\(version.name)' has no entity '\(name)'",
      notes: [Note("it has \(listedNames(names))"), "nothing was written"],
      help: nearestName(to: name, among: names).map { ["did you mean '\($0)'?"] } ?? [])
  }
}
