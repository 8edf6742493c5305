import Foundation
import ManagedModel
import PersistentStore

/// The changes to one source table that becomes a table of the destination.
struct TablePlan {
  enum Kind {
    /// The source's table itself goes on as this one.
    case kept
    /// Its rows go to a table that is rewritten, because SQLite cannot alter the text that it was created with
    /// (https://sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes").
    case rebuilt
    /// Its rows leave the source's table, which goes on as another one.
    case split
  }

  var kind: Kind
  let source: TableLayout
  /// The table as it will be: real names where the store has chosen its own.
  var destination: TableLayout
  /// Those of every column but the entity number.
  var recipes: [ColumnRecipe]
  /// Destination column → the source column that simply goes on as it.
  var carriers: [String: String]
  /// Source columns that nothing goes on as.
  var droppedColumns: [ColumnLayout]
  /// Destination entities with rows from there.
  var entities: [String]
  /// The source's `CREATE TABLE` text with other types for columns that go on, where some do.
  var retypedText: String?

  /// - Parameter table: the destination's, as the layout has it.
  init(
    _ kind: Kind, from source: TableLayout, to table: TableLayout, entities: [String],
    _ transition: StoreTransition
  ) {
    (self.kind, self.source, self.entities) = (kind, source, entities)
    recipes = table.columns.filter { $0.role != .entityNumber }.map {
      ColumnRecipe($0, from: source, entities: entities, transition)
    }
    var carriers: [String: String] = ["Z_ENT": "Z_ENT"]
    for recipe in recipes {
      if let carrier = Self.carrier(of: recipe, source: source, taken: Set(carriers.values)) {
        carriers[recipe.column.name] = carrier
      }
    }
    if kind == .kept, let text = transition.tableTexts[source.name] {
      retypedText = Self.retype(text, of: source, recipes, &carriers)
    }
    self.carriers = carriers
    let carried = Set(carriers.values)
    self.droppedColumns = source.columns.filter { !carried.contains($0.name) && $0.role != .unknown }
    self.destination = table
    if kind != .split { adoptRealNames(transition) }
    keepUnknownColumns()
  }

  /// Columns that no model knows stay, under another name where a new column needs theirs.
  private mutating func keepUnknownColumns() {
    var taken = Set(
      destination.columns.map { $0.name.uppercased() } + source.columns.map { $0.name.uppercased() })
    for column in source.unknownColumns {
      var kept = column
      if destination.columns.contains(where: { $0.name.uppercased() == column.name.uppercased() }) {
        var suffix = 1
        while taken.contains("\(column.name.uppercased())\(suffix)") { suffix += 1 }
        kept.name = "\(column.name)\(suffix)"
        taken.insert(kept.name.uppercased())
      }
      destination.columns.append(kept)
      carriers[kept.name] = column.name
    }
  }

  /// The source column that most entities' values are, where it has the type that the destination declares.
  ///
  /// A column that has values from other rows as well begins anew, so that they do not meet old ones.
  private static func carrier(of recipe: ColumnRecipe, source: TableLayout, taken: Set<String>) -> String? {
    if recipe.values.values.contains(where: \.readsOtherRows) { return nil }
    let names = recipe.values.values.compactMap(carriedColumn).filter { !taken.contains($0) }
    let votes = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return votes.filter { name, _ in
      source.columns.contains {
        $0.name == name && $0.declaredType.uppercased() == recipe.column.declaredType.uppercased()
      }
    }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// Columns that go on as another type where they stand: without an index, whose keys would be of the old type.
  ///
  /// - Returns: the text with those types; nil if there are none.
  private static func retype(
    _ text: String, of source: TableLayout, _ recipes: [ColumnRecipe], _ carriers: inout [String: String]
  ) -> String? {
    var result: String?
    for recipe in recipes where carriers[recipe.column.name] == nil {
      let names = Set(recipe.values.values.map(carriedColumn))
      guard names.count == 1, let name = names.first ?? nil, !carriers.values.contains(name),
        !recipe.values.values.contains(where: \.readsOtherRows),
        !source.indexes.contains(where: { $0.sql.contains(name) }),
        !source.inlineConstraints.contains(where: { $0.columnNames.contains(name) }),
        let old = source.columns.first(where: { $0.name == name })?.declaredType,
        let retyped = retyping(name, of: result ?? text, from: old, to: recipe.column.declaredType)
      else { continue }
      carriers[recipe.column.name] = name
      result = retyped
    }
    return result
  }

  /// A `CREATE TABLE` text with another type for a column; nil if it is not of the plain form that Core Data writes.
  private static func retyping(_ name: String, of text: String, from old: String, to new: String) -> String? {
    guard !text.contains(where: { "\"'`[-*".contains($0) }) else { return nil }
    var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    func isDefinition(_ part: String) -> Bool {
      let words = part.split { $0 == " " || $0 == "(" || $0 == ")" }
      return words.suffix(2) == [Substring(name), Substring(old)]
        && (words.count == 2 || words.first == "CREATE" && words.count == 5)
    }
    let places = parts.indices.filter { isDefinition(parts[$0]) }
    guard places.count == 1, let place = places.first,
      let range = parts[place].range(of: "\(name) \(old)", options: .backwards)
    else { return nil }
    parts[place].replaceSubrange(range, with: "\(name) \(new)")
    return parts.joined(separator: ",")
  }

  /// A column whose values stay, perhaps changed in place: renumbered, or with nulls filled.
  private static func carriedColumn(_ value: SQLExpression) -> String? {
    switch value {
    case .column(let name): name
    case .renumbered(let inner, _), .coalesce(let inner, _), .converted(let inner, _, _), .marked(let inner),
      .unmarked(let inner):
      carriedColumn(inner)
    case .literal, .byEntity, .lookup, .referrer: nil
    }
  }

  /// Where the store's name for a column is not the one that its model would have given, the store's stays.
  private mutating func adoptRealNames(_ transition: StoreTransition) {
    let derived = transition.derivedSchema.tables
    guard let expected = derived.first(where: { $0.rootEntityName == source.rootEntityName }) else { return }
    for position in destination.columns.indices {
      let column = destination.columns[position]
      guard let carrier = carriers[column.name],
        let real = source.columns.first(where: { $0.name == carrier }),
        expected.column(for: real.role).map({ $0.name != real.name }) == true, real.role == column.role,
        !destination.columns.contains(where: { $0.name == real.name }),
        !transition.areNamedByTriggers([column.name]),
        !destination.indexes.contains(where: { $0.isComputed && $0.mentions(column.name) })
      else { continue }
      carriers[column.name] = nil
      carriers[real.name] = carrier
      destination.columns[position].name = real.name
      for index in recipes.indices where recipes[index].column.name == column.name {
        recipes[index].column.name = real.name
      }
      destination.indexes = destination.indexes.map { Self.renaming(column.name, of: $0, to: real.name) }
    }
  }

  /// The same index over a column of another name.
  private static func renaming(_ name: String, of index: IndexLayout, to newName: String) -> IndexLayout {
    guard index.columnNames.contains(name) else { return index }
    var renamed = index
    renamed.columnNames = index.columnNames.map { $0 == name ? newName : $0 }
    // The column list stands in the last parenthesis; each name in it is followed by a space, a comma or the end.
    guard let open = index.sql.lastIndex(of: "(") else { return renamed }
    let list = index.sql[open...].dropFirst().dropLast().split(separator: ",").map { element -> String in
      var words = element.split(separator: " ").map(String.init)
      if words.first == name.quotedIdentifier { words[0] = newName.quotedIdentifier }
      return words.joined(separator: " ")
    }
    renamed.sql = index.sql[..<open] + "(" + list.joined(separator: ", ") + ")"
    return renamed
  }

  /// Source column → the destination column that goes on as it.
  var heirs: [String: String] { Dictionary(firstOf: carriers.map { ($1, $0) }) }

  /// Whether it costs less to write the table anew than to drop its columns, each of which writes every row.
  var isCheaperToRewrite: Bool { droppedColumns.count > 2 && source.unknownColumns.isEmpty }

  /// Whether the table has to be written anew: SQLite cannot alter a clause of its `CREATE TABLE` text.
  var needsRebuild: Bool {
    let heirs = heirs
    let old = Set(source.inlineConstraints.map { $0.columnNames.map { heirs[$0] ?? "" } })
    return old != Set(destination.inlineConstraints.map(\.columnNames))
  }
}

extension StoreTransition {
  /// The destination's tables that take rows of the source's over, in its order.
  ///
  /// Where several destination tables take rows from one, the one with the source's root entity keeps it, else the one with
  /// most entities. The others are split off.
  var tablePlans: [TablePlan] {
    typealias Origin = (source: TableLayout, table: TableLayout, entities: [String])
    let origins = layout.tables.compactMap { table -> Origin? in
      let entities = destination.descendantNames(includingSelf: table.rootEntityName)
        .filter { sourceName(ofEntity: $0) != nil }
      let source = entities.lazy.compactMap { sourceName(ofEntity: $0) }
        .compactMap { schema.table(ofEntity: $0) }.first
      return source.map { ($0, table, entities) }
    }
    let claims = Dictionary(grouping: origins) { $0.source.name }
    return origins.map { source, table, entities -> TablePlan in
      let claimants = claims[source.name] ?? []
      let keeper =
        claimants.first { $0.entities.contains { sourceName(ofEntity: $0) == source.rootEntityName } }
        ?? claimants.max { $0.entities.count < $1.entities.count }
      let kind: TablePlan.Kind = keeper?.table.rootEntityName == table.rootEntityName ? .kept : .split
      return TablePlan(kind, from: source, to: table, entities: entities, self)
    }
  }
}
