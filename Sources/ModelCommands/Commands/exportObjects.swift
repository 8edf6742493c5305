import ManagedModel
import ModelFormats
import PersistentStore

/// Writes all objects of a store, entity by entity in the order of their numbers, by primary key, piece by piece:
/// memory does not grow with the store.
///
/// - Parameters:
///   - models: the project's, for stores that carry no model of their own.
///   - write: takes the text as it comes.
/// Cells whose content is not a value of their property are marked and reported.
///
/// - Returns: how many objects there were, what was marked, and what is in none of them.
func exportObjects(
  ofStoreAt path: String, as form: ExportForm, among models: [VersionedModel],
  write: (String) throws -> Void
) throws -> (count: Int, findings: [Diagnostic]) {
  try StoreConnection(path: path).read { db in
    let source = try db.readStoreSource(path: path, among: models)
    let marks = Marks()
    let reader = ObjectReader(
      db, schema: source.schema, model: source.version.model,
      externalData: { try readExternalData($0, ofStoreAt: path) }, mark: marks.add)
    var count = 0
    for name in reader.concreteEntityNames {
      let shape = ObjectShape(name, hierarchy: EntityHierarchy(source.version.model))
      var hasTitle = false
      try reader.forEachObject(ofEntity: name, includingSubentities: false) { object in
        let marks = marks.take()
        if form == .yaml {
          if !hasTitle { try write(name.entityYAML) }
          hasTitle = true
          try write(object.yaml(shape, marks: marks))
        } else {
          try write(ManagedObject.line.json(of: (object, shape, marks)).compact + "\n")
        }
        count += 1
      }
    }
    return try (count, source.findUnreadRows(db, path: path) + marks.findings)
  }
}

/// Cells whose content is not a value of their property, gathered during the export.
private final class Marks {
  private var current: [(property: String, text: String)] = []
  /// By entity and property; the key of each is the kind of its values.
  private var counts: [ModelSubject: KeySample] = [:]

  func add(_ cell: UnreadableCell) {
    current.append((cell.property, cell.text))
    let place = ModelSubject(entity: cell.object.entityName, property: cell.property, key: cell.kind)
    counts[place, default: KeySample()].add(cell.object.primaryKey)
  }

  /// Those of the object that was read last.
  func take() -> [(property: String, text: String)] {
    defer { current = [] }
    return current
  }

  var findings: [Diagnostic] {
    counts.map { place, found in
      let (entity, property, kind) = (place.entity ?? "", place.property ?? "", place.key ?? "")
      return Diagnostic(
        .cellOfWrongType, .warning,
        "'\(property)' of \(counted(found.count, "object")) of '\(entity)' does not hold a valid \(kind), and is marked as unreadable",
        subject: ModelSubject(entity: entity, property: property),
        notes: [.examples(found.keys, count: found.count)])
    }.ordered
  }
}
