import Foundation
package import GRDB

/// Whatever reads a store's tables: a connection, or the lock on it.
package protocol StoreReading {
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result
}

extension Database {
  /// Those of some files of external data that rows refer to, whatever the model: every column is looked at.
  ///
  /// - Parameter names: the files; all others are of no interest.
  package func externalReferences(among names: Set<String>) throws -> Set<String> {
    var found: Set<String> = []
    if names.isEmpty { return found }
    for table in try readPhysicalSchema().tables {
      var columns = table.columns.map { $0.name.quotedIdentifier }[...]
      // Many in one go, and no more than an expression may hold.
      while !columns.isEmpty {
        let some = columns.prefix(50)
        columns = columns.dropFirst(50)
        let values = some.map { "CASE WHEN \($0.isExternalReference) THEN substr(\($0), 2, 36) END" }
        let rows = try Row.fetchCursor(
          self,
          sql: "SELECT \(values.joined(separator: ", ")) FROM \(table.name.quotedIdentifier) "
            + "WHERE \(some.map(\.isExternalReference).joined(separator: " OR "))")
        while let row = try rows.next() {
          for index in 0..<some.count {
            guard let bytes = Data.fromDatabaseValue(row[index]) else { continue }
            let name = String(decoding: bytes, as: UTF8.self)
            if names.contains(name) { found.insert(name) }
          }
        }
      }
    }
    return found
  }
}

extension String {
  /// That a value of an attribute with external storage is a reference: 2, the 36 characters of a UUID, 0.
  package var isExternalReference: String {
    "(typeof(\(self)) = 'blob' AND length(\(self)) = 38 AND substr(\(self), 1, 1) = x'02' AND "
      + "substr(\(self), 38, 1) = x'00')"
  }
}
