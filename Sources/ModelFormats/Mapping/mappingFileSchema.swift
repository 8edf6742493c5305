import Expressions
import ManagedModel
import ModelMapping

/// The keys of a mapping model under `Migrations/`.
let mappingModelSchema = Schema<CustomMappingModel>(
  "a mapping model",
  [
    Field(required: "from", \.sourceVersionName, .text),
    Field(required: "to", \.destinationVersionName, .text),
    Field("inferred", \.infersOthers, .flag, unless: true),
    Field("entityMappings", \.entityMappings, .entityMappings, unless: []),
  ])

private let entityMappingSchema = Schema<CustomEntityMapping>(
  "an entity mapping",
  [
    Field("source", \.sourceEntityName, .text),
    Field("destination", \.destinationEntityName, .text),
    Field("type", \.mappingType, .word(mappingTypes)),
    Field("where", \.filter, .filter),
    Field("policy", \.policyName, .text),
    Field("attributes", \.attributeMappings, .propertyMappings, unless: []),
    Field("relationships", \.relationshipMappings, .propertyMappings, unless: []),
    Field("drop", \.dropsObjects, .flag, unless: false),
    Field("onDrop", \.onDrop, .word(DropRule.allCases.map { ($0.rawValue, $0) }), unless: .nullify),
    Field("userInfo", \.userInfo, .dictionary, unless: [:]),
  ])

/// Core Data's kinds of mapping; an undefined one is not stated.
private let mappingTypes: [(String, MappingType)] = MappingType.allCases.filter { $0 != .undefined }
  .map { ("\($0)", $0) }

extension Form<[CustomEntityMapping]> {
  fileprivate static let entityMappings = Form.named(
    \.name, layout: .block, shape: entityMappingSchema.shape
  ) { name, node, subject, reading in
    var mapping = CustomEntityMapping(name: name)
    entityMappingSchema.read(node, into: &mapping, about: subject, reading)
    return mapping
  } write: {
    .mapping(entityMappingSchema.write($0), .block)
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

extension Form<String> {
  /// A predicate; what it means is asked beside the models.
  fileprivate static let filter = Form(.text) { node, subject, reading in
    guard let text = reading.scalar(of: node, subject) else { return nil }
    reading.checkSyntax { () throws(DiagnosticsError) in _ = try parsePredicate(text, at: node.textRange) }
    return text
  } write: {
    .text($0)
  }
}

extension Form<String?> {
  /// A value expression, a number or a Boolean among them; nothing where there is no expression.
  fileprivate static let expression = Form(.optionalLiteral) { node, subject, reading in
    if node.isEmpty { return .some(nil) }
    guard let text = reading.scalar(of: node, subject) else { return nil }
    reading.checkSyntax { () throws(DiagnosticsError) in _ = try parseExpression(text, at: node.textRange) }
    return text
  } write: {
    $0.map(YAMLValue.typed) ?? .nothing
  }
}

extension LanguageReading {
  fileprivate func checkSyntax(_ parse: () throws(DiagnosticsError) -> Void) {
    do throws(DiagnosticsError) {
      try parse()
    } catch {
      diagnostics += error.diagnostics
    }
  }
}
