import ManagedModel
import ModelMigration

/// The downgrade under a plan, in a line or two.
func downgradeText(_ back: Downgrade) -> String {
  var lines = [
    "", "  back   \(back.path.joined(separator: " → ")), \(back.isMapped ? "mapped" : "inferred")",
  ]
  if let error = back.diagnostics.first(where: { $0.severity == .error }) {
    lines.append("         refused: \(error.message)  [\(error.code)]")
  } else if back.dropped.isEmpty {
    lines.append("         loses nothing that inference knows of")
  } else {
    let shown = back.dropped.prefix(8).joined(separator: ", ")
    let rest = back.dropped.count > 8 ? " and \(back.dropped.count - 8) more" : ""
    lines.append("         has no place for \(shown)\(rest)")
  }
  lines += back.diagnostics.filter { $0.severity < .error }.map { "         \($0.message)  [\($0.code)]" }
  return lines.map(printable).joined(separator: "\n")
}

/// The member `back` of the object of `plan`.
extension Downgrade: JSONResult {
  static let result = JSONObject<Self>(
    "wayBack", "The downgrade to the earlier version.",
    [
      "path": .value(\.path, "The versions, the later one first."),
      "mapped": .value(\.isMapped, "Whether a mapping model is stated for it."),
      "dropped": .value(\.dropped, "What has no place there: Entity or Entity.property."),
      "diagnostics": .diagnostics(\.diagnostics),
    ])
}
