package import Foundation
package import ManagedModel

/// The text of a mapping file, bound to the two versions as they are now; everything else stays as it is.
///
/// The hashes are those of the entities that the mapping model names, by their first 16 digits.
///
/// - Parameter versions: where the two versions of each mapping model are found by name.
/// - Returns: nil if nothing changes.
/// - Throws: `DiagnosticsError` with what is wrong in the file, where it cannot be read.
package func rebaseMappingFile(
  yaml: Data, file: String, versions: VersionedModel
) throws(DiagnosticsError) -> Data? {
  let reading = readMappingFile(yaml: yaml, file: file)
  // Wrong digits are what a rebase mends.
  let errors = reading.diagnostics.filter { $0.severity == .error && $0.code != .wrongKind }
  guard errors.isEmpty, let root = readYAML(yaml, file: file).node else { throw DiagnosticsError(errors) }
  var nodes = [root]
  if case .sequence(let elements) = root.content { nodes = elements }
  var edits: [TextEdit] = []
  for (node, model) in zip(nodes.filter { !$0.isEmpty }, reading.mappingModels) {
    guard let source = versions.version(named: model.sourceVersionName),
      let destination = versions.version(named: model.destinationVersionName)
    else { continue }
    let hashes = versionHashes(of: model, from: source, to: destination)
    if hashes != model.versionHashes, let edit = node.settingHashes(hashes) { edits.append(edit) }
  }
  guard !edits.isEmpty else { return nil }
  return applyFixIts([edits.map { $0.fixIt("") }], to: yaml).data
}

/// The beginnings of the hashes of the entities that a mapping model names, by version and entity.
package func versionHashes(
  of model: CustomMappingModel, from source: ModelVersion, to destination: ModelVersion
) -> [String: [String: String]] {
  func hashes(_ names: [String?], _ version: ModelVersion) -> [String: String] {
    var found: [String: String] = [:]
    for name in names.compactMap(\.self) {
      found[name] = version.entityVersionHashesByName[name].map { String($0.hexadecimal.prefix(16)) }
    }
    return found
  }
  var result = [source.name: hashes(model.entityMappings.map(\.sourceEntityName), source)]
  result[destination.name, default: [:]]
    .merge(hashes(model.entityMappings.map(\.destinationEntityName), destination)) { hash, _ in hash }
  return result.filter { !$0.value.isEmpty }
}

extension YAMLNode {
  /// The mapping model with these hashes, in the place of the old ones or below the versions' names.
  fileprivate func settingHashes(_ hashes: [String: [String: String]]) -> TextEdit? {
    guard !span.isFlow else { return nil }
    if let pair = pair("versionHashes"), !pair.value.isEmpty, !pair.value.span.isFlow {
      let start = Int(pair.value.span.start)
      let margin = start - source.lineStart(at: start)
      let lines = hashLines(hashes)
      let text = lines.joined(separator: "\n" + String(repeating: " ", count: margin))
      return edit(start, Int(pair.value.span.end), text)
    }
    if let pair = pair("versionHashes") {
      return edit(
        Int(pair.value.span.start), Int(pair.value.span.end), "{\(hashLines(hashes).joined(separator: ", "))}"
      )
    }
    guard let pair = pair("to") ?? pair("from") else { return nil }
    let start = Int(pair.keySpan.start)
    let margin = String(repeating: " ", count: start - source.lineStart(at: start))
    let lines = hashLines(hashes).map { "\n\(margin)  \($0)" }.joined()
    return newLine(after: max(start, Int(pair.value.span.end) - 1), "\(margin)versionHashes:\(lines)")
  }

  /// `V2: {Hut: 3f…, Trail: 90…}`
  private func hashLines(_ hashes: [String: [String: String]]) -> [String] {
    hashes.sorted { $0.key.precedesInCodePointOrder($1.key) }.map { version, entities in
      let texts = entities.sorted { $0.key.precedesInCodePointOrder($1.key) }.map {
        "\($0.key.yamlScalar(.text, inFlow: true)): \($0.value.yamlScalar(.typed, inFlow: true))"
      }
      return "\(version.yamlScalar(.text, inFlow: true)): {\(texts.joined(separator: ", "))}"
    }
  }
}
