import ManagedModel

/// What the types are called that a model becomes, and the versions of its schemas.
struct SchemaNames {
  /// The numbers are the parts of its `Schema.Version`.
  typealias Schema = (name: String, numbers: [Int])

  let plan: String
  private let schemas: [String: Schema]

  init(_ model: VersionedModel) {
    // `my-app` as `MyApp`.
    let words = model.name.split { !$0.isLetter && !$0.isNumber }
    let name = (words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()).plainSwiftName()
    plan = "\(name)MigrationPlan"
    let numbers = schemaNumbers(of: model.versions)
    schemas = Dictionary(
      firstOf: zip(model.versions, numbers).map { version, numbers in
        var shown = numbers
        while shown.count > 1, shown.last == 0 { shown.removeLast() }
        let number = shown.map(String.init).joined(separator: "_")
        return (version.name, (name: version.typeName ?? "\(name)V\(number)", numbers: numbers))
      })
  }

  subscript(version: String) -> Schema? { schemas[version] }
}

/// Three numbers for each version: those of its identifier where every version has one, else those at the end of its
/// name. Where such would not ascend, its place among the versions.
private func schemaNumbers(of versions: [ModelVersion]) -> [[Int]] {
  let identifiers = versions.map { version -> [Int]? in
    let identifiers = version.model.versionIdentifiers
    return identifiers.count == 1 ? numbers(identifiers[0], at: #/[0-9]+(\.[0-9]+){0,2}/#) : nil
  }
  // Xcode calls the first version like the model, and the next ones `App 2` and `App 3`.
  let names = versions.map { version in
    let end = version.name.firstMatch(of: #/[0-9]+([._][0-9]+){0,2}$/#).map { String($0.0) }
    return end.map { numbers($0, at: #/.*/#) } ?? [1, 0, 0]
  }
  for candidates in [identifiers, names] {
    let known = candidates.compactMap(\.self)
    let ascends = zip(known, known.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    if known.count == versions.count, ascends { return known }
  }
  return versions.indices.map { [$0 + 1, 0, 0] }
}

private func numbers(_ text: String, at pattern: Regex<some Any>) -> [Int]? {
  guard text.wholeMatch(of: pattern) != nil else { return nil }
  let parts = text.split { $0 == "." || $0 == "_" }.compactMap { $0.count < 10 ? Int($0) : nil }
  return parts.isEmpty ? nil : Array((parts + [0, 0]).prefix(3))
}
