/// A derivation in one of the forms that a store can compute.
enum Derivation: Hashable {
  case keyPath(String)
  /// `canonical:(name)`, `now()`, and the collection operators: `pages.@count` is the function `count:` of `pages`.
  case function(selector: String, path: String?)

  private static let collectionOperators = ["count", "sum", "min", "max", "avg"]

  /// Nil if the text has another form.
  init?(_ text: String) {
    let text = text.filter { !$0.isWhitespace }
    if let match = text.wholeMatch(of: #/(\w+:?)\(([\w.]*)\)/#) {
      let selector = String(match.1)
      guard selector.hasSuffix(":") != match.2.isEmpty else { return nil }
      self = .function(selector: selector, path: match.2.isEmpty ? nil : String(match.2))
      return
    }
    guard text.wholeMatch(of: #/@?\w+(\.@?\w+)*/#) != nil else { return nil }
    let keys = text.split(separator: ".")
    guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else {
      self = .keyPath(text)
      return
    }
    let name = String(keys[place].dropFirst())
    let path = keys[..<place] + keys[(place + 1)...]
    guard place > 0, Self.collectionOperators.contains(name), !path.contains(where: { $0.hasPrefix("@") })
    else { return nil }
    self = .function(selector: name + ":", path: path.joined(separator: "."))
  }

  /// The text that Xcode shows.
  ///
  /// - Parameter isToMany: whether a key path from the entity ends in a to-many; the operator stands after the
  ///   first that does, or after the first key.
  func text(isToMany: ([String]) -> Bool) -> String {
    switch self {
    case .keyPath(let path): return path
    case .function(let selector, nil): return "\(selector)()"
    case .function(let selector, let path?):
      let name = String(selector.dropLast())
      guard Self.collectionOperators.contains(name) else { return "\(selector)(\(path))" }
      let keys = path.split(separator: ".").map(String.init)
      let count = (1...max(keys.count, 1)).first { isToMany(Array(keys.prefix($0))) } ?? 1
      return (keys.prefix(count) + ["@" + name] + keys.dropFirst(count)).joined(separator: ".")
    }
  }
}
