package import ManagedModel

/// One stage as `versions.yaml` has it, with the places of the versions that it names.
package struct StageEntry: Hashable, Sendable {
  package var stage: MigrationStage
  var namePlaces: [SourceRange] = []

  /// The names with their places.
  var mentions: [(name: String, place: SourceRange?)] {
    stage.versionNames.enumerated().map { index, name in
      (name, namePlaces.indices.contains(index) ? namePlaces[index] : nil)
    }
  }
}

private let stageSchema = Schema<StageKeys>(
  "a stage",
  [
    Field("lightweight", \.lightweight, .texts), Field("custom", \.custom, .texts),
    Field("willMigrate", \.willMigrate, .text), Field("didMigrate", \.didMigrate, .text),
    Field("label", \.label, .text),
  ],
  choices: [["lightweight", "custom"]],
  hints: [
    "willMigrateHandler": "willMigrate", "didMigrateHandler": "didMigrate", "before": "willMigrate",
    "after": "didMigrate", "name": "label", "from": "a step is 'custom: [V1, V2]'",
    "to": "a step is 'custom: [V1, V2]'",
  ])

extension Form<StageEntry> {
  static let stageEntry = Form(stageSchema.shape) { node, subject, reading in
    guard case .mapping = node.content else {
      return reading.refuse(node) {
        .wrongKind(
          node, wanted: "a stage is a mapping", help: ["write {lightweight: [V1, V2]} or {custom: [V1, V2]}"])
      }
    }
    let keys = stageSchema.read(node, from: StageKeys(), about: subject, reading)
    guard isStage(node, keys, reading), let stage = keys.stage else { return nil }
    let names = node["lightweight"] ?? node["custom"]
    return StageEntry(stage: stage, namePlaces: names?.elements.map(\.range) ?? [])
  } write: {
    .mapping(stageSchema.write(StageKeys($0.stage)))
  }
}

/// What the keys have to say together.
private func isStage(_ node: YAMLNode, _ keys: StageKeys, _ reading: LanguageReading) -> Bool {
  switch (node["lightweight"], node["custom"]) {
  case (nil, nil):
    reading.diagnostics.append(.missingKey("'lightweight' or 'custom'", in: "a stage", at: node))
    return false
  case (_?, let custom?):
    reading.diagnostics.append(
      .badStage("a stage is either 'lightweight' or 'custom'", custom.range, help: "split it in two"))
    return false
  case (let lightweight?, nil):
    guard let names = keys.lightweight else { return false }
    if names.isEmpty {
      reading.diagnostics.append(
        .badStage(
          "a lightweight stage names at least one version", lightweight.range,
          help: "remove it, or list the versions: inference migrates each to the last one"))
    }
    for key in ["willMigrate", "didMigrate"] {
      guard let pair = node.pair(key) else { continue }
      let step = names.count == 2 ? "custom: [\(names.joined(separator: ", ").abridged)]" : "custom: [V1, V2]"
      reading.diagnostics.append(
        .badStage(
          "a lightweight stage has no '\(key)': no handler runs during inference", pair.keyRange,
          help: "a step with handlers is '\(step)'"))
    }
    return !names.isEmpty
  case (nil, let custom?):
    guard let names = keys.custom else { return false }
    if names.count != 2 {
      reading.diagnostics.append(
        .badStage(
          "a custom stage leads from one version to one other", custom.range,
          help: "write 'custom: [V1, V2]'"))
    }
    return names.count == 2
  }
}

extension Diagnostic {
  fileprivate static func badStage(_ message: String, _ place: SourceRange, help: String) -> Diagnostic {
    Diagnostic(.wrongKind, .error, message, place: place, help: [help])
  }
}
