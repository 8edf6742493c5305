package import ManagedModel

/// Retired names that come back with another meaning (MC7015).
///
/// A store that skips versions cannot tell the old meaning from the new one.
func checkRetiredNames(_ step: VersionStep) -> [Diagnostic] {
  let retired = Set(step.old.retired + step.new.retired)
  var found: [Diagnostic] = []
  for entity in step.new.model.entities {
    if retired.contains(entity.name) { found.append(.retiredName(entity.name, step.subject(entity.name))) }
    let names = step.after.members(in: entity.attributes).map(\.name) + entity.attributes.map(\.name)
    for name in Set(names).sorted() + entity.relationships.map(\.name) {
      let full = "\(entity.name).\(name)"
      if retired.contains(full) { found.append(.retiredName(full, step.subject(entity.name, name))) }
    }
  }
  return found
}

extension Diagnostic.Code {
  package static let retiredNameUsed = Self("MC7015")
}

extension Diagnostic {
  fileprivate static func retiredName(_ name: String, _ subject: ModelSubject) -> Self {
    Self(
      .retiredNameUsed, .error, "'\(name)' is retired, and stands in '\(subject.version ?? "")' again",
      subject: subject,
      notes: ["stores that skip the version between would bring its old values along under the new meaning"],
      help: ["take another name; or, if nothing was given up, take '\(name)' out of `retired:`"])
  }
}
