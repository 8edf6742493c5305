package import GRDB
package import ManagedModel

/// What happens to an entity's objects where objects with equal keys become one.
package struct MergedRows: Hashable, Sendable {
  package var objects: Int
  package var groups: Int
  /// Values of objects that do not stay, other than the value that their group has; by the property's name.
  package var lost: [String: KeySample]
}

extension Database {
  /// Counts the objects of groups, and the values that are lost with objects that do not stay.
  ///
  /// The connection needs the functions of ``RowCompiler``.
  ///
  /// - Parameters:
  ///   - given: what a group has one value of, by the property's name, as it is computed for each of its objects; what has no
  ///     form in SQL is not looked at. Of a value that may be outside the store's file it is the cell.
  ///   - owners: columns of the rows with keys of which a group keeps one, whichever object has it, by any name.
  ///   - groups: where objects that a reference leads to are merged too, their keys with those that stay (`pk`, `kept`), as a
  ///     query by the property's name.
  /// - Returns: nil if the mapping groups nothing, or by keys that have no form in SQL.
  package func countMergedRows(
    _ mapping: EntityMapping, values given: [String: Expression], following groups: [String: String] = [:],
    owners: [String: String] = [:], schema: StoreSchema, model: ManagedObjectModel, now: Double
  ) throws -> MergedRows? {
    guard var compiled = CompiledGroups(mapping, schema: schema, model: model, now: now) else { return nil }
    let names = compiled.add(given, following: groups, columns: owners)
    guard compiled.compiler.parameters.isEmpty else { return nil }
    let rows = compiled.rows
    let counted = try Row.fetchOne(
      self,
      sql:
        "\(rows) SELECT count(*), coalesce(sum(pk = kept), 0) FROM (SELECT pk, \(compiled.kept) AS kept FROM rows)"
    )
    var merged = MergedRows(objects: counted?[0] ?? 0, groups: counted?[1] ?? 0, lost: [:])
    guard merged.groups < merged.objects, !names.isEmpty else { return merged }
    for (index, name) in names.enumerated() {
      let from = "FROM \(compiled.compiler.from) WHERE t0.Z_PK = g"
      let cell = compiled.cells[index].map { "(SELECT \($0) \(from)." }
      let isMerged = owners[name] != nil && mapping.onDrop == .repoint
      let kept = compiled.value("v\(index)", of: cell.map { _ in "pk" }, isMerged: isMerged)
      let lost = """
        \(rows) SELECT pk FROM (SELECT pk, v\(index) AS v, \(kept) AS kept FROM rows) AS g \
        WHERE v IS NOT NULL AND \(cell.map { "\($0)pk) IS NOT \($0)kept)" } ?? "v IS NOT kept")
        """
      let count = try countRows(self, "FROM (\(lost))")
      if count > 0 { merged.lost[name] = KeySample(count, try values("\(lost) ORDER BY pk LIMIT 5")) }
    }
    return merged
  }
}

extension EntityMapping {
  /// A query of the primary keys of rows that stay for their group.
  ///
  /// - Parameter ofAll: whether each row's own key stands before, as `pk`, and the other is named `kept`.
  /// - Returns: nil where it groups nothing, and where the keys have no form in SQL.
  package func keptKeysSQL(
    schema: StoreSchema, model: ManagedObjectModel, now: Double, ofAll: Bool = false
  ) -> String? {
    guard let groups = CompiledGroups(self, schema: schema, model: model, now: now),
      groups.compiler.parameters.isEmpty
    else { return nil }
    return "\(groups.rows) SELECT \(ofAll ? "pk, " : "")\(groups.kept) AS kept FROM rows"
  }

  /// A query of the primary keys of rows of which a group takes a value; where groups are merged these are the first that has
  /// one, and those before it.
  ///
  /// - Returns: nil where any row may be one.
  package func keptKeys(
    of value: Expression?, schema: StoreSchema, model: ManagedObjectModel, now: Double
  ) -> String? {
    guard grouping?.keep == .merge else { return keptKeysSQL(schema: schema, model: model, now: now) }
    guard let value, var groups = CompiledGroups(self, schema: schema, model: model, now: now),
      !groups.add(["": value]).isEmpty, groups.compiler.parameters.isEmpty
    else { return nil }
    return
      "\(groups.rows) SELECT pk FROM (SELECT pk, \(groups.hasEarlier("v0")) AS found FROM rows) WHERE found IS NOT 1"
  }
}

/// The groups of a mapping as SQL: `rows` with a column for each key and value, and what each row's group has of them.
private struct CompiledGroups {
  private(set) var compiler: RowCompiler
  private let keep: KeepRule
  private let partition: String
  private var columns: [String]
  /// Values of the row itself, by their places: these may have megabytes, which no sort carries, and so `rows` has 1 where
  /// there is one.
  private(set) var cells: [Int: String] = [:]
  private var conditions: [String] = []
  private var joins = ""

  init?(_ mapping: EntityMapping, schema: StoreSchema, model: ManagedObjectModel, now: Double) {
    guard let groups = mapping.grouping, let entity = mapping.sourceEntityName,
      var compiler = try? RowCompiler(entity, schema: schema, model: model, now: now)
    else { return nil }
    do throws(NotExpressibleInSQL) {
      let place = if let key = groups.order { try compiler.key(key) } else { "NULL" }
      columns = ["t0.Z_PK AS pk", "\(place) AS place"]
      for (index, key) in groups.keys.enumerated() { columns.append("\(try compiler.key(key)) AS k\(index)") }
      if let filter = mapping.filter { conditions.append(try compiler.filter(filter)) }
    } catch {
      return nil
    }
    conditions.insert(compiler.isOfEntity(includesSubentities: false), at: 0)
    (self.compiler, keep) = (compiler, groups.keep)
    let keys = groups.keys.indices.map { "k\($0)" }
    // An object with a null among its keys is a group of its own.
    let isAlone = keys.map { "\($0) IS NULL" }.balanced(" OR ")
    partition = "PARTITION BY \(keys.joined(separator: ", ")), iif(\(isAlone), pk, NULL)"
  }

  /// - Returns: the names of what has a form in SQL; the first is `v0`.
  mutating func add(
    _ values: [String: Expression], following groups: [String: String] = [:],
    columns owners: [String: String] = [:]
  ) -> [String] {
    var names: [String] = []
    for (name, expression) in values.sorted(by: { $0.key < $1.key }) {
      guard let value = (try? compiler.key(expression)) ?? compiler.cell(expression) else { continue }
      let place = names.count
      if let group = groups[name] { joins += " LEFT JOIN (\(group)) AS g\(place) ON g\(place).pk = \(value)" }
      if groups[name] == nil, value.hasPrefix("t0.") { cells[place] = value }
      let shown = groups[name] == nil ? value : "coalesce(g\(place).kept, \(value))"
      columns.append("\(cells[place].map { "nullif(\($0) IS NOT NULL, 0)" } ?? shown) AS v\(place)")
      names.append(name)
    }
    for (name, column) in owners.sorted(by: { $0.key < $1.key }) {
      columns.append("t0.\(column.quotedIdentifier) AS v\(names.count)")
      names.append(name)
    }
    return names
  }

  var rows: String {
    """
    WITH rows AS (SELECT \(columns.joined(separator: ", ")) \
    FROM \(compiler.from)\(joins) WHERE \(conditions.joined(separator: " AND ")))
    """
  }

  /// The key of the row that stays for a row's group.
  var kept: String { value("pk") }

  /// What a row's group has of a value, or the key of the row with it.
  func value(_ value: String, of key: String? = nil, isMerged: Bool = false) -> String {
    let order = "\(isMerged || keep == .merge ? "\(value) IS NULL, " : "")place \(direction), pk \(direction)"
    return "FIRST_VALUE(\(key ?? value)) OVER (\(partition) ORDER BY \(order))"
  }

  /// Whether a row of the group that comes before has a value.
  func hasEarlier(_ value: String) -> String {
    "MAX(\(value) IS NOT NULL) OVER (\(partition) ORDER BY place, pk ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
  }

  private var direction: String { keep == .last ? "DESC" : "ASC" }
}

extension RowCompiler {
  /// A key by which rows are grouped or ordered: a value of any type, or an object.
  fileprivate mutating func key(_ expression: Expression) throws(NotExpressibleInSQL) -> String {
    do throws(NotExpressibleInSQL) { return try plainValue(expression) } catch {
      return try object(expression).key
    }
  }
}
