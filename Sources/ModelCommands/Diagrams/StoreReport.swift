import ManagedModel
import PersistentStore

/// What the page shows of a store: its objects by entity, what is wrong with them, and some of them.
struct StoreReport {
  /// Objects of each table that are shown.
  static let sampleSize = 100

  let name: String
  let versionName: String
  let inspection: StoreInspection
  let verification: Verification
  let layout: PlainLayout
  private(set) var entities: [String: (rows: Int, lacking: [String: Int])] = [:]
  /// By entity.
  private(set) var samples: [String: [JSONValue]] = [:]
  /// Whether users' values may stand in the page; else it says only where there are some.
  private(set) var values: PageValues

  init(
    _ db: StoreDatabase, _ source: StoreSource, name: String, path: String, among models: [VersionedModel],
    showsValues: Bool
  ) throws {
    (self.name, versionName) = (name, source.version.name)
    values = PageValues(ofStoreAt: path, showsValues: showsValues)
    inspection = try inspectStore(db, among: models, path: path, counting: .exact)
    verification = try verifyStore(
      db, name: name, path: path, among: models, options: VerificationOptions(showsValues: showsValues))
    layout = PlainLayout(source.schema, source.version.model)
    for table in layout.tables where table.rootEntity != nil {
      entities.merge(try table.absences(db)) { first, _ in first }
      try table.forEachRow(db, limit: Self.sampleSize) { row in add(row, of: table) }
    }
  }

  private mutating func add(_ row: [QueryValue], of table: PlainLayout.Table) {
    guard let root = table.rootEntity, case .value(.integer(let key))? = row.first else { return }
    var (entity, shown, links) = (root, [JSONValue.Member](), [JSONValue.Member]())
    for (column, value) in zip(table.columns, row).dropFirst() {
      if let target = column.target {
        guard let text = value.csvText(ofStoreAt: name) else { continue }
        let name = layout.tables.first { $0.name == target }?.rootEntity ?? target
        links.append(.init(column.name, .array([.string("\(name)/p\(text)")])))
      } else if column.isEntity {
        entity = value.csvText(ofStoreAt: name) ?? entity
      } else if let text = values.text(value) {
        shown.append(.init(column.name, .string(text)))
      }
    }
    samples[entity, default: []].append([
      "id": .string("\(root)/p\(key)"), "values": .object(shown), "links": .object(links),
    ])
  }

  var json: JSONValue {
    let (bytes, roots) = (inspection.tableByteCounts, Set(layout.tables.compactMap(\.rootEntity)))
    let tables = Dictionary(firstOf: inspection.entities.map { ($0.name, $0.tableName) })
    let parts = entities.sorted { $0.key.precedesInCodePointOrder($1.key) }.map { name, facts in
      var members: [JSONValue.Member] = [.init("rows", .integer(Int64(facts.rows)))]
      // A table is its root entity's; those below share it.
      if let table = tables[name], let table, roots.contains(name), let count = bytes[table] {
        members.append(.init("bytes", .integer(count)))
      }
      let absent = facts.lacking.filter { $0.value > 0 }.sorted { $0.key.precedesInCodePointOrder($1.key) }
      members.append(
        .init(
          "absent",
          .object(absent.map { .init($0.key, .number(Double($0.value) / Double(max(1, facts.rows)))) })))
      members.append(.init("sample", .array(samples[name] ?? [])))
      return JSONValue.Member(name, .object(members))
    }
    let findings = verification.findings.map { finding -> JSONValue in
      let subject = finding.diagnostic.subject
      let place = subject?.entity.map { entity in subject?.property.map { "\(entity).\($0)" } ?? entity }
      return [
        "code": .string("\(finding.diagnostic.code)"), "level": .string(finding.diagnostic.severity.rawValue),
        "subject": JSONValue(place), "text": .string(finding.diagnostic.message),
        "help": JSONValue(finding.diagnostic.help.first?.runnable),
      ]
    }
    return [
      "name": .string(name), "version": .string(versionName), "bytes": .integer(Int64(inspection.byteCount)),
      "rows": .integer(Int64(entities.values.reduce(0) { $0 + $1.rows })),
      "masked": .boolean(!values.showsValues),
      "entities": .object(parts),
      "findings": .array(findings),
      "externalFiles": inspection.externalFiles.map {
        ["count": .integer(Int64($0.count)), "bytes": .integer($0.byteCount)]
      } ?? .null,
      "history": JSONValue(inspection.history?.transactions.exact),
    ]
  }
}
