import ManagedModel
import ModelMigration

extension Downgrade: JSONResult {
  /// The downgrade under a plan, in a line or two.
  func text() -> String {
    var lines = [
      "", "  back   \(path.joined(separator: " → ")), \(isMapped ? "mapped" : "inferred")",
    ]
    if let error = diagnostics.first(where: { $0.severity == .error }) {
      lines.append("         refused: \(error.message)  [\(error.code)]")
    } else if dropped.isEmpty {
      lines.append("         loses nothing that inference knows of")
    } else {
      let shown = dropped.prefix(8).joined(separator: ", ")
      let rest = dropped.count > 8 ? " and \(dropped.count - 8) more" : ""
      lines.append("         has no place for \(shown)\(rest)")
    }
    lines += diagnostics.filter { $0.severity < .error }.map { "         \($0.message)  [\($0.code)]" }
    return lines.map(\.printable).joined(separator: "\n")
  }

  /// The member `back` of the object of `plan`.
  static let result = JSONObject<Self>("wayBack", "The downgrade to the earlier version.").adding([
    "path": .value(\.path, "The versions, the later one first."),
    "mapped": .value(\.isMapped, "Whether a mapping model is stated for it."),
    "dropped": .value(\.dropped, "What has no place there: Entity or Entity.property."),
    "diagnostics": .diagnostics(\.diagnostics),
  ])
}
