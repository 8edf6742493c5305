import ManagedModel
import ModelFormats
import ReleaseChecks

extension StoreDifference {
  /// What differs between two stores' objects, entity by entity.
  func text(_ old: String, _ new: String) -> String {
    var lines = ["\(old) → \(new): \(summary)"]
    if unreadableCount > 0 {
      lines.append(
        "\(counted(unreadableCount, "cell")) without a value of the property's type count as empty")
    }
    for entity in entities where entity.differing > 0 {
      lines += ["", entity.title] + entity.objects.flatMap(\.lines)
      let left = entity.differing - entity.objects.count
      if left > 0 { lines.append("  … and \(grouped(left)) more: `--limit` shows them") }
    }
    return lines.shownLines
  }

  var summary: String {
    let all = entities
    return counts(
      added: all.reduce(0) { $0 + $1.added }, removed: all.reduce(0) { $0 + $1.removed },
      changed: all.reduce(0) { $0 + $1.changed }, equal: all.reduce(0) { $0 + $1.equal })
  }
}

private func counts(added: Int, removed: Int, changed: Int, equal: Int) -> String {
  let parts = [(added, "added"), (removed, "removed"), (changed, "changed")].filter { $0.0 > 0 }
    .map { "\(grouped($0.0)) \($0.1)" }
  let same = "\(counted(equal, "object")) equal"
  return parts.isEmpty ? "no difference, \(same)" : (parts + [same]).joined(separator: ", ")
}

extension StoreDifference.Entity {
  /// `Hut → Cabin, by name: 1 added, 12 objects equal`
  var title: String {
    let names = before.flatMap { old in after.map { old == $0 ? old : "\(old) → \($0)" } } ?? name
    let found = "\(names), \(identity.text): "
    return found + counts(added: added, removed: removed, changed: changed, equal: equal)
  }
}

extension StoreDifference.Identity {
  /// By what objects were matched.
  var text: String {
    switch self {
    case .primaryKey: "by primary key"
    case .content: "by all attributes"
    default: "by \(attributes.joined(separator: " and "))"
    }
  }
}

extension StoreDifference.Object {
  var sign: String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }

  /// Its identity, or its primary key where all attributes are that.
  var label: String {
    if identity.isEmpty { return "p\(after ?? before ?? 0)" }
    return identity.map { "\($0.name) \(($0.after ?? $0.before).map(\.text) ?? "nil")" }
      .joined(separator: ", ")
  }

  fileprivate var lines: [String] {
    ["  \(sign) \(label)"] + properties.map { "      \($0.name): \($0.text(of: kind))" }
  }
}

extension StoreDifference.Property {
  func text(of kind: StoreDifference.Object.Kind) -> String {
    if case .objects? = before ?? after, kind == .changed { return memberText }
    let (old, new) = (before.map(\.text) ?? "nil", after.map(\.text) ?? "nil")
    switch kind {
    case .added: return new
    case .removed: return old
    case .changed: return "\(old) → \(new)"
    }
  }

  private var memberText: String {
    var parts: [String] = []
    if case .objects(let gone)? = before { parts += gone.map { "- \($0)" } }
    if case .objects(let new)? = after { parts += new.map { "+ \($0)" } }
    return parts.joined(separator: ", ")
  }
}

extension StoreDifference.Value {
  var text: String {
    switch self {
    case .value(.string(let text)): "'\(text.abridged)'"
    case .value(let value): value.objectText.abridged
    case .object(let label): label.abridged
    case .objects(let labels): labels.map { $0.abridged }.joined(separator: ", ")
    }
  }
}
