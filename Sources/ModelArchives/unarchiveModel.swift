package import Foundation
package import ManagedModel

extension Data {
  /// Reads a compiled model (`.mom`) or a store's model cache, once inflated, back into a model.
  ///
  /// Entities list their own properties only, whatever form the archive has. An archive of Core Data's own has no
  /// order, so entities and properties come by name; one that `keyedArchive()` wrote keeps its source's order.
  /// Defaults of unknown classes stay as archives of their own (``DefaultValue/archived(_:)``).
  ///
  /// - Parameter file: the path that diagnostics name.
  /// - Throws: `DiagnosticsError` with MC2203 where the bytes are no such archive.
  package func unarchiveModel(file: String) throws -> ManagedObjectModel {
    do throws(ArchiveFlaw) {
      var unarchiver = try ModelUnarchiver(KeyedArchive(self))
      let model = try unarchiver.model()
      if let limit = model.checkLimits().first { throw ArchiveFlaw(limit.message) }
      return model
    } catch let flaw { throw DiagnosticsError(.unreadableArchive(file, reason: flaw.reason, data: self)) }
  }
}

/// Reads one archive; the parts are in the `ModelUnarchiver+…` files.
struct ModelUnarchiver {
  let archive: KeyedArchive
  let root: ArchivedObject
  /// Whether the archive is one of ours, whose dictionaries are in the order of the source.
  let keepsOrder: Bool
  let budget: WorkBudget
  private let entityObjects: [ArchivedObject]
  /// The names in each entity's list of properties, and its parent, by the entity's number.
  private let listedNames: [Int: Set<String>]
  private let parents: [Int: Int]
  /// Composites of a model that does not name them.
  var nameless: [CompositeDescription] = []

  /// More levels of inheritance than any model has.
  private static let depthLimit = 500

  init(_ archive: KeyedArchive) throws(ArchiveFlaw) {
    self.archive = archive
    budget = WorkBudget(archive.byteCount * 16 + 1_000_000)
    guard let root = archive.root, root.className == "NSManagedObjectModel" else {
      throw ArchiveFlaw("its root object is not a managed object model")
    }
    self.root = root
    keepsOrder = root.integer(ModelcKey.format) != nil
    guard let entities = root.object("NSEntities") else { throw ArchiveFlaw("its model has no entities") }
    var objects: [ArchivedObject] = []
    var listedNames: [Int: Set<String>] = [:]
    var parents: [Int: Int] = [:]
    for (key, value) in entities.entries {
      guard let object = value.object, object.className == "NSEntityDescription",
        object.string("NSEntityName") == key
      else { throw ArchiveFlaw("its entity '\(key)' cannot be read") }
      objects.append(object)
      listedNames[object.reference] = Set(object.entries("NSProperties").map(\.key))
      parents[object.reference] = object.object("NSSuperentity")?.reference
    }
    entityObjects = keepsOrder ? objects : objects.sorted { $0.entityName < $1.entityName }
    (self.listedNames, self.parents) = (listedNames, parents)
  }

  mutating func model() throws(ArchiveFlaw) -> ManagedObjectModel {
    var model = ManagedObjectModel()
    model.versionIdentifiers = root.elements("NSVersionIdentifiers").compactMap(\.string)
    if !keepsOrder { model.versionIdentifiers.sort() }
    for object in entityObjects { model.entities.append(try entity(object)) }
    model.composites = try composites() + nameless
    model.configurations = root.entries("NSConfigurations").compactMap { name, value in
      let names = value.object?.elements.compactMap { $0.object?.string("NSEntityName") } ?? []
      return ConfigurationDescription(name: name, entityNames: keepsOrder ? names : names.sorted())
    }
    if !keepsOrder { model.configurations.sort { $0.name < $1.name } }
    for (name, value) in root.entries("NSFetchRequestTemplates") {
      guard let object = value.object else { continue }
      model.fetchRequestTemplates.append(try fetchRequest(object, name: name))
    }
    if !keepsOrder { model.fetchRequestTemplates.sort { $0.name < $1.name } }
    model.localizationDictionary = root.texts(ModelcKey.localization)
    model.retired = root.elements(ModelcKey.retired).compactMap(\.string)
    model.editorSettings = EditorSettings(
      minimumToolsVersion: root.string(ModelcKey.minimumToolsVersion),
      sourceLanguage: root.string(ModelcKey.sourceLanguage),
      usedWithCloudKit: root.flag(ModelcKey.usedWithCloudKit),
      usedWithSwiftData: root.flag(ModelcKey.usedWithSwiftData))
    return withDerivationsAsWritten(model)
  }

  private mutating func entity(_ object: ArchivedObject) throws(ArchiveFlaw) -> EntityDescription {
    var entity = EntityDescription(name: object.entityName)
    let className = object.string("NSClassNameForEntity")
    (entity.moduleName, entity.managedObjectClassName) = classNames(qualified: className)
    if let module = object.string(ModelcKey.moduleName) {
      entity.moduleName = module
      entity.managedObjectClassName = object.string(ModelcKey.className)
    }
    entity.codeGenerationType = object.string(ModelcKey.codeGenerationType).flatMap(CodeGenerationType.init)
    entity.isAbstract = object.flag("NSIsAbstract")
    entity.superentityName =
      object.object("NSSuperentity")?.string("NSEntityName") ?? object.string(ModelcKey.superentityName)
    entity.uniquenessConstraints = object.elements("NSUniqueTuples").map(propertyNames)
    entity.renamingIdentifier = renamingIdentifier(of: object, name: entity.name)
    entity.versionHashModifier = object.string("NSVersionHashModifier")
    entity.userInfo = object.texts("NSUserInfo")
    entity.coreSpotlightDisplayName = object.string(ModelcKey.spotlightDisplayName)
    for property in try ownProperties(of: object) {
      switch property.className {
      case "NSRelationshipDescription": entity.relationships.append(try relationship(property))
      case "NSFetchedPropertyDescription": entity.fetchedProperties.append(try fetchedProperty(property))
      case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
        entity.attributes.append(try attribute(property))
      default:
        throw ArchiveFlaw(
          "its entity '\(entity.name)' has a property of the unknown class '\(property.className)'")
      }
    }
    try readIndexes(of: object, into: &entity)
    return entity
  }

  /// The properties that no ancestor lists: a cache repeats inherited ones, as copies or as proxies.
  private func ownProperties(of entity: ArchivedObject) throws(ArchiveFlaw) -> [ArchivedObject] {
    var lists: [Set<String>] = []
    var ancestor = parents[entity.reference]
    while let parent = ancestor {
      if let names = listedNames[parent] { lists.append(names) }
      ancestor = parents[parent]
      guard lists.count < Self.depthLimit, parent != entity.reference else {
        throw ArchiveFlaw("its entities inherit in a cycle")
      }
    }
    var own: [ArchivedObject] = []
    for (name, value) in entity.entries("NSProperties") {
      guard let object = value.object else {
        throw ArchiveFlaw("the property '\(name)' of its entity '\(entity.entityName)' cannot be read")
      }
      let isInherited = lists.contains { $0.contains(name) }
      if !isInherited, object.className != "_NSPropertyDescriptionProxy" { own.append(object) }
    }
    guard !keepsOrder else { return own }
    return own.sorted { ($0.string("NSPropertyName") ?? "") < ($1.string("NSPropertyName") ?? "") }
  }

  /// The names in a uniqueness constraint, which holds names or the properties themselves.
  private func propertyNames(_ list: ArchivedValue) -> [String] {
    list.object?.elements.compactMap { $0.string ?? $0.object?.string("NSPropertyName") } ?? []
  }

  private func readIndexes(
    of object: ArchivedObject, into entity: inout EntityDescription
  ) throws(ArchiveFlaw) {
    entity.compoundIndexes = object.elements("NSCompoundIndexes").map(propertyNames)
    for value in object.elements("NSFetchIndexDescriptions") {
      guard let index = value.object, let name = index.string("NSIndexName") else {
        throw ArchiveFlaw("an index of its entity '\(entity.name)' cannot be read")
      }
      entity.fetchIndexes.append(try fetchIndex(index, name: name))
    }
    // Newer archives repeat each fetch index in the forms of older ones.
    guard !entity.fetchIndexes.isEmpty, !object.flag(ModelcKey.legacyIndexes) else { return }
    let indexed = Set(entity.fetchIndexes.map { $0.elements.map(\.property) })
    entity.compoundIndexes.removeAll { indexed.contains($0) }
    for place in entity.attributes.indices where indexed.contains([entity.attributes[place].name]) {
      entity.attributes[place].isIndexed = false
    }
  }

  private func fetchIndex(
    _ object: ArchivedObject, name: String
  ) throws(ArchiveFlaw) -> FetchIndexDescription {
    var index = FetchIndexDescription(name: name, elements: [])
    for element in object.elements("NSIndexElements").compactMap(\.object) {
      var expression = element.string(ModelcKey.spelling)
      if expression == nil, let archived = element.object("NSExpression") {
        expression = try ExpressionUnarchiver(budget).expression(.object(archived)).description
      }
      index.elements.append(
        FetchIndexElement(
          property: expression ?? element.string("NSPropertyName") ?? "", isExpression: expression != nil,
          collation: element.integer("NSFetchIndexElementType")
            .flatMap { FetchIndexCollation(rawValue: Int($0)) } ?? .binary,
          isAscending: element.flag("NSAscending")))
    }
    index.partialIndexPredicate = try predicate(of: object, key: "NSPartialIndexPredicate")
    return index
  }

  private mutating func composites() throws(ArchiveFlaw) -> [CompositeDescription] {
    var composites: [CompositeDescription] = []
    for (name, value) in root.entries(ModelcKey.composites) {
      var composite = CompositeDescription(name: name, elements: [])
      for element in value.object?.elements ?? [] {
        if let object = element.object { composite.elements.append(try attribute(object)) }
      }
      composites.append(composite)
    }
    return composites
  }
}

extension ArchivedObject { fileprivate var entityName: String { string("NSEntityName") ?? "" } }

/// Genuine archives give the name where there is no renaming identifier.
func renamingIdentifier(of object: ArchivedObject, name: String) -> String? {
  object.string("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
}

/// Splits `Module.Class`; a name that begins with a point belongs to the current product's module, which is `.`.
package func classNames(qualified name: String?) -> (module: String?, className: String?) {
  guard let name, !name.isEmpty, name != "NSManagedObject" else { return (nil, nil) }
  if name.hasPrefix(".") { return (".", String(name.dropFirst())) }
  guard let point = name.firstIndex(of: ".") else { return (nil, name) }
  return (String(name[..<point]), String(name[name.index(after: point)...]))
}

/// A compiled model or a model cache that cannot be read.
extension Diagnostic.Code { package static let corruptBundle = Self("MC2203") }

extension Diagnostic {
  package static func unreadableArchive(_ file: String, reason: String, data: Data) -> Diagnostic {
    var help = ["compile the model again, or take the file from another copy"]
    if data.starts(with: Data("momv2$".utf8)) {
      help = ["this is an optimized '.omo'; the '.mom' with the same name next to it contains the same model"]
    } else if data.starts(with: Data("version https://git-lfs".utf8)) {
      help = ["this is a git-lfs pointer; `git lfs pull` fetches the file itself"]
    }
    return Diagnostic(
      .corruptBundle, .error, "'\(file)' is not a readable compiled model: \(reason)",
      place: SourceRange(startOf: file),
      help: help)
  }
}
