import ManagedModel

/// Texts of predicates and expressions, which models hold, as the objects that Core Data holds.
extension ModelArchiver {
  /// A text as an object, and the text itself where the object would not give it back.
  struct ArchivedText {
    /// Nil if the text cannot be read; the checks say why.
    var value: PropertyListValue?
    var spelling: String?
  }

  mutating func archivedPredicate(_ text: String) -> ArchivedText {
    archived(text, as: try? parsePredicate(text.trimmedText), by: { $0.archived($1) }) {
      try $0.predicate($1).predicateFormat
    }
  }

  mutating func archivedExpression(_ text: String) -> ArchivedText {
    archived(text, as: try? parseExpression(text.trimmedText), by: { $0.archived($1) }) {
      try $0.expression(.object($1)).description
    }
  }

  /// - Parameter print: what the reader makes of the object, as text.
  private mutating func archived<Syntax>(
    _ text: String, as syntax: Syntax?, by archive: (inout KeyedArchiveBuilder, Syntax) -> PropertyListValue,
    print: (ExpressionUnarchiver, ArchivedObject) throws -> String
  ) -> ArchivedText {
    var trial = KeyedArchiveBuilder()
    guard let syntax else { return ArchivedText(spelling: text) }
    let root = archive(&trial, syntax)
    guard let object = try? KeyedArchive(trial.data(of: root)).root,
      let printed = try? print(ExpressionUnarchiver(WorkBudget(.max)), object)
    else { return ArchivedText(spelling: text) }
    return ArchivedText(value: archive(&builder, syntax), spelling: printed == text ? nil : text)
  }

  /// A field for a predicate, with one for its spelling where that is needed.
  mutating func predicateFields(_ text: String?, key: String) -> [PropertyListValue.Entry] {
    guard let text else { return [.init(key, KeyedArchiveBuilder.null)] }
    return fields(archivedPredicate(text), key: key)
  }

  mutating func fields(_ archived: ArchivedText, key: String) -> [PropertyListValue.Entry] {
    [.init(key, archived.value ?? KeyedArchiveBuilder.null)]
      + (archived.spelling.map { [.init(ModelcKey.spelling, builder.string($0))] } ?? [])
  }

  mutating func derivationFields(of attribute: AttributeDescription) -> [PropertyListValue.Entry] {
    guard let text = attribute.derivationExpression else { return [] }
    guard let derivation = Derivation(text) else {
      return fields(archivedExpression(text), key: "NSDerivationExpression")
    }
    let isSpelled = derivation.text(isToMany: { _ in false }) == text
    let archived = ArchivedText(value: archived(derivation), spelling: isSpelled ? nil : text)
    return fields(archived, key: "NSDerivationExpression")
  }

  private mutating func archived(_ derivation: Derivation) -> PropertyListValue {
    switch derivation {
    case .keyPath(let path): return archived(path: path)
    case .function(let selector, let path):
      return builder.predefined(selector, path.map { [archived(path: $0)] } ?? [])
    }
  }

  private mutating func archived(path: String) -> PropertyListValue {
    builder.archived(.keyPath(path.split(separator: ".").map(String.init), of: nil))
  }

  mutating func fetchRequestTemplates() -> PropertyListValue {
    guard !model.fetchRequestTemplates.isEmpty else { return KeyedArchiveBuilder.null }
    let requests = model.fetchRequestTemplates.map { PropertyListValue.Entry($0.name, archived($0)) }
    return builder.dictionary("NSMutableDictionary", requests)
  }

  mutating func archived(_ request: FetchRequestDescription) -> PropertyListValue {
    var order = KeyedArchiveBuilder.null
    if !request.sortDescriptors.isEmpty {
      order = builder.collection("NSArray", request.sortDescriptors.map { archived($0) })
    }
    var fields: [PropertyListValue.Entry] = [
      .init("NSSortDescriptors", order), .init("NSValuesToFetch", KeyedArchiveBuilder.null),
      .init("NSEntity", reference(toEntity: request.entityName)),
      .init("NSHasFetchRequestFlags", .boolean(true)),
      // The number of genuine requests that set nothing; what its bits mean no file shows.
      .init("NSFetchRequestFlags", .integer(30)), .init("NSResultType", .integer(Int64(request.resultType))),
      .init("NSValuesToGroupBy", KeyedArchiveBuilder.null),
      .init("NSHavingPredicate", KeyedArchiveBuilder.null),
      .init("NSFetchOffset", .integer(0)), .init("NSFetchLimit", .integer(Int64(request.fetchLimit))),
      .init("NSBatchSize", .integer(Int64(request.fetchBatchSize))),
      .init("NSRelationshipKeyPathsForPrefetching", KeyedArchiveBuilder.null),
      .init("NSAllocationType", .integer(0)),
    ]
    fields += predicateFields(request.predicate, key: "NSPredicate")
    if entityReferences[request.entityName] == nil {
      fields.append(.init(ModelcKey.entityName, builder.string(request.entityName)))
    }
    if request.packedFlags != FetchRequestDescription(name: "", entityName: "").packedFlags {
      fields.append(.init(ModelcKey.fetchFlags, .integer(request.packedFlags)))
    }
    return builder.object("NSFetchRequest", fields)
  }

  private mutating func archived(_ key: SortDescription) -> PropertyListValue {
    builder.object(
      "NSSortDescriptor",
      [
        .init("NSKey", builder.string(key.keyPath)), .init("NSAscending", .boolean(key.isAscending)),
        .init("NSSelector", builder.string("compare:")), .init("NSReverseNullOrder", .boolean(false)),
      ])
  }
}

extension FetchRequestDescription {
  /// The yes-or-no facts, packed into a number of our own.
  var packedFlags: Int64 {
    get {
      (includesSubentities ? 1 : 0) | (includesPropertyValues ? 2 : 0) | (includesPendingChanges ? 4 : 0)
        | (returnsDistinctResults ? 8 : 0) | (returnsObjectsAsFaults ? 0 : 16)
    }
    set {
      includesSubentities = newValue & 1 != 0
      includesPropertyValues = newValue & 2 != 0
      includesPendingChanges = newValue & 4 != 0
      returnsDistinctResults = newValue & 8 != 0
      returnsObjectsAsFaults = newValue & 16 == 0
    }
  }
}
