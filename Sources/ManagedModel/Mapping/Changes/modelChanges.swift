extension ModelComparison {
  /// What happened to configurations, fetch requests, localization and the model's own facts.
  func modelChanges() -> [PendingChange] {
    let model = model(scope: .model)
    let localization = dictionaryFacts("localization", \.localizationDictionary, of: old.model, new.model)
    let configurations = model.changes(
      in: \.configurations, key: "configurations.", label: "configuration ",
      detail: { $0.entityNames.sortedByCodePoint.joined(separator: ", ") }, kept: memberChanges)
    let fetchRequests = model.changes(
      in: \.fetchRequestTemplates, key: "fetchRequests.", label: "fetch request ", detail: summary
    ) { $0.changes(of: fetchRequestFacts) }
    return configurations + fetchRequests + model.changes(of: localization + [identifiersFact])
      + retirementChanges(model)
  }

  /// The model itself, as the owner of its lists.
  func model(scope: PendingChange.Scope) -> ChangedItem<ManagedObjectModel> {
    ChangedItem(
      old: old.model, new: new.model, label: "model", scope: scope, editOld: { $1(&$0) },
      editNew: { $1(&$0) })
  }

  private func memberChanges(_ configuration: ChangedItem<ConfigurationDescription>) -> [PendingChange] {
    let (old, new) = (configuration.old, configuration.new)
    let difference = ListDifference(
      from: old.entityNames.sortedByCodePoint, to: new.entityNames.sortedByCodePoint)
    return configuration.changes(in: \.entityNames, difference) { name in
      ListedPart(fact: "configurations.\(new.name)", label: "configuration \(new.name): \(name)", value: name)
    }
  }

  private func retirementChanges(_ model: ChangedItem<ManagedObjectModel>) -> [PendingChange] {
    let difference = ListDifference(
      from: model.old.retired.sortedByCodePoint, to: model.new.retired.sortedByCodePoint)
    return model.changes(in: \.retired, difference) { name in
      ListedPart(fact: "retired", label: "retired: \(name)", value: name)
    }
  }

  /// What happened to composites and their elements, by name.
  func compositeChanges() -> [PendingChange] {
    model(scope: .composites).changes(
      in: \.composites, key: "composites.", label: "composite ",
      detail: { $0.elements.map(\.name).joined(separator: ", ") }
    ) { elementChanges($0) + orderChange($0) }
  }

  private func elementChanges(_ composite: ChangedItem<CompositeDescription>) -> [PendingChange] {
    composite.changes(in: \.elements, key: "", label: "\(composite.label).", detail: summary) { element in
      element.renaming() + element.changes(of: attributeFacts) + element.userInfoChanges()
    }
  }

  /// The order of elements is part of the model, though of no hash.
  private func orderChange(_ composite: ChangedItem<CompositeDescription>) -> [PendingChange] {
    let (old, new) = (composite.old, composite.new)
    let pairs = Pairing(from: old.elements, to: new.elements).pairs
    let laterNames = Dictionary(firstOf: pairs.map { ($0.old.name, $0.new.name) })
    let order = old.elements.compactMap { laterNames[$0.name] }
    let laterOrder = new.elements.map(\.name).filter(Set(order).contains)
    guard order != laterOrder else { return [] }
    return [
      composite.pending(
        ModelChange(
          kind: .changed, fact: "composites.\(new.name)", old: order.joined(separator: ", "),
          new: laterOrder.joined(separator: ", "), line: "composite \(new.name): elements in another order"),
        make: { $0.elements = sorted($0.elements, like: new.elements) },
        takeBack: { $0.elements = sorted($0.elements, like: old.elements) })
    ]
  }
}

private let identifiersFact = Fact<ManagedObjectModel>("identifiers", \.versionIdentifiers) {
  $0.isEmpty ? nil : $0.joined(separator: ", ")
}
