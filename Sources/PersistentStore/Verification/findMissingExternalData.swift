import Foundation
import GRDB
public import ManagedModel

/// Follows every reference to a file of external data: the name must be one that Core Data gives, and the file must
/// be there.
///
/// Names are never joined to a path before they are known to be UUIDs, so none leads out of the folder.
///
/// - Parameter storePath: where the store lies; its files lie in a folder beside it.
/// - Returns: the findings, and how many files were found.
func findMissingExternalData(
  _ db: Database, in store: VerifiedStore, storePath: String
) throws -> (findings: [Verification.Finding], files: Int) {
  let folder = try dataFolder(ofStoreAt: storePath)
  var findings: [Verification.Finding] = []
  var files = 0
  for table in store.schema.tables {
    for column in table.columns {
      guard case .attribute(let reference) = column.role,
        store.leaves[reference]?.attribute.allowsExternalBinaryDataStorage == true
      else { continue }
      var missing = KeySample()
      var improper = KeySample()
      let value = "t.\(quotedIdentifier(column.name))"
      let condition = store.among(reference.entity, "\(isExternalReference(value))")
      let rows = try Row.fetchCursor(
        db,
        sql:
          "SELECT t.Z_PK, substr(\(value), 2, 36) FROM \(quotedIdentifier(table.name)) AS t WHERE \(condition) "
          + "ORDER BY t.Z_PK")
      while let row = try rows.next() {
        let key = Int64.fromDatabaseValue(row[0]) ?? 0
        let bytes = Data.fromDatabaseValue(row[1]) ?? Data()
        let name = String(decoding: bytes, as: UTF8.self)
        if UUID(uuidString: name) == nil {
          improper.add(key)
        } else if try folder.map({ try FileStatus(atPath: "\($0)/\(name)")?.kind }) == .regular {
          files += 1
        } else {
          missing.add(key)
        }
      }
      if missing.count > 0 { findings.append(missing.finding(.filesMissing(reference, missing.count))) }
      if improper.count > 0 { findings.append(improper.finding(.improperNames(reference, improper.count))) }
    }
  }
  return (findings, files)
}

/// That a value of an attribute with external storage is a reference: 2, the 36 characters of a UUID, 0.
func isExternalReference(_ value: String) -> String {
  "(typeof(\(value)) = 'blob' AND length(\(value)) = 38 AND substr(\(value), 1, 1) = x'02' AND "
    + "substr(\(value), 38, 1) = x'00')"
}

private struct KeySample {
  var count = 0
  var keys: [Int64] = []

  mutating func add(_ key: Int64) {
    count += 1
    if keys.count < 5 { keys.append(key) }
  }

  func finding(_ diagnostic: Diagnostic) -> Verification.Finding {
    var diagnostic = diagnostic
    diagnostic.notes.append(.primaryKeys(keys, of: count))
    return Verification.Finding(diagnostic, count: count, primaryKeys: keys)
  }
}

extension Diagnostic.Code {
  public static let improperExternalName = Self("MC5307")
}

extension Diagnostic {
  fileprivate static func filesMissing(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .externalDataMissing, .error,
      "the \(verb(count, "file", "files")) with '\(property.property)' of \(objects(count, of: property.entity)) "
        + "\(verb(count, "is", "are")) missing",
      subject: ModelSubject(property),
      notes: ["links are not followed: neither in the folder '.<store name>_SUPPORT' nor in its place"],
      help: ["restore that folder, with its files, beside the store"])
  }

  fileprivate static func improperNames(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .improperExternalName, .error,
      "'\(property.property)' of \(objects(count, of: property.entity)) refers to a file by a name that Core Data "
        + "does not give",
      subject: ModelSubject(property),
      notes: ["such a name could lead out of the folder of external data; it is not followed"],
      help: ["find out who wrote these rows, and restore them from a backup"])
  }
}
