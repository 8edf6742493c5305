import ManagedModel
import ModelFormats
import ReleaseChecks

/// The shapes of stores that tags have shipped, and the schemas of the source that no tag has.
struct ShippedSchemaTable: JSONResult {
  let model: VersionedModel
  let shipped: ShippedSchemas

  /// Schemas of today's source with the hashes of no shape.
  private var unshipped: [ModelVersion] {
    model.versions.filter { version in
      !shipped.shapes.contains { $0.version.makesStores(of: version) }
    }
  }

  /// The schema of today's source that recognises the stores.
  private func holder(of shape: ShippedSchemas.Shape) -> ModelVersion? {
    model.versions.last { $0.makesStores(of: shape.version) }
  }

  var text: String {
    let table = TextTable(
      .left, .left, .right, .left, .left, header: ["version", "schema", "entities", "checksum", "tags"],
      rows: shipped.shapes.map { shape in
        [
          shape.version.name.printable,
          (holder(of: shape).map(title) ?? (model.stages.isEmpty ? "inferred" : "lost")).printable,
          grouped(shape.version.entityVersionHashesByName.count),
          "\(shape.version.versionChecksum.prefix(12))…",
          shape.tagNames.printable,
        ]
      })
    var lines = [
      "\(model.name.printable): \(counted(shipped.shapes.count, "shape")) in \(counted(shipped.tagCount, "tag"))"
    ]
    if !shipped.shapes.isEmpty { lines += table.lines(indent: 2) }
    if !unshipped.isEmpty {
      lines.append("  in no tag: \(unshipped.map(title).joined(separator: ", ").printable)")
    }
    if shipped.tagsWithoutModel > 0 {
      lines.append("  \(counted(shipped.tagsWithoutModel, "tag")) without the model")
    }
    lines += shipped.unreadable.map { "  \($0.tag) cannot be read: \($0.reason)".printable }
    if shipped.isCut { lines.append("  only the newest \(grouped(ShippedSchemas.tagLimit)) tags were read") }
    return lines.shownLines
  }

  private func title(_ version: ModelVersion) -> String { version.typeName ?? version.name }

  static let result = JSONObject<Self>("shapeTable", "The shapes of stores that tags have shipped.").adding([
    "model": .value(\.model.name, "The model's name."),
    "tags": .value(\.shipped.tagCount, "How many were looked at."),
    "tagsWithoutModel": .value(\.shipped.tagsWithoutModel),
    "shapes": .list(
      { table in table.shipped.shapes.map { ($0, table.holder(of: $0).map(table.title)) } },
      of: shippedShape, "Oldest first."),
    "unshipped": .value({ $0.unshipped.map($0.title) }, "Schemas of today's source that no tag has shipped."),
    "unreadable": .list(\.shipped.unreadable, of: unreadTag("unreadShape")),
    "isCut": .value(\.shipped.isCut, "Whether there are more tags than were looked at."),
  ])

  private static let shippedShape = JSONObject<(shape: ShippedSchemas.Shape, schema: String?)>(
    "shippedShape", "Stores with the same hashes."
  ).adding([
    "version": .value(\.shape.version.name, "As the schema was called when it shipped."),
    "schema": .value(\.schema, "The schema of today's source with these hashes."),
    "checksum": .value(\.shape.version.versionChecksum, "Core Data's version checksum."),
    "tags": .value({ $0.shape.tags.map(\.name) }, "Oldest first."),
  ])

  static func unreadTag(_ name: String) -> JSONObject<(tag: String, reason: String)> {
    JSONObject<(tag: String, reason: String)>(name, "A tag that was skipped.")
      .adding(["tag": .value(\.tag), "reason": .value(\.reason)])
  }
}
