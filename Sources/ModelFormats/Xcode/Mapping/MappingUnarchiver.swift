package import ManagedModel
import ModelArchives

/// Reads one compiled mapping model.
struct MappingUnarchiver {
  /// Two versions of a model that a mapping model is between.
  typealias Step = (modelName: String, source: ModelVersion, destination: ModelVersion)

  private let mappings: [ArchivedObject]
  private let budget: WorkBudget

  /// A genuine mapping model has some dozen.
  private static let mappingLimit = 20_000

  init(_ archive: KeyedArchive) throws(ArchiveFlaw) {
    guard let root = archive.root, root.className == "NSMappingModel" else {
      throw ArchiveFlaw("its root object is not a mapping model")
    }
    budget = WorkBudget(archive.byteCount * 16 + 1_000_000)
    var mappings: [ArchivedObject] = []
    for value in root.elements("NSEntityMappings").prefix(Self.mappingLimit) {
      guard let mapping = value.object, mapping.className == "NSEntityMapping",
        mapping.string("NSMappingName") != nil
      else { throw ArchiveFlaw("one of its entity mappings cannot be read") }
      mappings.append(mapping)
    }
    self.mappings = mappings
  }

  /// The versions that have the hashes it is bound to; of several, two that follow each other, and the latest.
  func step(among models: [VersionedModel]) -> Step? {
    var found: Step?
    for model in models {
      let sources = model.versions.filter { fits($0, "NSSourceEntityName", "NSSourceEntityVersionHash") }
      let destinations = model.versions.filter {
        fits($0, "NSDestinationEntityName", "NSDestinationEntityVersionHash")
      }
      var followsFound = false
      for destination in destinations {
        for source in sources where source.name != destination.name {
          let follows = model.predecessors(of: destination).contains { $0.name == source.name }
          if found != nil, followsFound, !follows { continue }
          found = (model.name, source, destination)
          followsFound = follows
        }
      }
      if found != nil { return found }
    }
    return nil
  }

  private func fits(_ version: ModelVersion, _ nameKey: String, _ hashKey: String) -> Bool {
    mappings.allSatisfy { mapping in
      guard let name = mapping.string(nameKey) else { return true }
      guard case .data(let data) = mapping[hashKey] else {
        return version.entityVersionHashesByName[name] != nil
      }
      return version.entityVersionHashesByName[name]?.data == data
    }
  }

  func mapping(for step: Step) throws(ArchiveFlaw) -> ImportedMapping {
    var model = CustomMappingModel(
      sourceVersionName: step.source.name, destinationVersionName: step.destination.name, infersOthers: false)
    let (source, destination) = (EntityHierarchy(step.source.model), EntityHierarchy(step.destination.model))
    var names: Set<String> = []
    for object in mappings {
      var mapping = try entityMapping(object, source, &names)
      // Core Data carries out what is there: an attribute whose mapping was deleted in Xcode starts with its default.
      let stated = object.elements("NSAttributeMappings")
      let listed = stated.compactMap { $0.object?.string("NSDestinationPropertyName") }
      let attributes = mapping.destinationEntityName.map { destination.attributes(of: $0) } ?? []
      mapping.attributeMappings += attributes.filter {
        mapping.sourceEntityName != nil && !listed.contains($0.name) && !$0.isDerived && !$0.isTransient
      }.map { CustomPropertyMapping(name: $0.name, expression: nil) }
      model.entityMappings.append(mapping)
    }
    return ImportedMapping(modelName: step.modelName, mappingModel: model)
  }

  private func entityMapping(
    _ object: ArchivedObject, _ source: EntityHierarchy, _ names: inout Set<String>
  ) throws(ArchiveFlaw) -> CustomEntityMapping {
    var mapping = CustomEntityMapping(
      name: uniqueName(object.string("NSMappingName") ?? "", &names),
      sourceEntityName: object.string("NSSourceEntityName"),
      destinationEntityName: object.string("NSDestinationEntityName"),
      policyName: object.string("NSEntityMigrationPolicyClassName").flatMap { $0.isEmpty ? nil : $0 },
      userInfo: object.texts("NSUserInfo"))
    mapping.mappingType = statedType(object.integer("NSMappingType"), of: mapping)
    if let archived = object.object("NSSourceExpression") {
      let expression = try ExpressionUnarchiver(budget).expression(.object(archived))
      mapping.filter = expression.filter(of: mapping.sourceEntityName)
    }
    for property in object.elements("NSAttributeMappings").compactMap(\.object) {
      let stated = try propertyMapping(property) { name, expression in
        guard let expression else {
          return mapping.sourceEntityName.flatMap { source.attribute(named: name, of: $0) } == nil
        }
        return expression.sourcePath == [name]
      }
      if let stated { mapping.attributeMappings.append(stated) }
    }
    for property in object.elements("NSRelationshipMappings").compactMap(\.object) {
      let stated = try propertyMapping(property) { name, expression in
        guard let entity = mapping.sourceEntityName,
          let relationship = source.relationship(named: name, of: entity)
        else { return expression == nil }
        return expression.map { isAutomatic($0, of: relationship, source) } ?? false
      }
      if let stated { mapping.relationshipMappings.append(stated) }
    }
    return mapping
  }

  /// Nil for the type that Xcode gives such a mapping by itself: without a policy it is always a copy, whether the
  /// entity changed or not.
  private func statedType(_ number: Int64?, of mapping: CustomEntityMapping) -> MappingType? {
    guard let type = number.flatMap({ Int(exactly: $0) }).flatMap(MappingType.init) else { return nil }
    let usual: [MappingType] =
      switch (mapping.sourceEntityName, mapping.destinationEntityName, mapping.policyName) {
      case (nil, _, _): [.add]
      case (_, nil, _): [.remove]
      case (_, _, .some): [.custom]
      default: [.copy, .transform]
      }
    return type == .undefined || usual.contains(type) ? nil : type
  }

  /// - Parameter isAutomatic: whether Xcode gives the property such an expression, or none, by itself.
  /// - Returns: nil if it says nothing of its own.
  private func propertyMapping(
    _ object: ArchivedObject, _ isAutomatic: (String, Expression?) -> Bool
  ) throws(ArchiveFlaw) -> CustomPropertyMapping? {
    guard let name = object.string("NSDestinationPropertyName") else {
      throw ArchiveFlaw("one of its property mappings has no name")
    }
    var expression: Expression?
    if let archived = object.object("NSValueExpression") {
      expression = try ExpressionUnarchiver(budget).expression(.object(archived))
    }
    let userInfo = object.texts("NSUserInfo")
    if isAutomatic(name, expression), userInfo.isEmpty { return nil }
    return CustomPropertyMapping(
      name: name, expression: expression?.withReadableLookups.description, userInfo: userInfo)
  }

  /// Whether it looks up what became of the very objects that the source's relationship of that name leads to: by the
  /// relationship, or by the one mapping that they have.
  private func isAutomatic(
    _ expression: Expression, of relationship: RelationshipDescription, _ source: EntityHierarchy
  ) -> Bool {
    guard case .function(let call) = expression, call.receiver == .variable("manager"),
      call.arguments.count == 2, call.arguments[1].sourcePath == [relationship.name],
      case .constant(.string(let name)) = call.arguments[0]
    else { return false }
    if call.selector == relationshipLookupSelector { return name == relationship.name }
    guard call.selector == lookupSelector else { return false }
    let entities = source.descendantNames(includingSelf: relationship.destinationEntityName)
    let candidates = mappings.filter { $0.string("NSSourceEntityName").map(entities.contains) ?? false }
    return candidates.map { $0.string("NSMappingName") } == [name]
  }
}

extension Expression {
  /// The predicate of a mapping's source expression, which is a fetch of the source entity's objects.
  func filter(of entity: String?) -> String? {
    if case .fetch(.function(let call), .keyPath(["sourceContext"], .variable("manager")?), false) = self,
      call.selector == "fetchRequestForSourceEntityNamed:predicateString:", call.arguments.count == 2,
      call.arguments[0] == entity.map({ .constant(.string($0)) }),
      case .constant(.string(let predicate)) = call.arguments[1]
    {
      return predicate == "TRUEPREDICATE" ? nil : predicate
    }
    return "SELF IN \(self)"
  }
}

/// A mapping model of Xcode's, and the model whose versions it is between.
package struct ImportedMapping: Hashable, Sendable {
  package var modelName: String
  package var mappingModel: CustomMappingModel
  /// What was left out, and why.
  package var diagnostics: [Diagnostic] = []
}
