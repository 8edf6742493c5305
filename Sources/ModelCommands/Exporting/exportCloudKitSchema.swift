import Foundation
import ManagedModel
import ReleaseChecks

extension Project {
  /// The CloudKit schema that mirroring needs for a model's current version, for one version, or for what a step adds.
  ///
  /// - Parameter file: a schema as `cktool export-schema` writes it; then only what that lacks.
  func cloudKitSchema(
    of argument: String?, since file: String?
  ) throws -> (text: String, findings: [Diagnostic]) {
    let (from, named) = try versionOrStep(argument)
    if let from, file != nil {
      throw UsageError(
        .fileUnreadable,
        "--since and the step both name what to compare with: '\(from.label.visible)' and a file",
        help: ["name a version instead of the step"])
    }
    let mirrored = MirroredSchema(named.version.model)
    let former =
      try from.map { MirroredSchema($0.version.model).schema }
      ?? file.map { try CloudKitSchema(reading: readFile(URL(filePath: $0), shownAs: $0), file: $0) }
    guard let former, let formerName = from?.label ?? file else {
      let head = [
        "What \(named.label.visible) needs of CloudKit with NSPersistentCloudKitContainer.",
        "Merge it into what `cktool export-schema` writes: an import may not omit what production has, and",
        "indexes that it does not name are dropped.",
      ]
      return (mirrored.text(mirrored.schema, head: head), named.diagnostics)
    }
    let difference = mirrored.schema.difference(from: former)
    let names = "What \(named.label.visible) needs of CloudKit and \(formerName.visible) lacks"
    let head =
      ["\(names)\(difference.addedPaths.isEmpty ? ": nothing." : ", to be merged into that.")"]
      + difference.removed.map { "no longer in the model, but stays in production: \($0.visible)" }
      + difference.retyped.map { "cannot change: \($0.path.visible) from \($0.old) to \($0.new)" }
    let text = mirrored.text(
      difference.added, head: head,
      parts: Set(difference.added.recordTypes.keys).subtracting(difference.newTypes))
    let findings = difference.retyped.map {
      Diagnostic(
        .changeNotAdditive, .error,
        "\($0.path.visible): \($0.old) → \($0.new): CloudKit's schema in production only grows",
        place: file.map { SourceRange(startOf: $0) },
        notes: ["a field that was deployed keeps its type, and an import of another one is refused"],
        help: ["add a new attribute, and stop using the old one"])
    }
    return (text, ((from?.diagnostics ?? []) + named.diagnostics + findings).ordered)
  }
}

extension MirroredSchema {
  fileprivate func text(_ part: CloudKitSchema, head: [String], parts: Set<String> = []) -> String {
    let unnameable = unnameable.map { "omitted, because CloudKit does not allow its name: \($0.visible)" }
    let general = part.recordTypes.isEmpty ? [] : ["not documented: \(Self.generalNote)"]
    return part.text(head: head + unnameable + general, notes: notes, parts: parts)
  }
}
