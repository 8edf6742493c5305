import ManagedModel

/// The keys that a fetch request template and a fetched property share.
private let fetchRequestFields: [Field<FetchRequestDescription>] = [
  Field(required: "entity", \.entityName, .text),
  Field("predicate", \.predicate, .text),
  Field("sort", \.sortDescriptors, .list(of: .sortDescription), unless: []),
  Field("limit", \.fetchLimit, .integer, unless: 0),
  Field("batchSize", \.fetchBatchSize, .integer, unless: 0),
  Field("includesSubentities", \.includesSubentities, .flag, unless: true),
  Field("includesPropertyValues", \.includesPropertyValues, .flag, unless: true),
  Field("includesPendingChanges", \.includesPendingChanges, .flag, unless: true),
  Field("distinct", \.returnsDistinctResults, .flag, unless: false),
  Field("returnsObjectsAsFaults", \.returnsObjectsAsFaults, .flag, unless: true),
  Field("resultType", \.resultType, .resultType, unless: 0),
]

private let fetchRequestSchema = Schema("a fetch request", fetchRequestFields)

private let fetchedPropertySchema = Schema<FetchedPropertyDescription>(
  "a fetched property",
  fetchRequestFields.map { $0.within(\.fetchRequest) } + [
    Field("optional", \.isOptional, .flag, unless: true),
    // Xcode gives every one of them the same name.
    Field("requestName", \.fetchRequest.name, .text, unless: fetchedPropertyRequestName),
    Field("userInfo", \.userInfo, .dictionary, unless: [:]),
  ])

/// The name that Xcode writes for the request of every fetched property.
let fetchedPropertyRequestName = "fetchedPropertyFetchRequest"

extension Form<[FetchRequestDescription]> {
  static let fetchRequests = Form.named(\.name, layout: .block, shape: fetchRequestSchema.shape) {
    name, node, subject, reading in
    let request = FetchRequestDescription(name: name, entityName: "")
    return fetchRequestSchema.read(node, from: request, about: subject, reading)
  } write: {
    .mapping(fetchRequestSchema.write($0))
  }
}

extension Form<[FetchedPropertyDescription]> {
  static let fetchedProperties = Form.named(
    \.name, about: { ModelSubject(entity: $0.entity, property: $1) }, layout: .block, names: legalNameForm,
    shape: fetchedPropertySchema.shape
  ) { name, node, subject, reading in
    let request = FetchRequestDescription(name: fetchedPropertyRequestName, entityName: "")
    let property = FetchedPropertyDescription(name: name, fetchRequest: request)
    return fetchedPropertySchema.read(node, from: property, about: subject, reading)
  } write: {
    .mapping(fetchedPropertySchema.write($0))
  }
}

extension Form<Int> {
  private static let resultTypes = FetchRequestDescription.resultTypes

  /// A word for each of `NSFetchRequestResultType`'s values, a number for a sum of them.
  fileprivate static let resultType = Form(.either([Form.word(resultTypes).shape(), Form.integer.shape()])) {
    node, subject, reading in
    if let number = node.text.flatMap(Int32.init) { return Int(number) }
    return Form.word(resultTypes).read(node, subject, reading)
  } write: { value in
    resultTypes.contains { $0.1 == value } ? Form.word(resultTypes).write(value) : .typed("\(value)")
  }
}

extension Form<SortDescription> {
  private static let schema = Schema<SortDescription>(
    "a sort key",
    [Field(required: "key", \.keyPath, .text), Field("ascending", \.isAscending, .flag, unless: true)])

  fileprivate static let sortDescription = Form(.either([.text, schema.shape])) { node, subject, reading in
    if case .mapping = node.content {
      return schema.read(node, from: SortDescription(keyPath: ""), about: subject, reading)
    }
    return reading.text(of: node, subject).map {
      let (name, isAscending) = $0.orderedName
      return SortDescription(keyPath: name, isAscending: isAscending)
    }
  } write: { sort in
    if let text = sort.keyPath.ordered(isAscending: sort.isAscending) { return .text(text) }
    return .mapping(schema.write(sort))
  }
}

extension String {
  /// Of `NAME [asc|desc]`, as sort keys and index elements are written.
  var orderedName: (name: String, isAscending: Bool) {
    let words = split(whereSeparator: \.isWhitespace)
    guard words.count == 2, words[1] == "desc" || words[1] == "asc" else { return (self, true) }
    return (String(words[0]), words[1] == "asc")
  }

  /// A name in that form; nil if the text would not be read back.
  func ordered(isAscending: Bool) -> String? {
    let text = isAscending ? self : "\(self) desc"
    return text.orderedName == (self, isAscending) ? text : nil
  }
}
