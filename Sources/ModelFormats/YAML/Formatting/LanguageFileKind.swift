import ManagedModel

/// What a file of the language is: what its keys mean, and in which order they stand.
package enum LanguageFileKind: String, Hashable, Sendable, CaseIterable {
  // The names of their schemas.
  case version = "model.schema.json"
  case versionList = "versions.schema.json"
  case mapping = "mapping.schema.json"
  /// Of the `modelc.yaml` beside an Xcode package.
  case settings = "modelc.schema.json"

  /// Judged by the schema that the file's first line names, by its name, and by its keys.
  ///
  /// - Parameter text: the beginning of the file.
  init?(_ root: YAMLNode, file: String, text: String) {
    let name = file.pathParts.last ?? ""
    let isVersionList = name == versionListFileName && root["versions"] != nil
    let named: Self? = isVersionList ? .versionList : name == packageSettingsFileName ? .settings : nil
    guard let kind = Self(schemaIn: text) ?? named ?? Self.judged(byKeysOf: root) else { return nil }
    self = kind
  }

  /// - Parameter text: the beginning of a file.
  package init?(schemaIn text: String) {
    let first = text.prefix { !$0.isNewline }
    guard first.hasPrefix(schemaComment(path: "")),
      let kind = Self.allCases.first(where: {
        first.hasSuffix("/" + $0.rawValue) || first.hasSuffix("=" + $0.rawValue)
      })
    else { return nil }
    self = kind
  }

  private static func judged(byKeysOf root: YAMLNode) -> Self? {
    if case .sequence(let elements) = root.content {
      // Several mapping models of one step.
      return elements.first.flatMap { judged(byKeysOf: $0) } == .mapping ? .mapping : nil
    }
    guard case .mapping(let pairs) = root.content else { return nil }
    let keys = Set(pairs.map(\.key))
    if keys.contains("entities") || keys.contains("extends") { return .version }
    if keys.isSuperset(of: ["from", "to"]), keys.isSubset(of: Self.mapping.shape.keys) { return .mapping }
    if keys.isSuperset(of: ["current", "versions"]) { return .versionList }
    return !keys.isEmpty && keys.isSubset(of: Self.settings.shape.keys) ? .settings : nil
  }

  var shape: ValueShape { Self.shapes[self] ?? .unstated }

  private static let shapes: [Self: ValueShape] = [
    .version: modelSchema.shape, .versionList: versionListSchema.shape,
    .mapping: .either([mappingModelSchema.shape, .list(of: mappingModelSchema.shape)]),
    .settings: packageSettingsSchema.shape,
  ]
}
