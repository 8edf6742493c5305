import Foundation
import ManagedModel

/// The keys of an attribute in the long form.
let attributeSchema = Schema<AttributeDescription>(
  "an attribute",
  [
    Field("type", shape: .words(AttributeShortForm.typesInWords)) { node, attribute, subject, reading in
      readType(node, into: &attribute, subject, reading)
    } write: { attribute in
      .typed(attribute.type.name + (attribute.isOptional ? "?" : ""))
    },
    // Another spelling of '?', for those who know the relationships' key.
    Field("optional", shape: .flag) { node, attribute, subject, reading in
      guard let flag = Form<Bool>.flag.read(node, subject, reading) else { return }
      if attribute.isOptional, !flag {
        reading.diagnostics.append(
          .wrongKind, .error, "'?' after the type and 'optional: false' contradict each other",
          place: node.range, help: ["remove one of the two"])
      }
      attribute.isOptional = flag
    },
    Field("default", shape: .either([.literal, archivedDefaultShape])) { node, attribute, subject, reading in
      readDefault(node, into: &attribute, subject, reading)
    } write: {
      writeDefault(of: $0)
    },
    Field<AttributeValidation>("min", \.minimum, .literal).within(\.validation),
    Field<AttributeValidation>("max", \.maximum, .literal).within(\.validation),
    Field<AttributeValidation>("minLength", \.minimumLength, .integer).within(\.validation),
    Field<AttributeValidation>("maxLength", \.maximumLength, .integer).within(\.validation),
    Field<AttributeValidation>("matching", \.regularExpression, .text).within(\.validation),
    Field<AttributeValidation>("rules", \.predicates, .rules, unless: []).within(\.validation),
    Field("transient", \.isTransient, .flag, unless: false),
    Field("scalar", \.usesScalarValueType, .flag),
    Field("transformer", \.valueTransformerName, .text),
    Field("valueClass", \.attributeValueClassName, .text),
    Field("composite", \.compositeName, .text),
    Field("enum", \.enumTypeName, .text),
    Field("derivation", \.derivationExpression, .text),
    Field("externalStorage", \.allowsExternalBinaryDataStorage, .flag, unless: false),
    Field("preserveAfterDeletion", \.preservesValueInHistoryOnDeletion, .flag, unless: false),
    Field("cloudEncryption", \.allowsCloudEncryption, .flag, unless: false),
    Field("spotlight", \.isIndexedBySpotlight, .flag, unless: false),
    Field("externalRecord", \.isStoredInExternalRecord, .flag, unless: false),
    Field("indexed", \.isIndexed, .flag, unless: false),
    Field("renamingIdentifier", \.renamingIdentifier, .text),
    Field("versionHashModifier", \.versionHashModifier, .text),
    Field("userInfo", \.userInfo, .dictionary, unless: [:]),
  ],
  choices: [["type"]],
  hints: [
    "attributeType": "type", "defaultValue": "default", "defaultValueString": "default", "regex": "matching",
    "regularExpression": "matching", "elementID": "renamingIdentifier",
    "allowsExternalBinaryDataStorage": "externalStorage", "valueTransformerName": "transformer",
    "usesScalarValueType": "scalar", "required": "an attribute is required unless its type ends with '?'",
  ])

extension Form<[AttributeDescription]> {
  static let attributes = attributeForm(
    inFlow: false, about: { ModelSubject(entity: $0.entity, property: $1) }, layout: .block)

  static let compositeElements = attributeForm(inFlow: true, about: { $0.part($1) }, layout: .compact)

  private static func attributeForm(
    inFlow: Bool, about subject: @escaping @Sendable (ModelSubject, String) -> ModelSubject,
    layout: YAMLValue.Layout
  ) -> Self {
    .named(
      \.name, about: subject, layout: layout, names: legalNameForm,
      shape: .either([
        .words(AttributeShortForm.typesInWords), .pattern(AttributeShortForm.expression),
        attributeSchema.shape,
      ])
    ) { name, node, subject, reading in
      readAttribute(name, node, subject, reading)
    } write: {
      writeAttribute($0, inFlow: inFlow)
    }
  }
}

private func readAttribute(
  _ name: String, _ node: YAMLNode, _ subject: ModelSubject, _ reading: LanguageReading
) -> AttributeDescription? {
  var attribute = AttributeDescription(name: name, type: .undefined)
  if let text = node.text {
    readShortForm(text, node, into: &attribute, reading)
    return attribute
  }
  guard case .mapping = node.content else {
    return reading.refuse(node) {
      .wrongKind(node, wanted: "attribute '\(name.abridged)' is a type or a mapping")
    }
  }
  attributeSchema.read(node, into: &attribute, about: subject, reading)
  if let type = node["type"], type.text?.utf8.contains(UInt8(ascii: "=")) == true {
    reading.diagnostics.append(.defaultInType(type, of: node))
  }
  if node["type"] == nil {
    reading.diagnostics.append(.attributeWithoutType(name, at: node.range))
    attribute.type = .standIn(for: "")
  }
  if attribute.type.isText, let value = node["default"], value.isPlain, let text = value.text, !text.isEmpty {
    reading.warnIfAmbiguous(text, .plain, at: value.range)
  }
  return attribute
}

private func readShortForm(
  _ text: String, _ node: YAMLNode, into attribute: inout AttributeDescription, _ reading: LanguageReading
) {
  do throws(AttributeShortForm.Failure) {
    let form = try AttributeShortForm(parsing: text)
    attribute.isOptional = form.isOptional
    if form.typeName.isEmpty {
      reading.diagnostics.append(.attributeWithoutType(attribute.name, at: node.range))
      attribute.type = .standIn(for: "")
    } else if let type = AttributeType(name: form.typeName) {
      attribute.type = type
    } else {
      let place = node.part(0..<form.typeName.unicodeScalars.count, of: text)
      reading.diagnostics.append(.unknownType(form.typeName, at: place ?? node.range, isExact: place != nil))
      attribute.type = .standIn(for: form.typeName)
    }
    if let value = form.defaultText { attribute.defaultValue = .text(value) }
  } catch {
    reading.diagnostics.append(.badShortForm(error, attribute.name, at: node.range))
    // The type is not what is wrong: without it the attribute would be reported again.
    let type = text.prefix { $0 != "=" }.filter { !$0.isWhitespace }
    attribute.isOptional = type.hasSuffix("?")
    attribute.type = .standIn(for: attribute.isOptional ? String(type.dropLast()) : String(type))
  }
}

/// `TYPE[?]` of the long form.
private func readType(
  _ node: YAMLNode, into attribute: inout AttributeDescription, _ subject: ModelSubject,
  _ reading: LanguageReading
) {
  attribute.type = .standIn(for: "")
  guard let text = reading.scalar(of: node, subject) else { return }
  let isOptional = text.hasSuffix("?")
  let name = isOptional ? String(text.dropLast()) : text
  attribute.isOptional = isOptional
  if let type = AttributeType(name: name) {
    attribute.type = type
  } else if text.utf8.contains(UInt8(ascii: "=")) {
    attribute.type = .standIn(for: String(text.prefix { $0 != "=" && $0 != "?" }))
  } else {
    let place = node.part(0..<name.unicodeScalars.count, of: text)
    reading.diagnostics.append(.unknownType(name, at: place ?? node.range, isExact: place != nil))
    attribute.type = .standIn(for: name)
  }
}

private func readDefault(
  _ node: YAMLNode, into attribute: inout AttributeDescription, _ subject: ModelSubject,
  _ reading: LanguageReading
) {
  if let archived = node["archived"], case .mapping(let pairs) = node.content, pairs.count == 1 {
    let data: Data? =
      archived.text.flatMap { Data(base64Encoded: $0) }
      ?? reading.refuse(archived) { .wrongKind(archived, wanted: "'archived' is Base64") }
    if let data { attribute.defaultValue = .archived(data) }
  } else if node.isEmpty {
    reading.diagnostics.append(.badShortForm(.noDefault, attribute.name, at: node.range))
  } else if let text = reading.scalar(of: node, subject) {
    attribute.defaultValue = .text(text)
  }
}

private func writeDefault(of attribute: AttributeDescription) -> YAMLValue? {
  switch attribute.defaultValue {
  // The language has no word for what an app evaluates.
  case nil, .evaluated: nil
  case .text(let text): attribute.type.isText ? .text(text) : .typed(text)
  case .archived(let data): .mapping([YAMLPair("archived", .typed(data.base64EncodedString()))])
  }
}

private func writeAttribute(_ attribute: AttributeDescription, inFlow: Bool) -> YAMLValue {
  let pairs = attributeSchema.write(attribute)
  let text = attribute.defaultValue?.text
  if pairs.count == 1 || (pairs.count == 2 && text != nil),
    let short = AttributeShortForm.text(
      type: attribute.type, isOptional: attribute.isOptional, default: text, inFlow: inFlow)
  {
    return .typed(short)
  }
  return .mapping(pairs)
}

extension Form<[ValidationPredicate]> {
  fileprivate static let rules = Form.list(
    of: Form<ValidationPredicate>(ruleSchema.shape) { node, subject, reading in
      let empty = ValidationPredicate(predicate: "", warning: "")
      return ruleSchema.read(node, from: empty, about: subject, reading)
    } write: {
      .mapping(ruleSchema.write($0))
    })
}

private let ruleSchema = Schema<ValidationPredicate>(
  "a rule",
  [Field(required: "predicate", \.predicate, .text), Field("warning", \.warning, .text, unless: "")])
