import ManagedModel

/// What a plan drops of a store's data, and whether somebody has agreed to it.
struct LossAccount {
  private let accepted: Set<AcceptedLoss>
  /// What the versions on the way list as retired.
  private let retired: Set<String>
  private let source: EntityHierarchy?
  private(set) var losses: [MigrationPlan.Loss] = []

  /// - Parameters:
  ///   - passed: all versions up to the target, the store's own first.
  ///   - source: the version whose names losses have.
  init(accepted: Set<AcceptedLoss>, passed: [ModelVersion], from source: ModelVersion?) {
    (self.accepted, self.source) = (accepted, source.map { EntityHierarchy($0.model) })
    retired = passed.retiredNames
  }

  /// Whether the loss needs nobody's word any more: it was allowed for this run, or a version retires what goes.
  ///
  /// What an entity inherits may be named by what declares it, too, and links are retired by the name of either end.
  func isAccepted(_ code: Diagnostic.Code, of entity: String, _ property: String? = nil) -> Bool {
    let owner = property.flatMap { source?.declaringEntityName(of: $0, seenFrom: entity) }
    let own = property.map { PropertyReference(entity: owner ?? entity, property: $0) }
    if code == .droppedData, let other = own.flatMap({ source?.inverse(of: $0) }),
      isListed(other.entity, other.property, in: retired)
    {
      return true
    }
    return [entity, owner ?? entity].contains {
      accepted.contains(code, of: $0, property)
        || (code == .droppedData && isListed($0, property, in: retired))
    }
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
