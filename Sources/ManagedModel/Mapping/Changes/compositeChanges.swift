extension ModelComparison {
  /// What happened to composites and their elements, by name.
  func compositeChanges() -> [PendingChange] {
    model(scope: .composites).changes(
      in: \.composites, key: "composites.", label: "composite ",
      detail: { $0.elements.map(\.name).joined(separator: ", ") }
    ) { elementChanges($0) + orderChange(from: $0.old, to: $0.new) }
  }

  private func elementChanges(_ composite: ChangedItem<CompositeDescription>) -> [PendingChange] {
    composite.changes(in: \.elements, key: "", label: "\(composite.label).", detail: summary) { element in
      element.renaming() + element.changes(of: attributeFacts) + element.userInfoChanges()
    }
  }

  /// The order of elements is part of the model, though of no hash.
  private func orderChange(from old: CompositeDescription, to new: CompositeDescription) -> [PendingChange] {
    let pairs = Pairing(from: old.elements, to: new.elements).pairs
    let laterNames = Dictionary(firstOf: pairs.map { ($0.old.name, $0.new.name) })
    let order = old.elements.compactMap { laterNames[$0.name] }
    let laterOrder = new.elements.map(\.name).filter(Set(order).contains)
    guard order != laterOrder else { return [] }
    return [
      PendingChange(
        change: ModelChange(
          kind: .changed, fact: "composites.\(new.name)", old: order.joined(separator: ", "),
          new: laterOrder.joined(separator: ", "), line: "composite \(new.name): elements in another order"),
        scope: .composites,
        make: { $0.composites.edit(old.name) { $0.elements = sorted($0.elements, like: new.elements) } },
        takeBack: { $0.composites.edit(new.name) { $0.elements = sorted($0.elements, like: old.elements) } })
    ]
  }
}
