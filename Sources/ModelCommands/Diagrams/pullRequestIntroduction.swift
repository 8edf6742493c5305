import ManagedModel

extension VersionDifference {
  /// What a change does to the stores of a model, for the reviewers of a pull request: the step from the version that was
  /// current to the one that is, whether it is lightweight, and a picture where that is small.
  ///
  /// - Returns: nil if the current versions are the same.
  static func introduction(from base: VersionedModel, to model: VersionedModel) -> String? {
    guard let former = base.currentVersion, let current = model.currentVersion else { return nil }
    let difference = VersionDifference(
      from: NamedVersion(former, of: base), to: NamedVersion(current, of: model))
    if difference.isEmpty { return nil }
    let step =
      former.name == current.name
      ? "\(current.name.markdownCode) is edited"
      : "\(former.name.markdownCode) → \(current.name.markdownCode)"
    let changes = difference.changes.map { "- \($0.line.markdownCode)" }
    let shown = changes.prefix(8) + (changes.count > 8 ? ["- … and \(changes.count - 8) more"] : [])
    let update = difference.update.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
    var lines = [
      "**\(model.name.markdownText)**: \(step). \(update ?? "No version hash differs: no store has to be migrated.")",
      "",
    ]
    lines += shown
    let diagram = ModelDiagram(difference, later: current.model)
    let picture = diagram.mermaid
    // GitHub draws no more than 500 lines between classes, and nobody reads more than some boxes.
    if (1...12).contains(diagram.boxes.count), ExportForm.mermaid.findings(about: picture).isEmpty {
      lines += [
        "", "<details><summary>Diagram</summary>", "", "```mermaid", picture, "```", "", "</details>",
      ]
    }
    return lines.joined(separator: "\n")
  }
}
