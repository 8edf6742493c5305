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
    func part(_ name: String) -> ListedPart {
      ListedPart(
        fact: "configurations.\(new.name)", label: "configuration \(new.name): \(name)", value: name,
        scope: .model)
    }
    let removed = difference.removed.map { name in
      part(name).removed(
        put: { $0.configurations.edit(new.name) { $0.entityNames.append(name) } },
        take: { $0.configurations.edit(old.name) { $0.entityNames.removeFirst(equalTo: name) } })
    }
    let added = difference.added.map { name in
      part(name).added(
        put: { $0.configurations.edit(old.name) { $0.entityNames.append(name) } },
        take: { $0.configurations.edit(new.name) { $0.entityNames.removeFirst(equalTo: name) } })
    }
    return removed + added
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
    func part(_ name: String) -> ListedPart {
      ListedPart(fact: "retired", label: "retired: \(name)", value: name, scope: .model)
    }
    let removed = difference.removed.map { name in
      part(name).removed(
        put: { $0.retired.append(name) }, take: { $0.retired.removeFirst(equalTo: name) })
    }
    let added = difference.added.map { name in
      part(name).added(put: { $0.retired.append(name) }, take: { $0.retired.removeFirst(equalTo: name) })
    }
    return removed + added
  }
}

private let identifiersFact = Fact<ManagedObjectModel>("identifiers", \.versionIdentifiers) {
  $0.isEmpty ? nil : $0.joined(separator: ", ")
}
