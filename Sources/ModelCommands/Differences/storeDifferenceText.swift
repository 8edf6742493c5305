import ManagedModel
import ModelFormats
import ReleaseChecks

extension StoreDifference {
  /// What differs between two stores' objects, entity by entity.
  func text(_ old: String, _ new: String) -> String {
    var lines = ["\(old) → \(new): \(counts(of: entities))"]
    if unreadableCount > 0 {
      lines.append(
        "\(counted(unreadableCount, "cell")) without a value of the property's type, or without its file; see `modelc verify \(old.shellWord) \(new.shellWord)`"
          .runnable
      )
    }
    for entity in entities {
      if entity.differing == 0, !entity.isOneSided { continue }
      lines += ["", entity.title]
      let sides = [(old, entity.onlyBefore), (new, entity.onlyAfter)]
      let oneSided = sides.filter { entity.isOneSided && !$0.1.isEmpty }
      lines += oneSided.map { "  only in \($0.0), not compared: \($0.1.joined(separator: ", "))" }
      lines += entity.objects.flatMap(\.lines)
      let left = entity.differing - entity.objects.count
      if left > 0 { lines.append("  … and \(grouped(left)) more: `--limit` shows them") }
    }
    return lines.shownLines
  }

  /// The object of `diff OLD NEW`.
  static let result = JSONObject<(old: String, new: String, found: Self)>(
    "objectDifference", "What differs between the objects of two stores."
  ).adding([
    "from": .value({ ($0.old, $0.found.from) }, as: side),
    "to": .value({ ($0.new, $0.found.to) }, as: side),
    "entities": .value(\.found.entities),
    "unreadable": .value(\.found.unreadableCount, "Cells that hold no value of their property."),
    "diagnostics": .diagnostics { _ in [] },
  ])

  private static let side = JSONObject<(store: String, version: String)>("side", "One of the stores.")
    .adding(["store": .store(\.store), "version": .value(\.version)])
}

private func counts(of all: [StoreDifference.Entity]) -> String {
  func sum(_ number: (StoreDifference.Entity) -> Int) -> Int { all.reduce(0) { $0 + number($1) } }
  let parts = [(sum(\.added), "added"), (sum(\.removed), "removed"), (sum(\.changed), "changed")]
    .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
  let same = "\(counted(sum(\.equal), "object")) equal"
  let none = all.contains(where: \.isOneSided) ? "no difference in what both have" : "no difference"
  return parts.isEmpty ? "\(none), \(same)" : (parts + [same]).joined(separator: ", ")
}

extension StoreDifference.Entity: JSONResult {
  /// `Hut → Cabin, by name: 1 added, 12 objects equal`
  var title: String {
    let names = before.flatMap { old in after.map { old == $0 ? old : "\(old) → \($0)" } } ?? name
    return "\(names), \(identity.text): \(counts(of: [self]))"
  }

  static let result = JSONObject<Self>("differingEntity", "The objects of one entity on both sides.").adding([
    "from": .value(\.before), "to": .value(\.after), "matchedBy": .value(\.identity),
    "before": .value(\.beforeCount, "Objects."), "after": .value(\.afterCount, "Objects."),
    "equal": .value(\.equal), "added": .value(\.added), "removed": .value(\.removed),
    "changed": .value(\.changed), "notCompared": .value(\.self, as: oneSided),
    "objects": .value(\.objects, "Those that differ."),
  ])

  private static let oneSided = JSONObject<Self>("oneSided", "Properties that only one store has.")
    .adding(["from": .value(\.onlyBefore), "to": .value(\.onlyAfter)])
}

extension StoreDifference.Identity: JSONResult {
  /// By what objects were matched.
  var text: String {
    switch self {
    case .primaryKey: "by primary key"
    case .content: "by all attributes"
    default: "by \(attributes.joined(separator: " and "))"
    }
  }

  static let result = JSONObject<Self>("match", "How objects are matched.").adding([
    "kind": .value(.words(["primaryKey", "option", "constraint", "identifier", "content"], ""), \.kind),
    "attributes": .value(\.attributes),
  ])

  private var kind: String {
    switch self {
    case .primaryKey: "primaryKey"
    case .chosen: "option"
    case .constraint: "constraint"
    case .identifier: "identifier"
    case .content: "content"
    }
  }
}

extension StoreDifference.Object: JSONResult {
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

  static let result = JSONObject<Self>("differingObject", "An object that is not the same in both.").adding([
    "kind": .word(\.kind), "primaryKeys": .value(\.self, as: keys),
    "identity": .named(
      { $0.identity.map { ($0.name, $0.after ?? $0.before) } }, "The values by which it was found."),
    "properties": .list(\.properties, of: property),
  ])

  private static let keys = JSONObject<Self>("keys", "Its primary keys.")
    .adding(["from": .value(\.before), "to": .value(\.after)])

  private static let property = JSONObject<StoreDifference.Property>(
    "differingProperty", "A property that differs."
  ).adding(["name": .value(\.name), "from": .value(.anything, \.before), "to": .value(.anything, \.after)])
}

extension StoreDifference.Property {
  func text(of kind: StoreDifference.Object.Kind) -> String {
    if case .objects? = before ?? after, kind == .changed { return memberText }
    let (old, new) = (before.map(\.text) ?? "nil", after.map(\.text) ?? "nil")
    switch kind {
    case .added: return new
    case .removed: return old
    case .changed:
      // Dates that differ by less than a microsecond are told by their seconds.
      if old == new, case .value(let before)? = before, case .value(let after)? = after {
        return "\(before.objectText.abridged) → \(after.objectText.abridged)"
      }
      return "\(old) → \(new)"
    }
  }

  private var memberText: String {
    var parts: [String] = []
    if case .objects(let gone)? = before { parts += gone.dropLast(moved.count).map { "- \($0)" } }
    if case .objects(let new)? = after { parts += new.dropLast(moved.count).map { "+ \($0)" } }
    return (parts + moved.map { "\($0) moved" }).joined(separator: ", ")
  }
}

extension StoreDifference.Value: JSONWritable {
  var text: String {
    switch self {
    case .value(.string(let text)): "'\(text.abridged)'"
    case .value(.date(let seconds)): seconds.isoDate ?? AttributeValue.date(seconds).objectText
    case .value(let value): value.objectText.abridged
    case .object(let label): label.abridged
    case .objects(let labels): labels.map { $0.abridged }.joined(separator: ", ")
    }
  }

  static let shape = JSONShape.anything

  var json: JSONValue {
    switch self {
    case .value(let value): value.json
    case .object(let label): .string(label)
    case .objects(let labels): JSONValue(labels)
    }
  }
}
