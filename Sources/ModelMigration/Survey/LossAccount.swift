import ManagedModel

/// What a plan drops of a store's data, and whether somebody has agreed to it.
struct LossAccount {
  private let accepted: Set<AcceptedLoss>
  /// What the versions on the way list as retired, and a mapping under `drops:`.
  private let retired: Set<String>
  private let source: EntityHierarchy?
  private(set) var losses: [MigrationPlan.Loss] = []

  /// - Parameters:
  ///   - passed: all versions up to the target, the store's own first.
  ///   - source: the version whose names losses have.
  ///   - stated: the mapping that a person wrote, where statements carry it out.
  init(
    accepted: Set<AcceptedLoss>, passed: [ModelVersion], from source: ModelVersion?,
    stated: MappingModel? = nil
  ) {
    (self.accepted, self.source) = (accepted, source.map { EntityHierarchy($0.model) })
    retired = passed.retiredNames.union(stated?.droppedNames ?? [])
  }

  /// Whether the loss needs nobody's word any more: it was allowed for this run, or a version retires what goes.
  ///
  /// What an entity inherits may be named by what declares it, too.
  func isAccepted(_ code: Diagnostic.Code, of entity: String, _ property: String? = nil) -> Bool {
    let lost = Removal(entity: entity, property: property)
    if code == .droppedData, source?.isListed(lost, in: retired) ?? lost.isListed(in: retired) { return true }
    let owner = property.flatMap { source?.declaringEntityName(of: $0, seenFrom: entity) }
    return [entity, owner ?? entity].contains { accepted.contains(code, of: $0, property) }
  }

  /// - Parameters:
  ///   - property: nil if whole objects go.
  ///   - count: how many values or objects; none are no loss.
  ///   - isIntended: whether a mapping says that they go.
  mutating func add(
    _ code: Diagnostic.Code, of entity: String, _ property: String?, _ count: Int,
    isIntended: Bool = false, examples: [Int64] = []
  ) {
    guard count > 0 else { return }
    // Some losses are told without asking anybody to agree.
    let isAcknowledged =
      isIntended || code == .orderDropped || code == .danglingReferenceDropped
      || isAccepted(code, of: entity, property)
    losses.append(
      .init(
        code: code, entity: entity, property: property, count: count, isAcknowledged: isAcknowledged,
        examples: examples))
  }
}

extension MappingModel {
  /// What its mappings mean to drop, as ``ModelVersion/retired`` has it; of a mapping of Xcode's, all that nothing reads.
  fileprivate var droppedNames: [String] {
    entityMappings.filter { $0.destinationEntityName != nil }.flatMap { mapping in
      let entity = mapping.sourceEntityName ?? ""
      return mapping.droppedProperties?.map { "\(entity).\($0)" } ?? [entity]
    }
  }
}
