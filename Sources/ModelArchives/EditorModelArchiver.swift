package import Foundation
package import ManagedModel

extension ManagedObjectModel {
  /// A model as Xcode's editor archives it: the snapshot of each of its two versions that a mapping model keeps. Xcode's
  /// compiler takes the version hashes from there, not from the packages.
  ///
  /// Genuine snapshots show every key. They know no derivation, no composite and no index of elements; of what they show only
  /// the order, which hash tables give, and the element IDs, which are random, are our choice.
  package func editorArchive() -> Data {
    var archiver = EditorModelArchiver(self)
    return archiver.data()
  }
}

private struct EditorModelArchiver {
  private let model: ManagedObjectModel
  private let hierarchy: EntityHierarchy
  private var builder = KeyedArchiveBuilder()
  private var entities: [String: Int] = [:]
  private var relationships: [PropertyReference: Int] = [:]
  /// The class that every entity is mapped to.
  private var recordClass = 0
  /// The last ID that was given.
  private var elementID: Int64 = 1_000_000
  private let null = KeyedArchiveBuilder.null

  init(_ model: ManagedObjectModel) {
    self.model = model
    hierarchy = EntityHierarchy(model)
    for entity in model.entities {
      entities[entity.name] = builder.reserve()
      for relationship in entity.relationships {
        relationships[PropertyReference(entity: entity.name, property: relationship.name)] = builder.reserve()
      }
    }
  }

  mutating func data() -> Data {
    let (root, package) = (builder.reserve(), builder.reserve())
    recordClass = builder.reserve()
    fill(
      recordClass, as: "XDUMLClassImp", "XDGenericRecordClass", owner: nil, id: null,
      [flag("_isAbstract", false)])
    // What entities inherit lies between two of them.
    var generalizations: [(parent: String, child: String, place: Int)] = []
    for entity in model.entities {
      guard let parent = entity.superentityName, entities[parent] != nil else { continue }
      generalizations.append((parent, entity.name, builder.reserve()))
    }
    for link in generalizations {
      fill(
        link.place, as: "XDUMLGeneralizationImp", nil, owner: entities[link.child], id: nextID(),
        [
          .init("_general", .reference(entities[link.parent] ?? 0)),
          .init("_specific", .reference(entities[link.child] ?? 0)),
        ])
    }
    for entity in model.entities {
      fill(
        entity, in: package, parents: generalizations.filter { $0.child == entity.name }.map(\.place),
        children: generalizations.filter { $0.parent == entity.name }.map(\.place))
    }
    var buckets = bucket("Classes", model.entities.map { ($0.name, .reference(entities[$0.name] ?? 0)) })
    for kind in ["DataTypes", "Interfaces", "Packages"] { buckets += bucket(kind, []) }
    fill(
      package, as: "XDModelPackage", "", owner: nil, id: null,
      buckets + [.init("_xd_owningModel", .reference(root))])
    builder.fill(
      root, as: "XDPMModel",
      [
        .init("_configurationsByName", builder.dictionary("NSMutableDictionary", [])),
        .init("_modelVersionIdentifier", builder.string(model.versionIdentifiers.first ?? "")),
        .init("_xd_comments", builder.collection("NSMutableArray", [])), .init("_xd_modelManager", null),
        .init("_xd_modelName", null), .init("_xd_rootPackage", .reference(package)),
      ])
    return builder.data(root: root)
  }

  private mutating func fill(_ entity: EntityDescription, in package: Int, parents: [Int], children: [Int]) {
    guard let place = entities[entity.name] else { return }
    var members: [(String, PropertyListValue)] = []
    for attribute in entity.attributes { members.append((attribute.name, archived(attribute, of: place))) }
    for relationship in entity.relationships {
      let reference = PropertyReference(entity: entity.name, property: relationship.name)
      guard let own = relationships[reference] else { continue }
      fill(relationship, at: own, of: entity)
      members.append((relationship.name, .reference(own)))
    }
    let facts: [(String, PropertyListValue)] = [
      ("XDPMCompoundIndexes", builder.lists(entity.compoundIndexes)),
      ("XD_PSK_elementID", builder.string(entity.renamingIdentifier)),
      ("XDPMUniquenessConstraints", builder.lists(entity.uniquenessConstraints)),
      ("XD_PSK_versionHashModifier", builder.string(entity.versionHashModifier)),
      ("XD_PSK_fetchRequestsArray", builder.collection("NSMutableArray", [])),
      ("XD_PSK_isAbstract", flag(entity.isAbstract)),
      ("XD_PSK_userInfo", builder.dictionary(of: entity.userInfo, "NSMutableDictionary")),
      ("XD_PSK_classMapping", .reference(recordClass)),
      ("XD_PSK_entityClassName", builder.string(entity.qualifiedClassName)),
    ]
    var fields = bucket("OwnedAttributes", members) + isOrdered("OwnedAttributes")
    fields += stereotypes([("XD_PStereotype", facts)], of: place)
    fields += links("Generalizations", parents) + (children.isEmpty ? [] : links("Specializations", children))
    fill(
      place, as: "XDPMEntity", entity.name, owner: package, id: nextID(),
      fields + [flag("_isAbstract", entity.isAbstract)])
  }

  private mutating func archived(_ attribute: AttributeDescription, of entity: Int) -> PropertyListValue {
    let place = builder.reserve()
    let rules = attribute.validation
    let facts: [(String, PropertyListValue)] = [
      ("XD_PAttK_defaultValueAsString", builder.string(attribute.defaultValue?.text)),
      ("XD_PAttK_allowsExternalBinaryDataStorage", flag(attribute.allowsExternalBinaryDataStorage)),
      ("XD_PAttK_minValueString", builder.string(rules.minimum ?? rules.minimumLength.map { "\($0)" })),
      ("XD_PAttK_attributeType", builder.scalar(.integer(Int64(attribute.type.rawValue)))),
      ("XD_PAttK_maxValueString", builder.string(rules.maximum ?? rules.maximumLength.map { "\($0)" })),
      ("XD_PAttK_valueTransformerName", builder.string(attribute.valueTransformerName)),
      ("XD_PAttK_regularExpressionString", builder.string(rules.regularExpression)),
    ]
    let shared = propertyFacts(of: attribute)
    let fields = stereotypes([("XD_PPropStereotype", shared), ("XD_PAtt_Stereotype", facts)], of: place)
    property(place, as: "XDPMAttribute", attribute.name, owner: entity, id: nextID(), null, fields)
    return .reference(place)
  }

  private mutating func fill(
    _ relationship: RelationshipDescription, at place: Int, of entity: EntityDescription
  ) {
    var facts: [(String, PropertyListValue)] = [
      ("XD_PRK_minCount", builder.scalar(.integer(Int64(relationship.minCount)))),
      ("XD_PRK_deleteRule", builder.scalar(.integer(Int64(relationship.deleteRule.rawValue)))),
      ("XD_PRK_maxCount", builder.scalar(.integer(Int64(relationship.maxCount)))),
      ("XD_PRK_destination", .reference(entities[relationship.destinationEntityName] ?? 0)),
      ("XD_PRK_isToMany", flag(relationship.isToMany)), ("XD_PRK_ordered", flag(relationship.isOrdered)),
    ]
    let inverse = inverse(of: relationship)
    if inverse != 0 { facts.append(("XD_PRK_inverseRelationship", .reference(inverse))) }
    let shared = propertyFacts(of: relationship)
    let fields = stereotypes([("XD_PPropStereotype", shared), ("XD_PR_Stereotype", facts)], of: place)
    property(
      place, as: "XDPMRelationship", relationship.name, owner: entities[entity.name], id: nextID(), null,
      fields)
  }

  /// It may stand at an ancestor of the destination.
  private func inverse(of relationship: RelationshipDescription) -> Int {
    guard let name = relationship.inverseName else { return 0 }
    let destination = relationship.destinationEntityName
    return ([destination] + hierarchy.ancestorNames(of: destination)).lazy
      .compactMap { relationships[PropertyReference(entity: $0, property: name)] }.first ?? 0
  }

  private mutating func propertyFacts(
    of property: some PropertyDescription
  ) -> [(String, PropertyListValue)] {
    [
      ("XD_PPSK_isStoredInTruthFile", flag(property.isStoredInExternalRecord)),
      ("XD_PPSK_versionHashModifier", builder.string(property.versionHashModifier)),
      ("XD_PPSK_userInfo", builder.dictionary(of: property.userInfo, "NSMutableDictionary")),
      ("XD_PPSK_isIndexed", flag(property.isIndexed)),
      ("XD_PPSK_isOptional", flag(property.isOptional)),
      ("XD_PPSK_isSpotlightIndexed", flag(property.isIndexedBySpotlight)),
      ("XD_PPSK_elementID", builder.string(property.renamingIdentifier)),
      ("XD_PPSK_isTransient", flag(property.isTransient)),
    ]
  }
}

/// UML's elements, which everything in the editor's model is made of.
extension EditorModelArchiver {
  private mutating func stereotypes(
    _ all: [(name: String, facts: [(String, PropertyListValue)])], of owner: Int
  ) -> [PropertyListValue.Entry] {
    var members: [(String, PropertyListValue)] = []
    for (name, facts) in all {
      let place = builder.reserve()
      var tagged: [(String, PropertyListValue)] = []
      for (key, value) in facts {
        let fact = builder.reserve()
        property(fact, as: "XDUMLPropertyImp", key, owner: place, id: null, value, [])
        tagged.append((key, .reference(fact)))
      }
      let fields = bucket("OwnedAttributes", tagged) + isOrdered("OwnedAttributes")
      fill(
        place, as: "XDUMLStereotypeImp", name, owner: owner, id: null, fields + [flag("_isAbstract", false)])
      members.append((name, .reference(place)))
    }
    return bucket("Stereotypes", members) + isOrdered("Stereotypes")
  }

  private mutating func property(
    _ place: Int, as className: String, _ name: String, owner: Int?, id: PropertyListValue,
    _ value: PropertyListValue, _ fields: [PropertyListValue.Entry]
  ) {
    let flags = ["Composite", "Derived", "Leaf", "Ordered", "ReadOnly", "Static", "Unique"].map {
      flag("_is\($0)", false)
    }
    fill(
      place, as: className, name, owner: owner, id: id,
      fields + flags + [.init("_association", null), .init("_default", value), .init("_type", null)])
  }

  private mutating func fill(
    _ place: Int, as className: String, _ name: String?, owner: Int?, id: PropertyListValue,
    _ fields: [PropertyListValue.Entry]
  ) {
    builder.fill(
      place, as: className,
      fields + [
        .init("_name", builder.string(name)), .init("_owner", owner.map { .reference($0) } ?? null),
        .init("_uniqueElementID", id), .init("_visibility", .integer(0)),
      ])
  }

  private mutating func bucket(
    _ kind: String, _ members: [(String, PropertyListValue)]
  ) -> [PropertyListValue.Entry] {
    let entries = members.map { PropertyListValue.Entry($0.0, $0.1) }
    return [
      .init("XDBucketFor\(kind)storage", builder.dictionary("NSMutableDictionary", entries)),
      .init("XDBucketFor\(kind)wasEncoded", builder.string("YES")),
    ]
  }

  private mutating func links(_ kind: String, _ places: [Int]) -> [PropertyListValue.Entry] {
    [
      .init("XDBucketFor\(kind)duplicates", builder.string("duplicates")),
      .init("XDBucketFor\(kind)storage", builder.collection("NSMutableArray", places.map { .reference($0) })),
      .init("XDBucketFor\(kind)wasEncoded", builder.string("YES")),
    ] + isOrdered(kind)
  }

  private mutating func isOrdered(_ kind: String) -> [PropertyListValue.Entry] {
    [.init("XDBucketFor\(kind)ordered", builder.string("ordered"))]
  }

  private mutating func flag(_ flag: Bool) -> PropertyListValue { builder.scalar(.boolean(flag)) }
  private func flag(_ key: String, _ flag: Bool) -> PropertyListValue.Entry { .init(key, .boolean(flag)) }

  private mutating func nextID() -> PropertyListValue {
    elementID += 1
    return builder.scalar(.integer(elementID))
  }
}
