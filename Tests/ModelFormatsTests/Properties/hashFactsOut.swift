import Foundation
import ManagedModel

/// The facts that move no hash: the column "out" of `version-hash.md`.
let factsOut: [HashFact] =
  modelFactsOut + entityFactsOut + attributeFactsOut + relationshipFactsOut + compositeFactsOut

private let modelFactsOut: [HashFact] = [
  .model("identifiers") { $0.versionIdentifiers.append("zz") },
  .model("configurations") { model in
    let configuration = ConfigurationDescription(name: "zz", entityNames: model.entities.map(\.name))
    model.configurations = [configuration]
  },
  .model("fetch requests") { model in
    model.fetchRequestTemplates = [
      FetchRequestDescription(name: "zz", entityName: model.entities.first?.name ?? "", predicate: "a == 1")
    ]
  },
  .model("localisation") { $0.localizationDictionary["Entity/zz"] = "zz" },
  .model("retired names") { $0.retired.append("Zz") },
  .model("editor's settings") {
    $0.editorSettings.usedWithCloudKit.toggle()
    $0.editorSettings.minimumToolsVersion = "zz"
  },
  .model("order of entities") { $0.entities.reverse() },
  .model("composite that nobody uses") {
    let element = AttributeDescription(name: "a", type: .string)
    $0.composites.append(CompositeDescription(name: "zzUnused", elements: [element]))
  },
]

private let entityFactsOut: [HashFact] = [
  .entity("class") { $0.managedObjectClassName = ($0.managedObjectClassName ?? "") + "Zz" },
  .entity("module") { $0.moduleName = "Zz" },
  .entity("code generation") {
    $0.codeGenerationType = $0.codeGenerationType == .category ? .class : .category
  },
  .entity("user info") { $0.userInfo["zz"] = "zz" },
  .entity("renaming identifier") { $0.renamingIdentifier = ($0.renamingIdentifier ?? "") + "Zz" },
  .entity("Spotlight name") { $0.coreSpotlightDisplayName = "zz" },
  .entity("index added") {
    let element = FetchIndexElement(property: $0.attributes.first?.name ?? "zz", isAscending: false)
    $0.fetchIndexes.append(FetchIndexDescription(name: "zz", elements: [element]))
  },
  .entity("indexes removed", where: { !$0.fetchIndexes.isEmpty }) { $0.fetchIndexes = [] },
  .entity("compound indexes") { $0.compoundIndexes = $0.compoundIndexes.isEmpty ? [["zz"]] : [] },
  .entity("fetched property added") {
    let request = FetchRequestDescription(name: "zz", entityName: $0.name)
    $0.fetchedProperties.append(FetchedPropertyDescription(name: "zz", fetchRequest: request))
  },
  .entity("fetched properties removed", where: { !$0.fetchedProperties.isEmpty }) {
    $0.fetchedProperties = []
  },
  .entity("transient attribute added") {
    $0.attributes.append(AttributeDescription(name: "zz", type: .undefined, isTransient: true))
  },
  .entity(
    "transient attributes removed", where: { $0.attributes.contains { $0.isTransient && !$0.isDerived } }
  ) {
    $0.attributes.removeAll { $0.isTransient && !$0.isDerived }
  },
  .entity("transient relationship added") {
    $0.relationships.append(
      RelationshipDescription(name: "zz", destinationEntityName: $0.name, isTransient: true))
  },
  .entity("order of attributes") { $0.attributes.reverse() },
  .entity("order of relationships") { $0.relationships.reverse() },
  .entity("order of constraints", where: { $0.uniquenessConstraints.count > 1 }) {
    $0.uniquenessConstraints.reverse()
  },
]

private let attributeFactsOut: [HashFact] = [
  .attribute("default") { $0.defaultValue = $0.defaultValue == nil ? "1" : nil },
  .attribute("archived default") { $0.defaultValue = .archived(Data([1])) },
  .attribute("validation") {
    $0.validation = AttributeValidation(
      minimum: "1", maximum: "2", minimumLength: 3, maximumLength: 4, regularExpression: "zz",
      predicates: [ValidationPredicate(predicate: "SELF != nil", warning: "zz")])
  },
  .attribute("validation removed", where: { !$0.validation.isEmpty }) {
    $0.validation = AttributeValidation()
  },
  .attribute("renaming identifier") { $0.renamingIdentifier = ($0.renamingIdentifier ?? "") + "Zz" },
  .attribute("scalar") { $0.usesScalarValueType = !($0.usesScalarValueType ?? false) },
  .attribute("user info") { $0.userInfo["zz"] = "zz" },
  .attribute("transformer") { $0.valueTransformerName = ($0.valueTransformerName ?? "") + "Zz" },
  .attribute("value class") { $0.attributeValueClassName = ($0.attributeValueClassName ?? "") + "Zz" },
  .attribute("cloud encryption") { $0.allowsCloudEncryption.toggle() },
  .attribute("Spotlight") { $0.isIndexedBySpotlight.toggle() },
  .attribute("index of its own") { $0.isIndexed.toggle() },
  .attribute("external record") { $0.isStoredInExternalRecord.toggle() },
  .attribute("type of a transient one", where: { $0.isTransient && !$0.isDerived }) { $0.type = .uuid },
  .attribute("type of a derived one", where: \.isDerived) { $0.type = $0.type == .uuid ? .date : .uuid }
    .givenDerivedAttribute,
  .attribute("optional of a derived one", where: \.isDerived) { $0.isOptional.toggle() }
    .givenDerivedAttribute,
  .attribute("modifier of a derived one", where: \.isDerived) { $0.versionHashModifier = "zz" }
    .givenDerivedAttribute,
  HashFact("attribute: name of a derived one, its place in the order kept", renameDerived)
    .givenDerivedAttribute,
]

/// Hashes are joined in the order of names, so only a name at the same place leaves the entity's hash as it was.
@Sendable private func renameDerived(_ model: inout ManagedObjectModel, _ random: inout SplitMix) -> Set<
  String
>? {
  let hierarchy = EntityHierarchy(model)
  for index in model.entities.indices.shuffled(using: &random) {
    let entity = model.entities[index]
    for place in entity.attributes.indices where entity.attributes[place].isDerived {
      let (old, new) = (entity.attributes[place].name, entity.attributes[place].name + "0")
      let keepsItsPlace = hierarchy.descendantNames(includingSelf: entity.name).allSatisfy { name in
        let properties =
          hierarchy.attributes(of: name).map(\.name) + hierarchy.relationships(of: name).map(\.name)
        let others = properties.filter { $0 != old }
        return others.allSatisfy {
          ($0.utf8.lexicographicallyPrecedes(old.utf8)) == ($0.utf8.lexicographicallyPrecedes(new.utf8))
        }
      }
      guard keepsItsPlace else { continue }
      model.entities[index].attributes[place].name = new
      return [entity.name]
    }
  }
  return nil
}

private let relationshipFactsOut: [HashFact] = [
  .relationship("delete rule") { $0.deleteRule = $0.deleteRule == .deny ? .cascade : .deny },
  .relationship("renaming identifier") { $0.renamingIdentifier = ($0.renamingIdentifier ?? "") + "Zz" },
  .relationship("user info") { $0.userInfo["zz"] = "zz" },
  .relationship("index of its own") { $0.isIndexed.toggle() },
  HashFact("relationship: the destination's content") { model, random in
    // The change is in the destination; who merely points there keeps the hash.
    let destinations = Set(
      model.entities.flatMap { entity in
        entity.relationships.filter { $0.destinationEntityName != entity.name }.map(\.destinationEntityName)
      })
    let leaves = model.entities.indices.filter { index in
      let name = model.entities[index].name
      return destinations.contains(name) && !model.entities.contains { $0.superentityName == name }
    }
    guard let index = leaves.randomElement(using: &random) else { return nil }
    let fresh = AttributeDescription(name: ManagedObjectModel.freshName, type: .string, isTransient: true)
    model.entities[index].attributes.append(fresh)
    return [model.entities[index].name]
  },
]

private let compositeFactsOut: [HashFact] = [
  .composite("its name") { $0.name += "2" },
  .composite("order of elements") { $0.elements.reverse() },
  .composite("transient element added") {
    $0.elements.append(AttributeDescription(name: "zz", type: .string, isTransient: true))
  },
  .composite("element's default") { $0.elements[0].defaultValue = "7" },
  .composite("optional of the attribute", attribute: { $0.isOptional.toggle() }, { _ in }),
]

extension HashFact {
  /// A fact of the model as a whole.
  static func model(_ name: String, _ change: @escaping @Sendable (inout ManagedObjectModel) -> Void)
    -> HashFact
  {
    HashFact("model: \(name)") { model, _ in
      change(&model)
      return []
    }
  }
}
