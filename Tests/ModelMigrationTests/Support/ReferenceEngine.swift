import Foundation
import ManagedModel

/// Carries out a mapping model object by object, without SQL: slow, small, and written to be believed.
struct ReferenceEngine {
  let mappingModel: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  private let objects: [ManagedObject]
  /// Objects by the relationship that leads to them, in the order of their keys.
  private var referrers: [PropertyReference: [ManagedObject.ID: [ManagedObject.ID]]] = [:]

  init(
    _ objects: [ManagedObject], _ mappingModel: MappingModel, from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.mappingModel = mappingModel
    self.source = EntityHierarchy(source)
    self.destination = EntityHierarchy(destination)
    self.objects = objects
    for object in objects.sorted(by: { $0.id.primaryKey < $1.id.primaryKey }) {
      for (name, target) in object.toOne { addReferrer(object.id, name, target) }
      for (name, targets) in object.toMany { for target in targets { addReferrer(object.id, name, target) } }
    }
  }

  private mutating func addReferrer(_ id: ManagedObject.ID, _ name: String, _ target: ManagedObject.ID) {
    referrers[PropertyReference(entity: id.entityName, property: name), default: [:]][target, default: []]
      .append(id)
  }

  /// The destination's objects, by entity and key.
  func run() -> [ManagedObject] {
    var migrated = objects.compactMap(migrate)
    for index in migrated.indices { computeCounts(of: &migrated[index]) }
    return migrated.sorted { ($0.id.entityName, $0.id.primaryKey) < ($1.id.entityName, $1.id.primaryKey) }
  }

  private func newID(_ id: ManagedObject.ID) -> ManagedObject.ID? {
    mappingModel.mappings(fromEntity: id.entityName).compactMap(\.destinationEntityName).first
      .map { ManagedObject.ID(entityName: $0, primaryKey: id.primaryKey) }
  }

  private func migrate(_ object: ManagedObject) -> ManagedObject? {
    guard let id = newID(object.id), let mapping = mappingModel.mappings(toEntity: id.entityName).first else {
      return nil
    }
    var result = ManagedObject(id.entityName, id.primaryKey)
    for property in mapping.attributeMappings {
      result.values[property.name] = value(of: property.value, from: object)
    }
    for property in mapping.relationshipMappings {
      guard let relationship = destination.relationship(named: property.name, of: id.entityName) else {
        continue
      }
      let targets = targets(of: property, from: object).filter {
        property.reachableEntities.contains($0.entityName)
      }
      .compactMap(newID)
      if targets.isEmpty { continue }
      if !relationship.isToMany {
        result.toOne[property.name] = targets[0]
      } else {
        let keepsOrder = relationship.isOrdered && property.keepsOrder
        result.toMany[property.name] = keepsOrder ? targets : targets.sorted { $0.primaryKey < $1.primaryKey }
      }
    }
    return result
  }

  private func value(of value: PropertyMappingValue, from object: ManagedObject) -> AttributeValue? {
    switch value {
    case .source(let name): object.values[name]
    case .constant(let constant): constant
    // Inference, whose answers this engine is for, never gives one.
    case .expression: nil
    case .converted(let inner, _, let to): self.value(of: inner, from: object).map { convert($0, to: to) }
    case .defaulted(let inner, let fallback): self.value(of: inner, from: object) ?? fallback
    }
  }

  private func targets(of property: PropertyMapping, from object: ManagedObject) -> [ManagedObject.ID] {
    if let name = property.value.sourceName {
      return object.ends(of: name)
    }
    var seen: Set<ManagedObject.ID> = []
    return property.referrers.flatMap { referrers[$0]?[object.id] ?? [] }.filter { seen.insert($0).inserted }
  }

  private func computeCounts(of object: inout ManagedObject) {
    for attribute in destination.attributes(of: object.id.entityName) {
      guard let match = attribute.derivationExpression?.wholeMatch(of: #/(\w+)\.@count/#) else { continue }
      object.values[attribute.name] = .integer(Int64(object.toMany[String(match.1)]?.count ?? 0))
    }
  }
}

/// A number as another type of number: fractions are cut off, what is too large becomes the nearest bound.
func convert(_ value: AttributeValue, to type: AttributeType) -> AttributeValue {
  switch (type, value) {
  case (.integer16, _): .integer(bounded(integer(value), Int64(Int16.min), Int64(Int16.max)))
  case (.integer32, _): .integer(bounded(integer(value), Int64(Int32.min), Int64(Int32.max)))
  case (.integer64, _): .integer(integer(value))
  case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
  case (.double, .decimal(let number)), (.float, .decimal(let number)): .double(Double("\(number)") ?? .nan)
  case (.decimal, .integer(let number)): .decimal(Decimal(number))
  case (.decimal, .double(let number)): .decimal(Decimal(string: "\(number)") ?? .nan)
  default: value
  }
}

private func integer(_ value: AttributeValue) -> Int64 {
  switch value {
  case .integer(let number): return number
  case .double(let number): return truncated(number)
  case .decimal(let number): return Int64("\(number)") ?? truncated(Double("\(number)") ?? 0)
  default: return 0
  }
}

private func truncated(_ number: Double) -> Int64 {
  if number >= 0x1p63 { return .max }
  if number <= -0x1p63 { return .min }
  return Int64(number)
}

private func bounded(_ value: Int64, _ least: Int64, _ greatest: Int64) -> Int64 {
  min(max(value, least), greatest)
}
