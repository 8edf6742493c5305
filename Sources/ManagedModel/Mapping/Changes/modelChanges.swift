extension ModelComparison {
  /// What happened to configurations, fetch requests, localization and the model's own facts.
  func modelChanges() -> [PendingChange] {
    let model = ChangedItem(
      old: old.model, new: new.model, label: "model", scope: .model, editOld: { $1(&$0) },
      editNew: { $1(&$0) })
    let localization = dictionaryFacts("localization", \.localizationDictionary, of: old.model, new.model)
    return configurationChanges() + fetchRequestChanges()
      + model.changes(of: localization + [identifiersFact])
      + retirementChanges()
  }

  private func configurationChanges() -> [PendingChange] {
    ComparedList(
      old: old.model.configurations, new: new.model.configurations, keyPrefix: "configurations.",
      labelPrefix: "configuration ", detail: { $0.entityNames.sortedByCodePoint.joined(separator: ", ") },
      scope: .model, editOld: { $1(&$0.configurations) }, editNew: { $1(&$0.configurations) }
    ).changes { memberChanges(from: $0.old, to: $0.new) }
  }

  private func memberChanges(
    from old: ConfigurationDescription, to new: ConfigurationDescription
  ) -> [PendingChange] {
    let difference = ListDifference(
      from: old.entityNames.sortedByCodePoint, to: new.entityNames.sortedByCodePoint)
    return difference.changes(
      editOld: { model, body in model.configurations.edit(old.name) { body(&$0.entityNames) } },
      editNew: { model, body in model.configurations.edit(new.name) { body(&$0.entityNames) } }
    ) { name in
      ListedPart(
        fact: "configurations.\(new.name)", label: "configuration \(new.name): \(name)", value: name,
        scope: .model)
    }
  }

  private func fetchRequestChanges() -> [PendingChange] {
    ComparedList(
      old: old.model.fetchRequestTemplates, new: new.model.fetchRequestTemplates, keyPrefix: "fetchRequests.",
      labelPrefix: "fetch request ", detail: summary, scope: .model,
      editOld: { $1(&$0.fetchRequestTemplates) }, editNew: { $1(&$0.fetchRequestTemplates) }
    ).changes { $0.changes(of: fetchRequestFacts) }
  }

  private func retirementChanges() -> [PendingChange] {
    let difference = ListDifference(
      from: old.model.retired.sortedByCodePoint, to: new.model.retired.sortedByCodePoint)
    return difference.changes(editOld: { $1(&$0.retired) }, editNew: { $1(&$0.retired) }) { name in
      ListedPart(fact: "retired", label: "retired: \(name)", value: name, scope: .model)
    }
  }
}

private let identifiersFact = Fact<ManagedObjectModel>("identifiers", \.versionIdentifiers) {
  $0.isEmpty ? nil : $0.joined(separator: ", ")
}
