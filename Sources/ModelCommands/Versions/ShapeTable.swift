import GitFiles
import ManagedModel
import ReleaseChecks

/// The shapes of stores that tags have shipped, and the schemas of the source that no tag has.
struct ShapeTable {
  let model: VersionedModel
  let shipped: ShippedShapes

  init(_ model: VersionedModel, _ shipped: ShippedShapes) { (self.model, self.shipped) = (model, shipped) }

  /// Schemas of today's source with the hashes of no shape.
  private var unshipped: [ModelVersion] {
    model.versions.filter { version in
      !shipped.shapes.contains { $0.version.entityVersionHashesByName == version.entityVersionHashesByName }
    }
  }

  /// The schema of today's source that recognises the stores.
  private func holder(of shape: ShippedShapes.Shape) -> ModelVersion? {
    model.versions.last { $0.entityVersionHashesByName == shape.version.entityVersionHashesByName }
  }

  var text: String {
    var table = TextTable(
      .left, .left, .right, .left, .left, header: ["version", "schema", "entities", "checksum", "tags"])
    for shape in shipped.shapes {
      table.append(
        printable(shape.version.name),
        printable(holder(of: shape).map(title) ?? (model.stages.isEmpty ? "inferred" : "lost")),
        grouped(shape.version.entityVersionHashesByName.count),
        "\(shape.version.versionChecksum.prefix(12))…",
        printable(shape.tagNames))
    }
    var lines = [
      "\(printable(model.name)): \(counted(shipped.shapes.count, "shape")) in \(counted(shipped.tagCount, "tag"))"
    ]
    if !shipped.shapes.isEmpty { lines += table.lines(indent: 2) }
    if !unshipped.isEmpty {
      lines.append("  in no tag: \(printable(unshipped.map(title).joined(separator: ", ")))")
    }
    if shipped.tagsWithoutModel > 0 {
      lines.append("  \(counted(shipped.tagsWithoutModel, "tag")) without the model")
    }
    lines += shipped.unreadable.map { printable("  \($0.tag) cannot be read: \($0.reason)") }
    if shipped.isCut { lines.append("  only the newest \(grouped(ShippedShapes.tagLimit)) tags were read") }
    return lines.shownLines
  }

  private func title(_ version: ModelVersion) -> String { version.typeName ?? version.name }

  var json: JSONValue {
    [
      "model": .string(model.name), "tags": JSONValue(shipped.tagCount),
      "tagsWithoutModel": JSONValue(shipped.tagsWithoutModel),
      "shapes": .array(
        shipped.shapes.map { shape in
          [
            "version": .string(shape.version.name), "schema": JSONValue(holder(of: shape).map(title)),
            "checksum": .string(shape.version.versionChecksum), "tags": JSONValue(shape.tags.map(\.name)),
          ]
        }),
      "unshipped": JSONValue(unshipped.map(title)),
      "unreadable": .array(
        shipped.unreadable.map { ["tag": .string($0.tag), "reason": .string($0.reason)] }),
      "isCut": .boolean(shipped.isCut),
    ]
  }

  static let shape = JSONShape.object(
    "shapeTable", "The shapes of stores that tags have shipped.",
    [
      "model": .text("The model's name."), "tags": .integer("How many were looked at."),
      "tagsWithoutModel": .integer(""),
      "shapes": .list(
        of: .object(
          "shippedShape", "Stores with the same hashes.",
          [
            "version": .text("As the schema was called when it shipped."),
            "schema": .text("The schema of today's source with these hashes.").orNull,
            "checksum": .text("Core Data's version checksum."), "tags": .texts("Oldest first."),
          ]), "Oldest first."),
      "unshipped": .texts("Schemas of today's source that no tag has shipped."),
      "unreadable": .list(
        of: .object("unreadShape", "A tag that was skipped.", ["tag": .text(""), "reason": .text("")]), ""
      ),
      "isCut": .flag("Whether there are more tags than were looked at."),
    ])
}
