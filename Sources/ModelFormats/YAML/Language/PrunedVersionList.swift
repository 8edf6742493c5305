package import Foundation
package import ManagedModel

/// A `versions.yaml`, or what a `modelc.yaml` says of a package, without some versions: their entries, and what names them as
/// predecessors, in stages and in included models. Comments and everything else stay as they are.
package struct PrunedVersionList {
  /// A place that has to be edited by hand.
  package struct ManualEditNeeded: Error { package var place: SourceRange }

  package private(set) var text: Data
  private let removed: Set<String>
  private let unretired: Set<String>

  /// - Parameters:
  ///   - section: the keys that lead to the model in a `modelc.yaml` of several packages.
  ///   - unretired: names that need no word under `retired:` any more.
  package init(
    _ yaml: Data, file: String, section: [String] = [], without removed: Set<String>,
    unretired: Set<String> = []
  ) throws(ManualEditNeeded) {
    (text, self.removed, self.unretired) = (yaml, removed, unretired)
    // One at a time, so that places stay good.
    while let node = section.reduce(readYAML(text, file: file).node, { $0?[$1] }), let next = edit(of: node) {
      guard let edit = next.edit else { throw ManualEditNeeded(place: next.place) }
      let edited = applyFixIts([[edit.fixIt("")]], to: text).data
      if edited == text { throw ManualEditNeeded(place: next.place) }
      text = edited
    }
  }

  private typealias Edit = (place: SourceRange, edit: TextEdit?)

  /// The first edit that is still to be made.
  private func edit(of node: YAMLNode) -> Edit? {
    editOfVersions(node) ?? editOfStages(node) ?? editOfIncludes(node)
      ?? (node["retired"]?.texts ?? []).firstIndex(where: unretired.contains).flatMap {
        node.dropping($0, of: "retired")
      }
  }

  private func editOfVersions(_ node: YAMLNode) -> Edit? {
    var lastOfMainLine: String?
    for (index, entry) in (node["versions"]?.elements ?? []).enumerated() {
      let name = (entry["name"] ?? entry).text ?? ""
      if removed.contains(name) { return node.dropping(index, of: "versions") }
      let origins = entry["from"]?.texts ?? []
      if let place = origins.firstIndex(where: removed.contains) {
        let kept = origins.filter { !removed.contains($0) }
        return kept.isEmpty || kept == [lastOfMainLine]
          ? entry.dropping("from") : entry.dropping(place, of: "from")
      }
      if origins.count != 1 { lastOfMainLine = name }
    }
    return nil
  }

  private func editOfStages(_ node: YAMLNode) -> Edit? {
    let stages = node["stages"]?.elements ?? []
    let names = stages.map { ($0["custom"] ?? $0["lightweight"])?.texts ?? [] }
    for (index, stage) in stages.enumerated() {
      guard let place = names[index].firstIndex(where: removed.contains) else { continue }
      let kept = names[index].filter { !removed.contains($0) }
      let isNamed = names.enumerated().contains { $0 != index && !Set($1).isDisjoint(with: kept) }
      if kept.isEmpty || stage["custom"] != nil && isNamed { return node.dropping(index, of: "stages") }
      guard stage["custom"] != nil else { return stage.dropping(place, of: "lightweight") }
      // A staged migration refuses stores of a version that no stage names.
      let text = "{lightweight: [\(kept.map { $0.yamlScalar(.text, inFlow: true) }.joined(separator: ", "))]}"
      return (stage.range, TextEdit(range: stage.range, text: text))
    }
    return nil
  }

  /// Which version of an included model goes with one that is gone.
  private func editOfIncludes(_ node: YAMLNode) -> Edit? {
    for include in node["include"]?.elements ?? [] {
      guard let versions = include["versions"], case .mapping(let pairs) = versions.content,
        let gone = pairs.first(where: { removed.contains($0.key) })
      else { continue }
      return pairs.count == 1 ? include.dropping("versions") : versions.dropping(gone.key)
    }
    return nil
  }
}

extension YAMLNode {
  /// Of a list of texts, or of one text.
  fileprivate var texts: [String] { text.map { [$0] } ?? elements.map { $0.text ?? "" } }

  /// The mapping without one element of a list in it; without the list, if that is its only one.
  fileprivate func dropping(_ index: Int, of key: String) -> (place: SourceRange, edit: TextEdit?)? {
    guard let list = self[key], list.elements.count > 1 else { return dropping(key) }
    return (list.elements[index].range, list.removal(at: index))
  }

  fileprivate func dropping(_ key: String) -> (place: SourceRange, edit: TextEdit?)? {
    guard case .mapping(let pairs) = content, let place = pairs.firstIndex(where: { $0.key == key }) else {
      return nil
    }
    return (pairs[place].keyRange, removal(at: place))
  }
}
