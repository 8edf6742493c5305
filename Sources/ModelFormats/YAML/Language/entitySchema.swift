import ManagedModel

/// The keys of an entity.
let entitySchema = Schema<EntityDescription>(
  "an entity",
  [
    Field("abstract", \.isAbstract, .flag, unless: false),
    Field("parent", \.superentityName, .text),
    Field("class", \.objectClass, .objectClass, unless: ObjectClass()),
    Field("renamingIdentifier", \.renamingIdentifier, .text),
    Field("versionHashModifier", \.versionHashModifier, .text),
    Field("attributes", \.attributes, .attributes, unless: []),
    Field("relationships", \.relationships, .relationships, unless: []),
    Field("fetchedProperties", \.fetchedProperties, .fetchedProperties, unless: []),
    Field("uniquenessConstraints", \.uniquenessConstraints, .list(of: .texts, layout: .block), unless: []),
    Field("fetchIndexes", \.fetchIndexes, .fetchIndexes, unless: []),
    Field("compoundIndexes", \.compoundIndexes, .list(of: .texts, layout: .block), unless: []),
    Field("spotlightDisplayName", \.coreSpotlightDisplayName, .text),
    Field("userInfo", \.userInfo, .dictionary, unless: [:]),
  ],
  hints: [
    "parentEntity": "parent", "superentity": "parent", "representedClassName": "class",
    "isAbstract": "abstract", "properties": "the keys are 'attributes' and 'relationships'",
    "elementID": "renamingIdentifier", "indexes": "fetchIndexes",
    "remove": "only a version that 'extends' another one removes something",
  ])

/// What the key `class` says: the class's name, or a mapping with all three facts.
private struct ObjectClass: Hashable, Sendable {
  var name: String?
  var module: String?
  var codeGeneration: CodeGenerationType?
}

extension EntityDescription {
  fileprivate var objectClass: ObjectClass {
    get { ObjectClass(name: managedObjectClassName, module: moduleName, codeGeneration: codeGenerationType) }
    set {
      managedObjectClassName = newValue.name
      moduleName = newValue.module
      codeGenerationType = newValue.codeGeneration
    }
  }
}

extension Form<ObjectClass> {
  private static let schema = Schema<ObjectClass>(
    "a class",
    [
      Field("name", \.name, .text),
      Field("module", \.module, .text),
      Field("codeGeneration", \.codeGeneration, .word(CodeGenerationType.allCases.map { ($0.rawValue, $0) })),
    ])

  fileprivate static let objectClass = Form(.either([.text, schema.shape])) { node, subject, reading in
    var objectClass = ObjectClass()
    if case .scalar = node.content {
      objectClass.name = reading.text(of: node, subject)
    } else {
      schema.read(node, into: &objectClass, about: subject, reading)
    }
    return objectClass
  } write: { objectClass in
    if let name = objectClass.name, objectClass == ObjectClass(name: name) { return .text(name) }
    return .mapping(schema.write(objectClass))
  }
}
