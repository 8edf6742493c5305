import ManagedModel

/// What a plan drops of a store's data, and whether somebody has agreed to it.
struct LossAccount {
  private let accepted: Set<AcceptedLoss>
  /// What the versions on the way list as retired.
  private let retired: Set<String>
  private(set) var losses: [MigrationPlan.Loss] = []

  /// - Parameter passed: all versions up to the target, the store's own first.
  init(accepted: Set<AcceptedLoss>, passed: [ModelVersion]) {
    self.accepted = accepted
    retired = passed.retiredNames
  }

  /// Whether the loss needs nobody's word any more: it was allowed for this run, or a version retires what goes.
  func isAccepted(_ code: Diagnostic.Code, of entity: String, _ property: String? = nil) -> Bool {
    accepted.contains(code, of: entity, property)
      || (code == .droppedData && isListed(entity, property, in: retired))
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
