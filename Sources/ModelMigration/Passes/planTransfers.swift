import ManagedModel
import PersistentStore

/// Decides which mappings run as statements, and which references come with the rows.
///
/// A mapping with a policy or with groups runs object by object. So does one with a value for which no SQL gives the same
/// answer.
///
/// - Parameter byObjects: numbers of mappings that read cells which SQL would take for something else.
struct TransferPlanner {
  let work: [MappingWork]
  let source: ManagedObjectContext
  let destination: ManagedObjectContext

  func plan(byObjects: Set<Int> = []) {
    // Which references are whole depends on how the objects are made that they lead to.
    let keyed = work.compactMap { work in
      work.source.flatMap { from in work.destination.map { (work: work, from: from, to: $0) } }
    }.filter { $0.work.isKeyed && !$0.to.isAbstract }
    for (work, from, to) in keyed where !byObjects.contains(work.number) {
      work.transfer = try? transfer(work, from, to)
    }
    for (work, from, to) in keyed where work.transfer != nil || work.policyName != nil {
      work.fills += work.openRelationships.compactMap { try? fill($0, work, from, to) }
    }
    dropUnanswered()
  }

  private func transfer(
    _ work: MappingWork, _ from: EntityShape, _ to: EntityShape
  ) throws(NotExpressibleInSQL) -> RowTransfer? {
    guard work.policyName == nil,
      // Constraints that stand in the table end the statement, and an object has to be named.
      destination.rows.schema.table(ofEntity: to.name)?.inlineConstraints.isEmpty == true
    else { return nil }
    var transfer = try RowTransfer(from: from, to: to, in: source.rows)
    for attribute in work.attributes {
      switch attribute {
      case .copy(let from, let slot): transfer.copy(from, to: slot)
      case .constant(let cell, let slot): transfer.set(cell, slot)
      case .value(let mapping, let shape): try transfer.set(mapping.value, shape)
      }
    }
    if let filter = work.mapping.filter { try transfer.filter(filter) }
    return transfer
  }

  private func fill(
    _ relationship: PropertyMapping, _ work: MappingWork, _ from: EntityShape, _ to: EntityShape
  ) throws(NotExpressibleInSQL) -> ReferenceFill? {
    let name = relationship.name
    guard case .toOne(let toOne)? = to.properties[name], toOne.orderSlot == nil,
      let target = destination.rows.shape(named: toOne.destinationEntityName), !isLeftOut(work, toOne)
    else { return nil }
    let candidates: [MappingWork]
    var followed: String?
    var (isWhole, keepsNumbers) = (false, true)
    switch relationship.value {
    case .source(let old):
      guard case .toOne(let toOld)? = from.properties[old] else { return nil }
      // Entity numbers that the source does not keep are known when the objects are there.
      (followed, keepsNumbers) = (old, toOne.numberSlot == nil || toOld.numberSlot != nil)
      let kinds = source.hierarchy.descendantNames(includingSelf: toOld.destinationEntityName)
      candidates = self.work.filter { other in
        other.source.map { kinds.contains($0.name) } ?? false
          && other.makes(toOne.destinationEntityName, destination.hierarchy)
      }
      isWhole = kinds.allSatisfy { kind in
        source.rows.shape(named: kind)?.isAbstract != false
          || candidates.contains { $0.source?.name == kind && $0.transfer != nil && $0.mapping.filter == nil }
      }
      guard areKeyed(candidates, toOne) else { return nil }
      work.transfer?.copy(toOld.keySlot, to: toOne.keySlot)
      if work.transfer == nil { work.plan?.origins[toOne.keySlot] = .column(toOld.keySlot) }
    case .expression(let expression):
      guard work.transfer != nil, let (mapping, argument) = expression.lookup,
        let candidate = self.work.first(where: { $0.mapping.name == mapping }),
        let made = candidate.destination, candidate.makes(toOne.destinationEntityName, destination.hierarchy),
        self.work.filter({ $0.destination?.name == made.name }).count == 1, areKeyed([candidate], toOne),
        !isTakenOver(work, toOne, candidate, argument)
      else { return nil }
      candidates = [candidate]
      guard let entity = try work.transfer?.refer(by: argument, toOne),
        source.hierarchy.rootName(of: entity) == candidate.source?.rootEntityName
      else {
        work.transfer?.set(.null, toOne.keySlot)
        return nil
      }
      isWhole =
        candidate.transfer != nil && candidate.mapping.filter == nil && candidate.source?.name == entity
        && source.hierarchy.subentityNames(of: entity).isEmpty
    case .constant, .converted, .defaulted: return nil
    }
    guard work.policyName == nil || (toOne.numberSlot == nil && inverse(of: toOne) == nil) else {
      work.plan?.origins[toOne.keySlot] = .cell(.null)
      return nil
    }
    var fill = ReferenceFill(
      name: name, followed: followed, toOne: toOne, candidates: Set(candidates.map(\.number)),
      targets: ReferenceTargets(
        tableName: target.tableName, numbers: Set(candidates.compactMap { $0.destination?.number })),
      isWhole: isWhole)
    fill.stands = followed != nil && keepsNumbers && work.carried?.references.contains(name) == true
    return fill
  }

  /// Whether a mapping at the other side sets the to-many by an expression that may leave these objects out. They get their
  /// reference in their own turn then, as in Core Data: `kids: destinationInstances("KidToKid", $source.kids)` empties that of
  /// every kid that `BabyToBaby` makes.
  private func isLeftOut(_ work: MappingWork, _ toOne: ToOneShape) -> Bool {
    self.work.contains { other in
      guard let name = toOne.inverseName, case .toMany? = other.destination?.properties[name],
        other.makes(toOne.destinationEntityName, destination.hierarchy),
        case .expression(let expression)? = other.mapping.propertyMapping(named: name)?.value
      else { return false }
      return expression.lookup?.mapping != work.mapping.name
    }
  }

  /// Whether a later mapping at the other side takes over links to these objects that the lookup does not follow, as that of a
  /// sub-entity may.
  private func isTakenOver(
    _ work: MappingWork, _ toOne: ToOneShape, _ candidate: MappingWork, _ argument: Expression
  ) -> Bool {
    self.work.contains { other in
      guard other.number > work.number, let name = toOne.inverseName, let own = work.source,
        other.makes(toOne.destinationEntityName, destination.hierarchy),
        let former = other.mapping.propertyMapping(named: name)?.value.sourceName,
        let past = source.hierarchy.relationship(named: former, of: other.source?.name ?? "")
      else { return false }
      let isSame = past.inverseName.map { argument.sourcePath == [$0] } ?? false
      return (other.number != candidate.number || !isSame)
        && source.hierarchy.isKind(own.name, of: past.destinationEntityName)
    }
  }

  private func areKeyed(_ candidates: [MappingWork], _ toOne: ToOneShape) -> Bool {
    !candidates.isEmpty
      && candidates.allSatisfy { $0.isKeyed && $0.makes(toOne.destinationEntityName, destination.hierarchy) }
  }

  private func inverse(of toOne: ToOneShape) -> ToOneShape? {
    guard let name = toOne.inverseName,
      case .toOne(let back)? = destination.rows.shape(named: toOne.destinationEntityName)?.properties[name]
    else { return nil }
    return back
  }

  /// Of a one-to-one both sides come with the rows, or none.
  private func dropUnanswered() {
    var isStable = false
    while !isStable {
      isStable = true
      for work in work {
        for fill in work.fills where !isAnswered(fill, of: work) {
          work.fills.removeAll { $0.name == fill.name }
          work.transfer?.set(.null, fill.toOne.keySlot)
          isStable = false
        }
      }
    }
  }

  private func isAnswered(_ fill: ReferenceFill, of own: MappingWork) -> Bool {
    guard inverse(of: fill.toOne) != nil else { return true }
    let others = work.filter { $0.makes(fill.toOne.destinationEntityName, destination.hierarchy) }
    return others.allSatisfy { other in
      other.transfer != nil
        && other.fills.contains { $0.name == fill.toOne.inverseName && $0.candidates.contains(own.number) }
    }
  }
}
