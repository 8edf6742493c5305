import Foundation
package import GRDB
package import ManagedModel

/// Follows every reference to a file of external data: the name must be one that Core Data gives, and the file must
/// be there, with something in it, and be named once.
///
/// Names are never joined to a path before they are known to be UUIDs, so none leads out of the folder.
///
/// - Parameters:
///   - storePath: where the store lies; its files lie in a folder beside it.
///   - findsShared: whether files are found that several values name, which needs the names of all.
/// - Returns: the findings, and how many files were found.
func findMissingExternalData(
  _ db: Database, in store: VerifiedStore, storePath: String, findsShared: Bool = true
) throws -> (findings: [Verification.Finding], files: Int) {
  var search = ExternalDataSearch(folder: try dataFolder(ofStoreAt: storePath), findsShared: findsShared)
  for table in store.schema.tables {
    for column in table.columns {
      guard case .attribute(let reference) = column.role,
        store.leaves[reference]?.attribute.allowsExternalBinaryDataStorage == true
      else { continue }
      let value = "t.\(column.name.quotedIdentifier)"
      let condition = store.among(reference.entity, value.isExternalReference)
      let rows = try Row.fetchCursor(
        db,
        sql:
          "SELECT t.Z_PK, substr(\(value), 2, 36) FROM \(table.name.quotedIdentifier) AS t WHERE \(condition) "
          + "ORDER BY t.Z_PK")
      while let row = try rows.next() {
        let name = Data.fromDatabaseValue(row[1]) ?? Data()
        try search.look(for: name, of: reference, ofObject: row.integer(0) ?? 0)
      }
      search.endColumn(reference)
    }
  }
  var findings = search.findings
  if !search.missingNames.isEmpty,
    let (note, help) = try explainMisplaced(search.missingNames, ofStoreAt: storePath)
  {
    for index in findings.indices where findings[index].diagnostic.code == .externalDataMissing {
      findings[index].diagnostic.notes.append(note)
      findings[index].diagnostic.help = [help]
    }
  }
  return (findings, search.files)
}

/// The same for a store whose schema is known, without the rest of verification, and without files that values share.
package func findMissingExternalData(
  _ db: Database, schema: StoreSchema, model: ManagedObjectModel, storePath: String
) throws -> [Verification.Finding] {
  let store = VerifiedStore(schema: schema, model: model)
  guard store.leaves.values.contains(where: { $0.attribute.allowsExternalBinaryDataStorage }) else {
    return []
  }
  return try withStoreDiagnostics(for: storePath) {
    try findMissingExternalData(db, in: store, storePath: storePath, findsShared: false).findings
  }
}

extension VerifiedStore {
  /// The files that hold an attribute's large values, and their bytes.
  ///
  /// - Parameter condition: for the rows that are meant.
  package func externalFiles(
    _ db: Database, of column: ColumnLayout, in table: TableLayout, where condition: String = "TRUE",
    folder: String
  ) throws -> (count: Int, bytes: Int64) {
    guard case .attribute(let reference) = column.role,
      leaves[reference]?.attribute.allowsExternalBinaryDataStorage == true
    else { return (0, 0) }
    let value = column.name.quotedIdentifier
    let rows = try Row.fetchCursor(
      db,
      sql:
        "SELECT substr(\(value), 2, 36) FROM \(table.name.quotedIdentifier) WHERE \(value.isExternalReference) AND \(condition)"
    )
    return try rows.reduce(into: (count: 0, bytes: 0)) { files, row in
      let name = String(decoding: Data.fromDatabaseValue(row[0]) ?? Data(), as: UTF8.self)
      guard UUID(uuidString: name) != nil, let status = try FileStatus(atPath: "\(folder)/\(name)"),
        status.kind == .regular
      else { return }
      files = (files.count + 1, files.bytes.addingClamped(status.size))
    }
  }
}

/// What was found of the files so far, column by column.
private struct ExternalDataSearch {
  /// Nil if there is none.
  let folder: String?
  let findsShared: Bool
  var findings: [Verification.Finding] = []
  var files = 0
  /// Of all columns, the first of them.
  var missingNames: Set<String> = []
  var missing = KeySample()
  var empty = KeySample()
  var improper = KeySample()
  /// Objects with files that values before them name too, and some of these.
  var shared = KeySample()
  var sharers: [String] = []
  /// The latest value that names a file.
  var holders: [String: (property: PropertyReference, key: Int64)] = [:]

  mutating func look(for bytes: Data, of property: PropertyReference, ofObject key: Int64) throws {
    let name = String(decoding: bytes, as: UTF8.self)
    guard UUID(uuidString: name) != nil else { return improper.add(key) }
    guard let status = try folder.flatMap({ try FileStatus(atPath: "\($0)/\(name)") }),
      status.kind == .regular
    else {
      missing.add(key)
      if missingNames.count < 1_000 { missingNames.insert(name) }
      return
    }
    if status.size == 0 { empty.add(key) } else { files += 1 }
    guard findsShared, let holder = holders.updateValue((property, key), forKey: name) else { return }
    shared.add(key)
    if sharers.count < 5 {
      sharers.append("'\(holder.property.entity).\(holder.property.property)' of object \(holder.key)")
    }
  }

  mutating func endColumn(_ reference: PropertyReference) {
    for (lost, isEmpty) in [(missing, false), (empty, true)] where lost.count > 0 {
      let count = lost.count
      findings.append(
        lost.finding(
          Diagnostic(
            .externalDataMissing, .error,
            "the \(verb(count, "file", "files")) with '\(reference.property)' of \(objects(count, of: reference.entity)) "
              + "\(verb(count, "is", "are")) \(isEmpty ? "empty" : "missing")",
            subject: ModelSubject(reference),
            notes: [
              isEmpty
                ? "Core Data puts only large values into files: this copy has lost those values"
                : "links are not followed, neither in the folder '.<store name>_SUPPORT' nor in place of it"
            ],
            help: [
              isEmpty
                ? "restore those files from a backup, or from the original store"
                : "restore that folder, with its files, next to the store"
            ])))
    }
    if improper.count > 0 {
      findings.append(
        improper.finding(
          .values(
            .improperExternalName, of: reference, improper.count,
            "refers to a file by a name that Core Data does not use",
            notes: ["such a name could lead out of the folder of external data; it is not followed"],
            help: ["find out who wrote these rows, and restore them from a backup"])))
    }
    if shared.count > 0 {
      let others = "\(sharers.joined(separator: ", "))\(shared.count > sharers.count ? ", …" : "")"
      findings.append(
        shared.finding(
          .values(
            .improperExternalName, .warning, of: reference, shared.count,
            "shares a file with a value before it",
            notes: [
              "\(verb(shared.count, "that value is", "those values are")) \(others)",
              "all have their data; if the app changes or deletes one, Core Data removes the file, and the other is lost",
            ],
            help: [
              "do not change them in the app before each has its own file: in a copy of the store, copy the file under a new UUID, "
                + "and put that into the cell of one of them"
            ])))
    }
    (missing, empty, improper, shared, sharers) = (KeySample(), KeySample(), KeySample(), KeySample(), [])
  }
}

/// What to say and to do where a folder of large values belongs to another store's name and holds files that this store
/// misses: a renamed store leaves it behind.
private func explainMisplaced(
  _ names: Set<String>, ofStoreAt path: String
) throws(SystemError) -> (note: Diagnostic.Note, help: String)? {
  let (parent, own) = (parentFolder(of: path), ExternalFolder.support.path(ofStoreAt: path))
  let entries = namesInFolder(parent)
  var best: (path: String, name: String, count: Int)?
  for entry in entries where entry.hasPrefix(".") && entry.hasSuffix("_SUPPORT") {
    let folder = (parent as NSString).appendingPathComponent(entry)
    let data = folder + "/_EXTERNAL_DATA"
    guard folder != own, try FileStatus(atPath: folder)?.kind == .folder,
      try FileStatus(atPath: data)?.kind == .folder
    else { continue }
    let count = namesInFolder(data).count { names.contains($0) }
    if count > best?.count ?? 0 { best = (folder, entry, count) }
  }
  guard let (folder, name, count) = best else { return nil }
  let stem = String(name.dropFirst().dropLast("_SUPPORT".count))
  let hasOwner = entries.contains { !$0.hasPrefix(".") && ($0 as NSString).deletingPathExtension == stem }
  let (from, to, hasOwn) = (folder.shellWord, own.shellWord, try FileStatus(atPath: own) != nil)
  return (
    "\(count) missing \(verb(count, "file is", "files are")) in '\(name)', the folder of a store with another name",
    hasOwn
      ? "`cp -pn \(from)/_EXTERNAL_DATA/* \(to)/_EXTERNAL_DATA/` copies them to where this store looks for them"
      : hasOwner
        ? "`cp -Rp \(from) \(to)` gives this store a copy; another store of that name may need its own"
        : "`mv \(from) \(to)` puts the folder where this store looks for it"
  )
}

extension KeySample {
  func finding(_ diagnostic: Diagnostic) -> Verification.Finding {
    var diagnostic = diagnostic
    diagnostic.notes.append(.primaryKeys(keys, of: count))
    return Verification.Finding(diagnostic, count: count, primaryKeys: keys)
  }
}

extension Diagnostic.Code { package static let improperExternalName = Self("MC5307") }
