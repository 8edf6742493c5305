package import ManagedModel

/// The keys of a version file.
let modelSchema = Schema<ManagedObjectModel>(
  "a model",
  [
    // Read beforehand; never written, because this is the first format.
    Field("format", shape: .integer(1...1)),
    // Followed beforehand; a model is written whole.
    Field("extends", shape: .text),
    Field("identifiers", \.versionIdentifiers, .texts, unless: []),
    Field("profile", \.profile, .word(ModelProfile.allCases.map { ($0.rawValue, $0) })),
    Field(required: "entities", \.entities, .entities),
    Field("composites", \.composites, .composites, unless: []),
    Field("configurations", \.configurations, .configurations, unless: []),
    Field("retired", \.retired, .texts, unless: []),
    Field("fetchRequests", \.fetchRequestTemplates, .fetchRequests, unless: []),
    Field("localization", \.localizationDictionary, .dictionary, unless: [:]),
    Field("editor", \.editorSettings, .editorSettings, unless: EditorSettings()),
  ],
  hints: [
    "remove": "only a version that 'extends' another one removes something",
    "current": "the current version is set in versions.yaml", "profiles": "profile",
    "name": "a version's name is its file's name",
  ])

extension Form<[EntityDescription]> {
  fileprivate static let entities = Form.named(
    \.name, about: { _, name in ModelSubject(entity: name) }, layout: .block, names: legalNameForm,
    shape: entitySchema.shape
  ) { name, node, subject, reading in
    // What the same text gave in another version, where there was nothing to report.
    if let shared = reading.known?[name], shared.node.isWritten(like: node) { return shared.entity }
    let count = reading.diagnostics.count
    var entity = EntityDescription(name: name)
    entitySchema.read(node, into: &entity, about: subject, reading)
    // Of many findings some are not made.
    if reading.diagnostics.count == count, !reading.isFull, !reading.isFullOfWarnings {
      reading.known?[name] = (node, entity)
    }
    return entity
  } write: {
    .mapping(entitySchema.write($0), .block)
  }
}

/// An entity that was read without a finding, and what it was read from.
typealias LanguageEntity = (node: YAMLNode, entity: EntityDescription)

extension Form<[CompositeDescription]> {
  fileprivate static let composites = Form.named(
    \.name, layout: .block, names: legalNameForm,
    shape: Form<[AttributeDescription]>.compositeElements.shape()
  ) { name, node, subject, reading in
    let elements = Form<[AttributeDescription]>.compositeElements.read(node, subject, reading)
    return CompositeDescription(name: name, elements: elements ?? [])
  } write: {
    Form<[AttributeDescription]>.compositeElements.write($0.elements)
  }
}

extension Form<[ConfigurationDescription]> {
  fileprivate static let configurations = Form.named(
    \.name, layout: .block, shape: Form<[String]>.texts.shape()
  ) { name, node, subject, reading in
    let names = Form<[String]>.texts.read(node, subject, reading)
    return ConfigurationDescription(name: name, entityNames: names ?? [])
  } write: {
    Form<[String]>.texts.write($0.entityNames)
  }
}

/// The model in the model language: the shortest form that ``readModel(yaml:file:)`` reads back to an equal model.
///
/// Entities, properties and the elements of constraints and indexes keep their order. The same model gives the
/// same text.
package func writeModel(_ model: ManagedObjectModel) -> String { renderYAML(modelSchema.write(model)) }
