import ManagedModel
import ModelMapping

/// A difference as a Mermaid class diagram: each changed entity a class, each change a member, marked `+` for
/// what was added, `-` for what was removed, `#` for what is different.
func differenceMermaid(_ difference: VersionDifference, later: ManagedObjectModel) -> String {
  let groups = entityGroups(difference.changes)
  var lines = [
    "classDiagram",
    "  %% \(member(difference.from)) → \(member(difference.to)): + added, - removed, # changed",
  ]
  for (index, group) in groups.enumerated() {
    lines.append("  class E\(index)[\"\(member(group.entity))\"] {")
    lines += group.changes.map { "    " + line($0, in: group.entity) }
    lines.append("  }")
  }
  let ids = Dictionary(firstOf: groups.enumerated().map { ($1.entity, "E\($0)") })
  for entity in later.entities {
    guard let parent = entity.superentityName.flatMap({ ids[$0] }), let child = ids[entity.name] else {
      continue
    }
    lines.append("  \(parent) <|-- \(child)")
  }
  for (style, colours) in [
    ("added", "fill:#dafbe1,stroke:#1a7f37"), ("removed", "fill:#ffebe9,stroke:#cf222e"),
  ] {
    let members = groups.indices.filter { groups[$0].style == style }.map { "E\($0)" }
    if members.isEmpty { continue }
    lines.append("  classDef \(style) \(colours)")
    lines.append("  cssClass \"\(members.joined(separator: ","))\" \(style)")
  }
  return lines.shownLines
}

private struct EntityGroup {
  var entity: String
  var changes: [ModelChange]

  /// `added` or `removed` where the whole entity is.
  var style: String? {
    changes.first { $0.property == nil && $0.fact == nil && ($0.kind == .added || $0.kind == .removed) }?.kind
      .rawValue
  }
}

/// The changes of each entity. Changes of no entity are a class of their own.
private func entityGroups(_ changes: [ModelChange]) -> [EntityGroup] {
  var groups: [EntityGroup] = []
  for change in changes {
    let name = change.entity ?? "model"
    if groups.last?.entity == name {
      groups[groups.count - 1].changes.append(change)
    } else {
      groups.append(EntityGroup(entity: name, changes: [change]))
    }
  }
  return groups
}

private func line(_ change: ModelChange, in entity: String) -> String {
  let sign =
    switch change.kind {
    case .added: "+"
    case .removed: "-"
    case .renamed, .moved, .changed: "#"
    }
  // The class says which entity it is.
  let prefix = [entity + ".", entity + ": "].first { change.line.hasPrefix($0) } ?? ""
  return sign + " " + member(String(change.line.dropFirst(prefix.count)))
    + (change.isHashed ? ", moves hash" : "")
}

/// Without characters that mean something to Mermaid: brackets of methods and generics, ends of statements.
private func member(_ text: String) -> String {
  let replacements: [Unicode.Scalar: String] = [
    "(": "[", ")": "]", "{": "[", "}": "]", "<": "‹", ">": "›", "~": "∼", "\"": "'", ";": ",", "*": "∗",
    "$": "＄",
    "%": "٪", "`": "'",
  ]
  return visible(text).escaped { replacements[$0] }
}
