package import ManagedModel

/// Puts a version together from the one that it extends and what it says itself.
///
/// Mappings go into mappings key by key, and anything else is replaced, as in a JSON Merge Patch (RFC 7386); what
/// is to go stands under `remove`. New names come after the ones that are there.
struct ChangeMerger {
  /// The extended version's name.
  let origin: String
  let reading: LanguageReading

  /// - Parameter subject: what both nodes are, for messages.
  func merge(
    _ change: YAMLNode, into base: YAMLNode, _ level: ChangeLevel, _ subject: ModelSubject
  ) -> YAMLNode {
    let base = base.longForm(level)
    guard level != .value, case .mapping(let changes) = change.content,
      case .mapping(var pairs) = base.content
    else { return change }
    if level.hasKeys, let list = change["remove"] { remove(list, from: &pairs, level, subject) }
    makeRoom(for: change, in: &pairs, level)
    var positions: [String: Int] = [:]
    for (index, pair) in pairs.enumerated() { positions[pair.key] = index }
    for (index, pair) in changes.enumerated() where !(level.hasKeys && pair.key == "remove") {
      let inner = self.subject(of: pair.key, in: level, subject)
      if let position = positions[pair.key] {
        let old = pairs[position].value
        if !level.mayRepeatKeys, says(old, pair.value, level.below(pair.key)) {
          reading.diagnostics.append(
            .changesNothing, .error,
            "'\(inner.dotted.abridged)' is already the same in '\(origin.abridged)': this changes nothing",
            subject: inner, place: pair.keyRange,
            fixIts: change.removal(at: index).map { [$0.fixIt("remove it", isSafe: true)] } ?? [],
            help: ["a version inherits everything that it does not change"])
        } else {
          pairs[position] = pair
          pairs[position].value = merge(pair.value, into: old, level.below(pair.key), inner)
        }
      } else if isChangeOfNothing(pair, level, inner, among: pairs, besides: changes) {
        continue
      } else {
        pairs.append(pair)
      }
    }
    return YAMLNode(content: .mapping(pairs), span: change.span.merged, source: change.source)
  }

  private func subject(of key: String, in level: ChangeLevel, _ subject: ModelSubject) -> ModelSubject {
    switch level {
    case .names(.entity): ModelSubject(entity: key)
    case .names(.attribute) where subject.entity != nil, .names(.relationship), .names(.fetchedProperty):
      ModelSubject(entity: subject.entity, property: key)
    default: subject.part(key)
    }
  }

  /// Takes away what the change says in another key, and what is not handed on.
  private func makeRoom(for change: YAMLNode, in pairs: inout [YAMLNode.Pair], _ level: ChangeLevel) {
    switch level {
    case .model: pairs.removeAll { $0.key == "extends" || $0.key == "format" }
    case .attribute:
      // The '?' behind the type is the key 'optional' in short.
      if change["type"] != nil {
        pairs.removeAll { $0.key == "optional" }
      } else if change["optional"] != nil, let index = pairs.firstIndex(where: { $0.key == "type" }),
        case .scalar(let text, let style) = pairs[index].value.content, text.hasSuffix("?")
      {
        pairs[index].value.content = .scalar(String(text.dropLast()), style)
      }
    case .relationship:
      if change["to"] != nil { pairs.removeAll { $0.key == "toMany" } }
      if change["toMany"] != nil { pairs.removeAll { $0.key == "to" } }
    default: break
    }
  }

  /// Whether the change says what is there already, or nothing at all.
  private func says(_ old: YAMLNode, _ new: YAMLNode, _ level: ChangeLevel) -> Bool {
    // A value that was forgotten is for the reader to refuse.
    if new.isEmpty { return level != .value && level != .attribute && level != .objectClass }
    if level == .value { return old.means(new) }
    let long = old.longForm(level)
    guard case .mapping(let changes) = new.content, case .mapping = long.content else {
      return long.means(new.longForm(level))
    }
    if changes.isEmpty { return true }
    return level.mayRepeatKeys && changes.allSatisfy { long[$0.key].map($0.value.isWithin) ?? false }
  }

  /// Reports a name that can only be the change of something that is not there.
  private func isChangeOfNothing(
    _ pair: YAMLNode.Pair, _ level: ChangeLevel, _ subject: ModelSubject, among pairs: [YAMLNode.Pair],
    besides changes: [YAMLNode.Pair]
  ) -> Bool {
    guard case .names(let element) = level, let part = element.change(in: pair.value, named: pair) else {
      return false
    }
    let known = pairs.map(\.key).filter { key in !changes.contains { $0.key == key } }
    var finding = Diagnostic(
      .nothingToChange, .error,
      "'\(origin.abridged)' has no \(element.noun) '\(subject.dotted.abridged)' to change", subject: subject,
      place: pair.keyRange)
    // What shows that it is a change.
    if part.keySpan != pair.keySpan {
      finding.notes = [Diagnostic.Note("this can only change an existing part", place: part.keyRange)]
    }
    if let near = nearMatch(to: pair.key, among: known) {
      finding.help = ["did you mean '\(near.name.abridged)'?"]
      let text = near.name.yamlScalar(.text, inFlow: true)
      finding.fixIts = [
        Diagnostic.FixIt(
          "write '\(near.name)'", range: pair.keyRange, replacement: text, isSafe: near.isObvious)
      ]
    } else {
      let article = ["entity", "attribute"].contains(element.noun) ? "an" : "a"
      finding.help = ["to add \(article) \(element.noun), write \(element.statement)"]
    }
    reading.diagnostics.append(finding)
    return true
  }
}

extension Diagnostic.Code {
  package static let nothingToChange = Self("MC2109")
  package static let changesNothing = Self("MC2110")
}

extension YAMLNode {
  /// Whether the other one says all of this.
  fileprivate func isWithin(_ other: YAMLNode) -> Bool {
    guard case .mapping(let pairs) = content, case .mapping = other.content else { return means(other) }
    return pairs.allSatisfy { other[$0.key].map($0.value.isWithin) ?? false }
  }
}

extension ModelSubject {
  /// `Hut.beds.default`
  var dotted: String { [entity, property, key].compactMap(\.self).joined(separator: ".") }
}
