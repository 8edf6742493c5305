import ManagedModel

extension VersionReader {
  /// `#Unique<Trip>([\.name], [\.start, \.end])` and `#Index<Trip>([\.start])`.
  mutating func read(_ macro: SwiftMacro, of entry: TypeEntry) {
    guard macro.name == "Unique" || macro.name == "Index" else { return }
    for argument in macro.arguments {
      guard let (names, collation) = keyPaths(argument.value, from: entry.path) else {
        report(.unreadableMacro(macro, argument.value))
        continue
      }
      if macro.name == "Unique" {
        facts.insert(.compoundUnique, of: entry.name, at: macro.place)
        addConstraint(names, to: entry, at: argument.value.place)
      } else {
        let kind = collation == .binary ? "Binary" : "RTree"
        let name = FetchIndexDescription.swiftDataPrefix + kind + names.joined()
        map[ModelSubject(entity: entry.name, key: "fetchIndexes").part(name)] = argument.value.place
        addIndex(
          FetchIndexDescription(
            name: name,
            elements: names.map { FetchIndexElement(property: $0, collation: collation) }), to: entry)
      }
    }
  }

  private func keyPaths(
    _ value: SwiftExpression, from scope: [String]
  ) -> ([String], FetchIndexCollation)? {
    switch value.form {
    case .array(let elements):
      let names = elements.compactMap { element -> String? in
        guard case .keyPath(let root, let keys) = element.form else { return nil }
        return table.split(root, keys, from: scope)?.names.joined(separator: ".")
      }
      return names.count == elements.count && !names.isEmpty ? (names, .binary) : nil
    // `.rtree([\.latitude, \.longitude])`
    case .call(let called, let arguments):
      guard case .member(of: _, let kind) = called.form, kind == "binary" || kind == "rtree",
        let list = arguments.first?.value, let (names, _) = keyPaths(list, from: scope)
      else { return nil }
      return (names, kind == "rtree" ? .rtree : .binary)
    default: return nil
    }
  }
}

extension Diagnostic {
  fileprivate static func unreadableMacro(_ macro: SwiftMacro, _ value: SwiftExpression) -> Diagnostic {
    Diagnostic(
      .unknownInSource, .error,
      "'\(visible(value.text))' of '#\(visible(macro.name))' is not a list of key paths",
      place: value.place, help: ["write it as `#\(macro.name)<Trip>([\\.name])`"])
  }
}
