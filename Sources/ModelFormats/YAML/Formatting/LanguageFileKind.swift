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
    if let kind = Self(schemaIn: text) {
      self = kind
    } else if name == versionListFileName, root["versions"] != nil {
      self = .versionList
    } else if name == packageSettingsFileName {
      self = .settings
    } else if let kind = Self(keysOf: root) {
      self = kind
    } else {
      return nil
    }
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

  private init?(keysOf root: YAMLNode) {
    if case .sequence(let elements) = root.content {
      // Several mapping models of one step.
      guard let first = elements.first, Self(keysOf: first) == .mapping else { return nil }
      self = .mapping
      return
    }
    guard case .mapping(let pairs) = root.content else { return nil }
    let keys = Set(pairs.map(\.key))
    let isOfMapping = keys.isSuperset(of: ["from", "to"]) && keys.isSubset(of: Self.mapping.shape.keys)
    if keys.contains("entities") || keys.contains("extends") {
      self = .version
    } else if isOfMapping {
      self = .mapping
    } else if keys.isSuperset(of: ["current", "versions"]) {
      self = .versionList
    } else if !keys.isEmpty, keys.isSubset(of: Self.settings.shape.keys) {
      self = .settings
    } else {
      return nil
    }
  }

  var shape: ValueShape { Self.shapes[self] ?? .unstated }

  private static let shapes: [Self: ValueShape] = [
    .version: modelSchema.shape, .versionList: versionListSchema.shape,
    .mapping: .either([mappingModelSchema.shape, .list(of: mappingModelSchema.shape)]),
    .settings: packageSettingsSchema.shape,
  ]
}
