import ManagedModel
import PersistentStore

/// Where a destination's table comes from.
struct TableOrigin {
  enum Kind {
    /// The source's table itself goes on as this one.
    case kept
    /// Its rows go to a table that is written anew, because SQLite cannot alter the text that it was created with
    /// (https://sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes").
    case rebuilt
    /// Its rows leave the source's table, which goes on as another one.
    case split
    /// It begins empty.
    case new
  }

  var kind: Kind
  /// The destination's table, as the layout has it.
  var table: TableLayout
  /// The source's table whose rows it takes.
  var source: TableLayout?
  /// Destination entities with rows from there.
  var entities: [String]
}

/// Decides for every destination table which source table becomes it.
///
/// Where several destination tables take rows from one, the one with the source's root entity keeps it, else the one with
/// most entities. The others are split off.
func tableOrigins(_ transition: StoreTransition) -> [TableOrigin] {
  var origins: [TableOrigin] = []
  for table in transition.layout.tables {
    let entities = transition.destination.descendantNames(includingSelf: table.rootEntityName)
      .filter { transition.sourceName(ofEntity: $0) != nil }
    let source = entities.lazy.compactMap { transition.sourceName(ofEntity: $0) }
      .compactMap { transition.schema.table(ofEntity: $0) }.first
    origins.append(
      TableOrigin(kind: source == nil ? .new : .split, table: table, source: source, entities: entities))
  }
  for source in transition.schema.tables {
    let claimants = origins.indices.filter { origins[$0].source?.name == source.name }
    let keeper =
      claimants.first { index in
        origins[index].entities.contains { transition.sourceName(ofEntity: $0) == source.rootEntityName }
      } ?? claimants.max { origins[$0].entities.count < origins[$1].entities.count }
    if let keeper { origins[keeper].kind = .kept }
  }
  return origins
}
