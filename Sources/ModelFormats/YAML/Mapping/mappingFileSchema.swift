import ManagedModel

/// The keys of a mapping model under `Migrations/`.
let mappingModelSchema = Schema<CustomMappingModel>(
  "a mapping model",
  [
    Field(required: "from", \.sourceVersionName, .text),
    Field(required: "to", \.destinationVersionName, .text),
    Field("versionHashes", \.versionHashes, .versionHashes, unless: [:]),
  ] + contentFields + [
    Field("reverse", shape: reverseSchema.shape) { node, model, subject, reading in
      let empty = CustomMappingModel(sourceVersionName: "", destinationVersionName: "")
      var mapping = reverseSchema.read(node, from: empty, about: subject, reading)
      mapping.sourceMap = SourceMap(file: reading.file, outline: MappingOutline(node, file: reading.file))
      model.setReverse(mapping)
    } write: { model in
      model.reverse.first.map { .mapping(reverseSchema.write($0), .block) }
    }
  ])

/// What a mapping model says of the way, there and back.
private let contentFields: [Field<CustomMappingModel>] = [
  Field("inferred", \.infersOthers, .flag, unless: true),
  Field("lookups", \.lookupTables, .tables, unless: [:]),
  Field("undecided", \.undecided, .texts, unless: []),
  Field("drops", \.drops, .texts, unless: []),
  Field("entityMappings", \.entityMappings, .entityMappings, unless: []),
]

private let reverseSchema = Schema<CustomMappingModel>("the downgrade", contentFields)

private let entityMappingSchema = Schema<CustomEntityMapping>(
  "an entity mapping",
  [
    Field("source", \.sourceEntityName, .text),
    Field("destination", \.destinationEntityName, .text),
    Field("type", \.mappingType, .word(mappingTypes)),
    Field("where", \.filter, .filter),
    Field("policy", \.policyName, .text),
    Field("groupBy", \.groupBy, .expressions, unless: []),
    Field("keep", \.keep, .word(KeepRule.allCases.map { ($0.rawValue, $0) })),
    Field("orderBy", \.orderBy, .requiredExpression),
    Field("attributes", \.attributeMappings, .propertyMappings, unless: []),
    Field("relationships", \.relationshipMappings, .propertyMappings, unless: []),
    Field("drop", \.dropsObjects, .flag, unless: false),
    Field("onDrop", \.onDrop, .word(DropRule.allCases.map { ($0.rawValue, $0) })),
    Field("allowsEmpty", \.allowsEmpty, .flag, unless: false),
    Field("userInfo", \.userInfo, .dictionary, unless: [:]),
  ])

/// Core Data's kinds of mapping; an undefined one is not stated.
private let mappingTypes: [(String, MappingType)] = MappingType.allCases.filter { $0 != .undefined }
  .map { ("\($0)", $0) }

extension Form<[CustomEntityMapping]> {
  fileprivate static let entityMappings = Form.named(
    \.name, layout: .block, shape: entityMappingSchema.shape
  ) { name, node, subject, reading in
    entityMappingSchema.read(node, from: CustomEntityMapping(name: name), about: subject, reading)
  } write: {
    .mapping(entityMappingSchema.write($0), .block)
  }
}

extension Form<[String: [String: String]]> {
  /// The beginnings of entities' hashes, by version and entity.
  fileprivate static let versionHashes = byName(.byName(.versionHash), layout: .block)
  /// Values by key, by the table's name. Both are texts, and numbers where all of a table are.
  fileprivate static let tables = byName(.byName(.literal), layout: .block)
}

extension Form<String> {
  /// So many digits that no other version has them by chance.
  fileprivate static let versionHash = Form(.pattern("^[0-9a-f]{16,64}$")) { node, subject, reading in
    if let text = node.text, text.wholeMatch(of: #/[0-9a-f]{16,64}/#) != nil { return text }
    return reading.refuse(node) {
      .wrongKind(
        node, wanted: "\(subject.keyInWords) has the first 16 to 64 hexadecimal digits of a version hash",
        help: ["`modelc map rebase` writes them"])
    }
  } write: {
    .typed($0)
  }

  fileprivate static let requiredExpression = Form(.literal) { node, subject, reading in
    reading.expression(of: node, subject)
  } write: {
    .typed($0)
  }

  /// A predicate; what it means is asked beside the models.
  fileprivate static let filter = Form(.text) { node, subject, reading in
    guard let text = reading.scalar(of: node, subject) else { return nil }
    reading.checkSyntax { () throws(DiagnosticsError) in _ = try parsePredicate(text, at: node.textRange) }
    return text
  } write: {
    .text($0)
  }
}

extension Form<[String]> {
  /// One expression, or a list of some.
  fileprivate static let expressions = Form(
    .either([Form<String>.requiredExpression.shape(), .list(of: Form<String>.requiredExpression.shape())])
  ) { node, subject, reading in
    if case .sequence = node.content { return list(of: .requiredExpression).read(node, subject, reading) }
    return Form<String>.requiredExpression.read(node, subject, reading).map { [$0] }
  } write: { texts in
    texts.count == 1 ? .typed(texts[0]) : .sequence(texts.map(YAMLValue.typed))
  }
}

private let propertyMappingSchema = Schema<CustomPropertyMapping>(
  "a property mapping",
  [
    Field(required: "expression", \.expression, .expression),
    Field("userInfo", \.userInfo, .dictionary, unless: [:]),
  ])

extension Form<[CustomPropertyMapping]> {
  fileprivate static let propertyMappings = Form.named(
    \.name, layout: .block, names: legalNameForm,
    shape: .either([Form<String?>.expression.shape(), propertyMappingSchema.shape])
  ) { name, node, subject, reading in
    var mapping = CustomPropertyMapping(name: name, expression: nil)
    if case .mapping = node.content {
      propertyMappingSchema.read(node, into: &mapping, about: subject, reading)
    } else if let expression = Form<String?>.expression.read(node, subject, reading) {
      mapping.expression = expression
    }
    return mapping
  } write: { mapping in
    if mapping.userInfo.isEmpty { return Form<String?>.expression.write(mapping.expression) }
    return .mapping(propertyMappingSchema.write(mapping))
  }
}

extension Form<String?> {
  /// A value expression, a number or a Boolean among them; nothing where there is no expression.
  fileprivate static let expression = Form(.optionalLiteral) { node, subject, reading in
    node.isEmpty ? .some(nil) : reading.expression(of: node, subject)
  } write: {
    $0.map(YAMLValue.typed) ?? .nothing
  }
}

extension LanguageReading {
  fileprivate func expression(of node: YAMLNode, _ subject: ModelSubject) -> String? {
    guard let text = scalar(of: node, subject) else { return nil }
    checkSyntax { () throws(DiagnosticsError) in _ = try parseExpression(text, at: node.textRange) }
    return text
  }

  fileprivate func checkSyntax(_ parse: () throws(DiagnosticsError) -> Void) {
    do throws(DiagnosticsError) {
      try parse()
    } catch {
      diagnostics += error.diagnostics
    }
  }
}
