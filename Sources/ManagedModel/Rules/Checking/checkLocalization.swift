extension ModelIndex {
  /// The keys of the localization dictionary name what exists (MC1703).
  func checkLocalization() -> [Diagnostic] {
    guard !model.localizationDictionary.isEmpty else { return [] }
    let all = Set(model.entities.flatMap(\.ownPropertyNames))
    var findings: [Diagnostic] = []
    for key in model.localizationDictionary.keys.sorted() where !findings.isFull {
      let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      let subject = ModelSubject(key: "localization").part(key)
      switch (parts.first, parts.count) {
      case ("ErrorString", 2...): break
      case ("Entity", 2): findings += check(entity: parts[1], in: key, subject, self)
      case ("Property", 2) where !all.contains(parts[1]):
        findings.append(.unmatchedKey(key, "no property is named '\(parts[1])'", parts[1], subject, all))
      case ("Property", 2): break
      case ("Property", 4) where parts[2] == "Entity":
        let unknown = check(entity: parts[3], in: key, subject, self)
        findings += unknown
        let names = allPropertyNames(of: parts[3])
        if unknown.isEmpty, !names.contains(parts[1]) {
          findings.append(
            .unmatchedKey(key, "'\(parts[3])' has no property '\(parts[1])'", parts[1], subject, names))
        }
      default:
        findings.append(
          .unmatchedLocalization, .warning,
          "localization key '\(key.abridged)' has no form that Core Data asks for", subject: subject,
          help: ["keys are Entity/E, Property/p, Property/p/Entity/E, ErrorString/text"])
      }
    }
    return findings
  }
}

private func check(
  entity: String, in key: String, _ subject: ModelSubject, _ index: ModelIndex
) -> [Diagnostic] {
  guard !index.hasEntity(named: entity) else { return [] }
  return [.unmatchedKey(key, "no entity is named '\(entity)'", entity, subject, index.entityNames)]
}

extension Diagnostic.Code { package static let unmatchedLocalization = Self("MC1703") }

extension Diagnostic {
  fileprivate static func unmatchedKey(
    _ key: String, _ reason: String, _ name: String, _ subject: ModelSubject,
    _ candidates: some Sequence<String>
  ) -> Diagnostic {
    let finding = Diagnostic(
      .unmatchedLocalization, .warning,
      "localization key '\(key.abridged)' matches nothing: \(reason.abridged)", subject: subject)
    guard var near = nearMatch(to: name, among: candidates) else { return finding }
    near.name = key.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0 == name ? near.name : String($0) }.joined(separator: "/")
    return finding.offering(near, .rename(to: near.name), at: subject)
  }
}
