import ManagedModel

extension ChangeMerger {
  /// Takes away what a `remove:` lists, before anything is changed or added.
  ///
  /// Each element is a name or a path of names: at the top `Hut`, `Hut.fax`, `composites.Position`; in an entity
  /// `fax` or one of its keys. A name comes before a key that is spelt like it.
  func remove(
    _ list: YAMLNode, from pairs: inout [YAMLNode.Pair], _ level: ChangeLevel, _ subject: ModelSubject
  ) {
    let all = subject.part("remove")
    guard let elements = reading.elements(of: list, all) else { return }
    for (index, element) in elements.enumerated() {
      guard let path = reading.text(of: element, all.element(index)) else { continue }
      if !removePart(path[...], of: &pairs, level) {
        let name = [subject.dotted, path].filter { !$0.isEmpty }.joined(separator: ".")
        var finding = Diagnostic(
          .nothingToChange, .error, "'\(origin.abridged)' has no '\(name.abridged)' to remove", subject: all,
          place: element.range)
        if let near = nearestName(to: path, among: names(near: path, among: pairs, level)) {
          let text = near.yamlScalar(.text, inFlow: true)
          finding.help = ["did you mean '\(near.abridged)'?"]
          finding.fixIts = [Diagnostic.FixIt("write '\(near)'", range: element.range, replacement: text)]
        } else {
          finding.help = ["name an entity, 'Entity.property', or another part as a path: 'composites.Name'"]
        }
        reading.diagnostics.append(finding)
      }
    }
  }

  private func removePart(_ path: Substring, of pairs: inout [YAMLNode.Pair], _ level: ChangeLevel) -> Bool {
    for section in level.sections {
      guard let index = pairs.firstIndex(where: { $0.key == section }) else { continue }
      if removePart(path, within: &pairs[index].value, level.below(section)) { return true }
    }
    for index in pairs.indices where path.hasPrefix(pairs[index].key) {
      let rest = path.dropFirst(pairs[index].key.count)
      if rest.isEmpty {
        pairs.remove(at: index)
        return true
      }
      let below = level.below(pairs[index].key)
      guard rest.first == ".", below != .value else { continue }
      if removePart(rest.dropFirst(), within: &pairs[index].value, below) { return true }
    }
    return false
  }

  private func removePart(_ path: Substring, within node: inout YAMLNode, _ level: ChangeLevel) -> Bool {
    var long = node.longForm(level)
    guard case .mapping(var pairs) = long.content, removePart(path, of: &pairs, level) else { return false }
    long.content = .mapping(pairs)
    node = YAMLNode(content: long.content, span: long.span.merged, source: long.source)
    return true
  }

  /// What could have been meant: the names at the end of as much of the path as is right.
  private func names(near path: String, among pairs: [YAMLNode.Pair], _ level: ChangeLevel) -> [String] {
    let named = level.sections.flatMap { section -> [(pair: YAMLNode.Pair, level: ChangeLevel)] in
      guard case .mapping(let inner)? = pairs.first(where: { $0.key == section })?.value.content else {
        return []
      }
      return inner.map { ($0, level.below(section).below($0.key)) }
    }
    let candidates = named + pairs.map { ($0, level.below($0.key)) }
    for (pair, below) in candidates where path.hasPrefix(pair.key + ".") {
      guard case .mapping(let inner) = pair.value.longForm(below).content else { continue }
      let rest = String(path.dropFirst(pair.key.count + 1))
      return names(near: rest, among: inner, below).map { "\(pair.key).\($0)" }
    }
    return candidates.map(\.pair.key)
  }
}
