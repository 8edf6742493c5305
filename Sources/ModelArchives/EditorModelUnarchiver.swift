package import Foundation
package import ManagedModel

extension Data {
  /// Reads the snapshot of a version that a mapping model of Xcode's keeps, as far as version hashes depend on it: names,
  /// inheritance, types, flags, counts and modifiers. `editorArchive()` of a model writes one.
  ///
  /// - Throws: ``ArchiveFlaw`` where the bytes are no such archive, or it holds what no genuine one does.
  package func unarchiveEditorModel() throws(ArchiveFlaw) -> ManagedObjectModel {
    let archive = try KeyedArchive(self)
    guard let root = archive.root, root.className == "XDPMModel",
      let package = root.object("_xd_rootPackage")
    else { throw ArchiveFlaw("its root object is not a model of Xcode's editor") }
    var model = ManagedObjectModel()
    for (name, value) in package.members("Classes") {
      guard let object = value.object else { throw ArchiveFlaw("its entity '\(name)' cannot be read") }
      if object.className == "XDPMEntity" { model.entities.append(try object.editorEntity(name)) }
    }
    if let limit = model.checkLimits().first { throw ArchiveFlaw(limit.message) }
    return model
  }
}

extension ArchivedObject {
  /// What UML's elements of one kind own, by name.
  fileprivate func members(_ kind: String) -> [(key: String, value: ArchivedValue)] {
    entries("XDBucketFor\(kind)storage")
  }

  /// What Xcode says of an element, by the keys of all its stereotypes.
  private var facts: [String: ArchivedValue] {
    var facts: [String: ArchivedValue] = [:]
    for (_, stereotype) in members("Stereotypes") {
      for (key, fact) in stereotype.object?.members("OwnedAttributes") ?? [] {
        facts[key] = fact.object?["_default"]
      }
    }
    return facts
  }

  fileprivate func editorEntity(_ name: String) throws(ArchiveFlaw) -> EntityDescription {
    var entity = EntityDescription(name: name)
    let facts = facts
    entity.isAbstract = facts["XD_PSK_isAbstract"]?.isTrue ?? flag("_isAbstract")
    entity.versionHashModifier = facts["XD_PSK_versionHashModifier"]?.string
    entity.superentityName =
      elements("XDBucketForGeneralizationsstorage").lazy
      .compactMap { $0.object?.object("_general")?.string("_name") }.first
    entity.uniquenessConstraints = (facts["XDPMUniquenessConstraints"]?.object?.elements ?? []).map { names in
      names.object?.elements.compactMap(\.string) ?? []
    }
    for (name, value) in members("OwnedAttributes") {
      guard let object = value.object else { continue }
      switch object.className {
      case "XDPMAttribute": entity.attributes.append(try object.editorAttribute(name))
      case "XDPMRelationship": entity.relationships.append(try object.editorRelationship(name))
      default: continue
      }
    }
    return entity
  }

  private func editorAttribute(_ name: String) throws(ArchiveFlaw) -> AttributeDescription {
    let facts = facts
    guard let number = facts["XD_PAttK_attributeType"]?.integer, let raw = Int32(exactly: number),
      let type = AttributeType(rawValue: raw)
    else { throw ArchiveFlaw("the type of its attribute '\(name)' is unknown") }
    var attribute = AttributeDescription(name: name, type: type)
    attribute.isOptional = facts["XD_PPSK_isOptional"]?.isTrue ?? false
    attribute.isTransient = facts["XD_PPSK_isTransient"]?.isTrue ?? false
    attribute.versionHashModifier = facts["XD_PPSK_versionHashModifier"]?.string
    attribute.allowsExternalBinaryDataStorage =
      facts["XD_PAttK_allowsExternalBinaryDataStorage"]?.isTrue ?? false
    return attribute
  }

  private func editorRelationship(_ name: String) throws(ArchiveFlaw) -> RelationshipDescription {
    let facts = facts
    guard let minimum = Int(exactly: facts["XD_PRK_minCount"]?.integer ?? 0),
      let maximum = Int(exactly: facts["XD_PRK_maxCount"]?.integer ?? 0)
    else { throw ArchiveFlaw("the counts of its relationship '\(name)' are out of range") }
    var relationship = RelationshipDescription(
      name: name, destinationEntityName: facts["XD_PRK_destination"]?.object?.string("_name") ?? "")
    relationship.inverseName = facts["XD_PRK_inverseRelationship"]?.object?.string("_name")
    relationship.isOptional = facts["XD_PPSK_isOptional"]?.isTrue ?? false
    relationship.isTransient = facts["XD_PPSK_isTransient"]?.isTrue ?? false
    relationship.versionHashModifier = facts["XD_PPSK_versionHashModifier"]?.string
    (relationship.minCount, relationship.maxCount) = (minimum, maximum)
    relationship.isOrdered = facts["XD_PRK_ordered"]?.isTrue ?? false
    return relationship
  }
}
