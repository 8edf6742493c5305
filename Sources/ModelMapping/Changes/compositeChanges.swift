import ManagedModel

extension ModelComparison {
  /// What happened to composites and their elements, by name.
  func compositeChanges() -> [PendingChange] {
    let pairing = Pairing(from: old.model.composites, to: new.model.composites)
    func part(_ composite: CompositeDescription) -> ListedPart {
      ListedPart(
        fact: "composites.\(composite.name)", label: "composite \(composite.name)",
        detail: composite.elements.map(\.name).joined(separator: ", "), scope: .composites)
    }
    let removed: [NamedChanges] = pairing.removed.map { composite in
      let change = part(composite).removed(
        put: { $0.composites.append(composite) }, take: { $0.composites.remove(composite.name) })
      return (composite.name, [change])
    }
    let added: [NamedChanges] = pairing.added.map { composite in
      let change = part(composite).added(
        put: { $0.composites.append(composite) }, take: { $0.composites.remove(composite.name) })
      return (composite.name, [change])
    }
    let changed: [NamedChanges] = pairing.pairs.map { old, new in
      (new.name, elementChanges(from: old, to: new) + orderChange(from: old, to: new))
    }
    return inNameOrder(removed + added + changed)
  }

  private func elementChanges(
    from old: CompositeDescription, to new: CompositeDescription
  ) -> [PendingChange] {
    let pairing = Pairing(from: old.elements, to: new.elements)
    func part(_ element: AttributeDescription) -> ListedPart {
      ListedPart(
        fact: "composites.\(new.name).\(element.name)", label: "composite \(new.name).\(element.name)",
        detail: summary(of: element), scope: .composites)
    }
    let removed: [NamedChanges] = pairing.removed.map { element in
      let change = part(element).removed(
        put: { $0.composites.edit(new.name) { $0.elements.append(element) } },
        take: { $0.composites.edit(old.name) { $0.elements.remove(element.name) } })
      return (element.name, [change])
    }
    let added: [NamedChanges] = pairing.added.map { element in
      let change = part(element).added(
        put: { $0.composites.edit(old.name) { $0.elements.append(element) } },
        take: { $0.composites.edit(new.name) { $0.elements.remove(element.name) } })
      return (element.name, [change])
    }
    let changed: [NamedChanges] = pairing.pairs.map { element, later in
      let item = ChangedItem(
        old: element, new: later, label: part(later).label, keyPrefix: "\(part(later).fact).",
        scope: .composites,
        editOld: { model, body in model.composites.edit(old.name) { $0.elements.edit(element.name, body) } },
        editNew: { model, body in model.composites.edit(new.name) { $0.elements.edit(later.name, body) } })
      let userInfo = dictionaryFacts("userInfo", \.userInfo, of: element, later)
      return (later.name, item.renaming() + item.changes(of: attributeFacts + userInfo))
    }
    return inNameOrder(removed + added + changed)
  }

  /// The order of elements is part of the model, though of no hash.
  private func orderChange(from old: CompositeDescription, to new: CompositeDescription) -> [PendingChange] {
    let pairs = Pairing(from: old.elements, to: new.elements).pairs
    let laterNames = Dictionary(
      pairs.map { ($0.old.name, $0.new.name) }, uniquingKeysWith: { first, _ in first })
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
