package import ManagedModel

extension VersionStep {
  /// Retired names that come back with another meaning (MC7015).
  ///
  /// A store that skips versions cannot tell the old meaning from the new one. A name that a version gives another meaning
  /// in the very step that drops the old values is no such case: nothing of the former leads to the latter.
  func checkRetiredNames() -> [Diagnostic] {
    var retired = Set(old.retired + new.retired)
    if retired.isEmpty { return [] }
    let known = parts(of: old, before).map(\.name)
    retired.subtract(known.filter(old.retired.contains))
    retired.subtract(removals().map(\.name))
    return parts(of: new, after).filter { retired.contains($0.name) }.map { part in
      Diagnostic(
        .retiredNameUsed, .error, "'\(part.name)' is retired, but '\(new.name)' uses it again",
        subject: subject(part.entity, part.property),
        notes: ["stores that skip the version between would keep the old values under the new meaning"],
        help: ["choose another name; or, if nothing was removed, remove '\(part.name)' from `retired:`"])
    }
  }
}

/// Every entity and property, with what is in composites, as `retired:` names them.
private func parts(
  of version: ModelVersion, _ hierarchy: EntityHierarchy
) -> [(name: String, entity: String, property: String?)] {
  version.model.entities.flatMap { entity in
    let attributes = (hierarchy.members(in: entity.attributes) + entity.attributes).map(\.name)
    let names = Set(attributes).sorted() + entity.relationships.map(\.name)
    return [(entity.name, entity.name, nil)] + names.map { ("\(entity.name).\($0)", entity.name, $0) }
  }
}

extension Diagnostic.Code {
  package static let retiredNameUsed = Self("MC7015")
}
