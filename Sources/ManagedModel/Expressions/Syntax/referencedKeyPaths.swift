/// A key path that a predicate or an expression reads, and where it begins.
package struct ReferencedKeyPath: Hashable, Sendable {
  package enum Root: Hashable, Sendable {
    case evaluatedObject
    /// A variable that nothing in the expression binds, such as `$source`.
    case variable(String)
  }

  package var root = Root.evaluatedObject
  /// Collection operators included; empty if the root itself is meant.
  package var keys: [String]
}

extension Predicate {
  /// Every key path that it reads, each once, in order of appearance. A path from a subquery's variable is given
  /// from where the subquery's collection begins: `SUBQUERY(songs, $s, $s.length > 9)` reads `songs.length`.
  package var referencedKeyPaths: [ReferencedKeyPath] { KeyPathCollector.keyPaths(in: sides) }
}

extension Expression {
  /// Every key path that it reads; see ``Predicate/referencedKeyPaths``.
  package var referencedKeyPaths: [ReferencedKeyPath] { KeyPathCollector.keyPaths(in: [self]) }
}

private struct KeyPathCollector {
  /// What each variable that a subquery binds stands for; nil if the collection is not a key path.
  typealias Bindings = [String: ReferencedKeyPath?]

  private var found: [ReferencedKeyPath] = []

  static func keyPaths(in expressions: [Expression]) -> [ReferencedKeyPath] {
    var collector = KeyPathCollector()
    for expression in expressions { collector.collect(expression, [:]) }
    return collector.found.unique
  }

  private mutating func collect(_ expression: Expression, _ bindings: Bindings) {
    if let path = path(of: expression, bindings) { found.append(path) }
    collectParts(of: expression, bindings)
  }

  /// The path that the expression is, where it is nothing else.
  private func path(of expression: Expression, _ bindings: Bindings) -> ReferencedKeyPath? {
    switch expression {
    case .evaluatedObject: return ReferencedKeyPath(keys: [])
    case .variable(let name):
      if let bound = bindings[name] { return bound }
      return ReferencedKeyPath(root: .variable(name), keys: [])
    case .keyPath(let keys, nil): return ReferencedKeyPath(keys: keys)
    case .keyPath(let keys, let base?):
      guard var path = path(of: base, bindings) else { return nil }
      path.keys += keys
      return path
    case .index(let base, _): return path(of: base, bindings)
    case .subquery(let collection, _, _): return path(of: collection, bindings)
    default: return nil
    }
  }

  /// What is within an expression: along a path, only what stands in brackets and in subqueries.
  private mutating func collectParts(of expression: Expression, _ bindings: Bindings) {
    switch expression {
    case .keyPath(_, let base?): collectParts(of: base, bindings)
    case .index(let base, let position):
      collectParts(of: base, bindings)
      if case .expression(let index) = position { collect(index, bindings) }
    case .subquery(let collection, let variable, let condition):
      collectParts(of: collection, bindings)
      var inner = bindings
      inner.updateValue(path(of: collection, bindings), forKey: variable)
      for side in condition.sides { collect(side, inner) }
    default: for part in expression.parts { collect(part, bindings) }
    }
  }
}
