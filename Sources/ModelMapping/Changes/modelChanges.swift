import ManagedModel

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
    let pairing = Pairing(from: old.model.configurations, to: new.model.configurations)
    func part(_ configuration: ConfigurationDescription) -> ListedPart {
      ListedPart(
        fact: "configurations.\(configuration.name)", label: "configuration \(configuration.name)",
        detail: configuration.entityNames.sortedByCodePoint.joined(separator: ", "), scope: .model)
    }
    let removed: [NamedChanges] = pairing.removed.map { configuration in
      let change = part(configuration).removed(
        put: { $0.configurations.append(configuration) },
        take: { $0.configurations.remove(configuration.name) })
      return (configuration.name, [change])
    }
    let added: [NamedChanges] = pairing.added.map { configuration in
      let change = part(configuration).added(
        put: { $0.configurations.append(configuration) },
        take: { $0.configurations.remove(configuration.name) })
      return (configuration.name, [change])
    }
    let changed: [NamedChanges] = pairing.pairs.map { ($0.new.name, memberChanges(from: $0.old, to: $0.new)) }
    return inNameOrder(removed + added + changed)
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
    let pairing = Pairing(from: old.model.fetchRequestTemplates, to: new.model.fetchRequestTemplates)
    func part(_ request: FetchRequestDescription) -> ListedPart {
      ListedPart(
        fact: "fetchRequests.\(request.name)", label: "fetch request \(request.name)",
        detail: summary(of: request), scope: .model)
    }
    let removed: [NamedChanges] = pairing.removed.map { request in
      let change = part(request).removed(
        put: { $0.fetchRequestTemplates.append(request) },
        take: { $0.fetchRequestTemplates.remove(request.name) })
      return (request.name, [change])
    }
    let added: [NamedChanges] = pairing.added.map { request in
      let change = part(request).added(
        put: { $0.fetchRequestTemplates.append(request) },
        take: { $0.fetchRequestTemplates.remove(request.name) })
      return (request.name, [change])
    }
    let changed: [NamedChanges] = pairing.pairs.map { old, new in
      let item = ChangedItem(
        old: old, new: new, label: part(new).label, keyPrefix: "\(part(new).fact).", scope: .model,
        editOld: { $0.fetchRequestTemplates.edit(old.name, $1) },
        editNew: { $0.fetchRequestTemplates.edit(new.name, $1) })
      return (new.name, item.changes(of: fetchRequestFacts))
    }
    return inNameOrder(removed + added + changed)
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
