import ManagedModel

/// The tree of one mapping model as the place of everything that it says; see ``CustomMappingModel/sourceMap``.
///
/// A subject's entity is the name of an entity mapping, its property that of a property mapping. A key is one of the
/// entity mapping's, `groupBy[1]` an element of it; beside a property it is the section, and the value is meant.
final class MappingOutline: SourceOutline {
  private let root: YAMLNode
  private let file: String

  init(_ root: YAMLNode, file: String) { (self.root, self.file) = (root, file) }

  func range(of subject: ModelSubject) -> SourceRange? {
    guard let spot = spot(of: subject) else { return nil }
    // A name stands for what it names, and so does a key behind which nothing stands.
    if let pair = spot.pair, spot.isName || spot.node.isEmpty { return pair.keyRange }
    return spot.node.range
  }

  func textRange(of subject: ModelSubject) -> SourceRange? {
    spot(of: subject).flatMap { $0.value.textRange }
  }

  func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt? {
    guard let spot = spot(of: edit.subject), spot.node.source.file == file else { return nil }
    let made: TextEdit? =
      switch edit.change {
      case .rename(let name):
        spot.pair.map { TextEdit(range: $0.keyRange, text: name.yamlScalar(.text, inFlow: true)) }
      case .replace(.text(let text)):
        TextEdit(range: spot.value.range, text: text.yamlScalar(.text, inFlow: true))
      case .replaceWord(let word, let replacement): spot.value.replacingWord(word, with: replacement)
      default: nil
      }
    return made?.fixIt(edit.message, isSafe: edit.isSafe)
  }

  private struct Spot {
    var pair: YAMLNode.Pair?
    var node: YAMLNode
    var isName: Bool

    /// The expression of a property mapping in the long form, else the node itself.
    var value: YAMLNode { node["expression"] ?? node }
  }

  private func spot(of subject: ModelSubject) -> Spot? {
    guard let name = subject.entity else {
      return subject.key.flatMap { root.pair($0) }.map { Spot(pair: $0, node: $0.value, isName: true) }
    }
    guard let mapping = root["entityMappings"]?.pair(name) else { return nil }
    if let property = subject.property {
      for section in ["attributes", "relationships"] where subject.key ?? section == section {
        guard let pair = mapping.value[section]?.pair(property) else { continue }
        return Spot(pair: pair, node: pair.value, isName: subject.key == nil)
      }
      return nil
    }
    guard let key = subject.key else { return Spot(pair: mapping, node: mapping.value, isName: true) }
    if let bracket = key.firstIndex(of: "["), key.last == "]" {
      guard case .sequence(let elements)? = mapping.value[String(key[..<bracket])]?.content,
        let index = Int(key[key.index(after: bracket)...].dropLast()), elements.indices.contains(index)
      else { return nil }
      return Spot(pair: nil, node: elements[index], isName: false)
    }
    guard let pair = mapping.value.pair(key) else { return nil }
    // One key is written without a list around it, or in it.
    if case .sequence(let elements) = pair.value.content, elements.count == 1 {
      return Spot(pair: pair, node: elements[0], isName: false)
    }
    return Spot(pair: pair, node: pair.value, isName: false)
  }
}
