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
      ListedPart(
        fact: "configurations.\(new.name)", label: "configuration \(new.name): \(name)", value: name,
        scope: .model)
    }
  }

  private func retirementChanges(_ model: ChangedItem<ManagedObjectModel>) -> [PendingChange] {
    let difference = ListDifference(
      from: model.old.retired.sortedByCodePoint, to: model.new.retired.sortedByCodePoint)
    return model.changes(in: \.retired, difference) { name in
      ListedPart(fact: "retired", label: "retired: \(name)", value: name, scope: .model)
    }
  }
}

private let identifiersFact = Fact<ManagedObjectModel>("identifiers", \.versionIdentifiers) {
  $0.isEmpty ? nil : $0.joined(separator: ", ")
}
