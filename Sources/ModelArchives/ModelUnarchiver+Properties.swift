import Foundation
import ManagedModel

extension ModelUnarchiver {
  /// - Parameter depth: how many composites lie around it.
  mutating func attribute(
    _ object: ArchivedObject, depth: Int = 0
  ) throws(ArchiveFlaw) -> AttributeDescription {
    let name = try propertyName(of: object)
    guard
      let number = object.integer("NSAttributeType") ?? (object.fields["NSAttributeType"] == nil ? 0 : nil),
      let raw = Int32(exactly: number), let type = AttributeType(rawValue: raw)
    else { throw ArchiveFlaw("the type of its attribute '\(name)' is unknown") }
    var attribute = AttributeDescription(name: name, type: type)
    readCommonFields(of: object, into: &attribute)
    attribute.valueTransformerName = object.string("NSValueTransformerName")
    let className = object.string("NSAttributeValueClassName")
    attribute.attributeValueClassName =
      object.string(ModelcKey.valueClassName)
      ?? (className == type.traits.className ? nil : className)
    let flags = object.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.derivationExpression = try derivation(of: object)
    attribute.compositeName = object.string(ModelcKey.compositeName)
    attribute.validation = try validation(of: object, type: type)
    attribute.defaultValue = try defaultValue(of: object, type: type)
    if object.fields[ModelcKey.usesScalarValueType] != nil {
      attribute.usesScalarValueType = object.flag(ModelcKey.usesScalarValueType)
    }
    attribute.allowsCloudEncryption = object.flag(ModelcKey.allowsCloudEncryption)
    if let text = object.string(ModelcKey.defaultText) { attribute.defaultValue = .text(text) }
    if let text = object.string(ModelcKey.minimum) { attribute.validation.minimum = text }
    if let text = object.string(ModelcKey.maximum) { attribute.validation.maximum = text }
    if type == .composite, attribute.compositeName == nil {
      try readElements(of: object, into: &attribute, depth: depth)
    }
    return attribute
  }

  /// The elements of a composite that stands in a store of SwiftData's, where composites have no names.
  private mutating func readElements(
    of object: ArchivedObject, into attribute: inout AttributeDescription, depth: Int
  ) throws(ArchiveFlaw) {
    guard depth < 16 else { throw ArchiveFlaw("its composites are nested too deeply") }
    let lists = object.fields.keys.sorted().map { object.elements($0).compactMap(\.object) }
    let list = lists.first { $0.contains { $0.className.hasSuffix("AttributeDescription") } } ?? []
    var elements: [AttributeDescription] = []
    for element in list { elements.append(try self.attribute(element, depth: depth + 1)) }
    guard !elements.isEmpty else { return }
    let enumType = attribute.userInfo.removeValue(forKey: enumTypeKey)
    if elements.count == 1, elements[0].name == attribute.name {
      attribute.enumTypeName = enumType ?? attribute.name
      attribute.type = elements[0].type
      attribute.validation = elements[0].validation
      if let value = object.object("NSDefaultValue")?.entries.first?.value {
        attribute.defaultValue = text(value, as: attribute.type).map { .text($0) }
      }
      return
    }
    let owner = object.object("NSEntity")?.string("NSEntityName")
    let name = "\(owner.map { "\($0)_" } ?? "")\(attribute.name)"
    if !nameless.contains(where: { $0.name == name }) {
      nameless.append(CompositeDescription(name: name, elements: elements))
    }
    attribute.compositeName = name
  }

  func relationship(_ object: ArchivedObject) throws(ArchiveFlaw) -> RelationshipDescription {
    let name = try propertyName(of: object)
    let destination =
      object.string("_NSDestinationEntityName")
      ?? object.object("NSDestinationEntity")?.string("NSEntityName")
    var relationship = RelationshipDescription(name: name, destinationEntityName: destination ?? "")
    relationship.inverseName =
      object.string("_NSInverseRelationshipName")
      ?? object.object("NSInverseRelationship")?.string("NSPropertyName")
    guard let minimum = Int(exactly: object.integer("NSMinCount") ?? 0),
      let maximum = Int(exactly: object.integer("NSMaxCount") ?? 0),
      let rule = Int(exactly: object.integer("NSDeleteRule") ?? 0).flatMap(DeleteRule.init)
    else { throw ArchiveFlaw("the counts or the delete rule of its relationship '\(name)' are out of range") }
    relationship.minCount = minimum
    relationship.maxCount = maximum
    relationship.deleteRule = rule
    relationship.isOrdered = object.flag("NSIsOrdered")
    readCommonFields(of: object, into: &relationship)
    return relationship
  }

  private func readCommonFields(of object: ArchivedObject, into property: inout some PropertyDescription) {
    property.isOptional = object.flag("NSIsOptional")
    property.isTransient = object.flag("NSIsTransient")
    property.isIndexed = object.flag("NSIsIndexed")
    property.isIndexedBySpotlight = object.flag(ModelcKey.indexedBySpotlight)
    property.isStoredInExternalRecord = object.flag(ModelcKey.storedInExternalRecord)
    property.renamingIdentifier = renamingIdentifier(of: object, name: property.name)
    property.versionHashModifier = object.string("NSVersionHashModifier")
    property.userInfo = object.texts("NSUserInfo")
  }

  func fetchedProperty(_ object: ArchivedObject) throws(ArchiveFlaw) -> FetchedPropertyDescription {
    let name = try propertyName(of: object)
    let requestName = object.string(ModelcKey.requestName) ?? "fetchedPropertyFetchRequest"
    var request = FetchRequestDescription(name: requestName, entityName: "")
    if let archived = object.object("NSFetchRequest") {
      request = try fetchRequest(archived, name: requestName)
    }
    if let entity = object.string("_NSFetchRequestEntityName") { request.entityName = entity }
    return FetchedPropertyDescription(
      name: name, isOptional: object.flag("NSIsOptional"), fetchRequest: request,
      userInfo: object.texts("NSUserInfo"))
  }

  private func propertyName(of object: ArchivedObject) throws(ArchiveFlaw) -> String {
    guard let name = object.string("NSPropertyName") else {
      throw ArchiveFlaw("one of its properties has no name")
    }
    return name
  }

  func fetchRequest(_ object: ArchivedObject, name: String) throws(ArchiveFlaw) -> FetchRequestDescription {
    let entity = object.string(ModelcKey.entityName) ?? object.object("NSEntity")?.string("NSEntityName")
    var request = FetchRequestDescription(name: name, entityName: entity ?? "")
    request.predicate = try predicate(of: object, key: "NSPredicate")
    for key in object.elements("NSSortDescriptors").compactMap(\.object) {
      request.sortDescriptors.append(
        SortDescription(keyPath: key.string("NSKey") ?? "", isAscending: key.flag("NSAscending")))
    }
    request.fetchLimit = Int(clamping: object.integer("NSFetchLimit") ?? 0)
    request.fetchBatchSize = Int(clamping: object.integer("NSBatchSize") ?? 0)
    request.resultType = Int(clamping: object.integer("NSResultType") ?? 0)
    if let packed = object.integer(ModelcKey.fetchFlags) { request.packedFlags = packed }
    return request
  }

  /// The source's spelling where we wrote it down, else the archived predicate printed.
  func predicate(of object: ArchivedObject, key: String) throws(ArchiveFlaw) -> String? {
    if let text = object.string(ModelcKey.spelling) { return text }
    guard let predicate = object.object(key) else { return nil }
    return try ExpressionUnarchiver(budget).predicate(predicate).predicateFormat
  }

  private func derivation(of object: ArchivedObject) throws(ArchiveFlaw) -> String? {
    guard object.className == "NSDerivedAttributeDescription" else { return nil }
    if let text = object.string(ModelcKey.spelling) { return text }
    let archived = object["NSDerivationExpression"]
    let printed: String
    if let derivation = try archived.object.flatMap({ call throws(ArchiveFlaw) in try derivationCall(call) })
    {
      printed = derivation
    } else {
      printed = try ExpressionUnarchiver(budget).expression(archived).description
    }
    // An archive of ours has the text itself where this would not give it back.
    guard keepsOrder, let derivation = Derivation(printed) else { return printed }
    return derivation.text { _ in false }
  }

  /// A function of one key path, or of none, by whatever name: stores know some that predicates do not (`avg:`).
  private func derivationCall(_ call: ArchivedObject) throws(ArchiveFlaw) -> String? {
    guard call.className == "NSFunctionExpression", let selector = call.string("NSSelectorName"),
      call.object("NSOperand")?.string("NSConstantValueClassName") == predefinedFunctionsClass
    else { return nil }
    let unarchiver = ExpressionUnarchiver(budget)
    var paths: [String] = []
    for argument in call.elements("NSArguments") {
      guard case .keyPath(let keys, nil) = try unarchiver.expression(argument) else { return nil }
      paths.append(keys.joined(separator: "."))
    }
    return paths.count > 1 ? nil : "\(selector)(\(paths.joined()))"
  }

  /// Core Data's print of a collection operator (`count:(pages)`) as models write it (`pages.@count`).
  func withDerivationsAsWritten(_ model: ManagedObjectModel) -> ManagedObjectModel {
    guard !keepsOrder else { return model }
    let hierarchy = EntityHierarchy(model)
    var model = model
    for place in model.entities.indices {
      let entity = model.entities[place].name
      for index in model.entities[place].attributes.indices {
        guard let text = model.entities[place].attributes[index].derivationExpression,
          let derivation = Derivation(text)
        else { continue }
        model.entities[place].attributes[index].derivationExpression = derivation.text { path in
          endsInToMany(path, from: entity, in: hierarchy)
        }
      }
    }
    return model
  }

  private func endsInToMany(_ path: [String], from entity: String, in hierarchy: EntityHierarchy) -> Bool {
    var entity = entity
    var isToMany = false
    for key in path {
      guard let relationship = hierarchy.relationship(named: key, of: entity) else { return false }
      isToMany = relationship.isToMany
      entity = relationship.destinationEntityName
    }
    return isToMany
  }
}
