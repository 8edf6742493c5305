import ManagedModel

extension ModelArchiver {
  mutating func fetchRequestTemplates() -> PropertyListValue {
    guard !model.fetchRequestTemplates.isEmpty else { return KeyedArchiveBuilder.null }
    let requests = model.fetchRequestTemplates.map { PropertyListValue.Entry($0.name, archived($0)) }
    return builder.dictionary(.mutableDictionary, requests)
  }

  mutating func archived(_ request: FetchRequestDescription) -> PropertyListValue {
    var order = KeyedArchiveBuilder.null
    if !request.sortDescriptors.isEmpty {
      order = builder.collection(.array, request.sortDescriptors.map { archived($0) })
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
    return builder.object(.fetchRequest, fields)
  }

  private mutating func archived(_ key: SortDescription) -> PropertyListValue {
    builder.object(
      .sortDescriptor,
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
