import ManagedModel
import ModelMigration

extension MigrationPlan: JSONResult {
  static let result = JSONObject<Self>("migrationPlan", "What a migration would do.").adding([
    "store": .store(\.store), "model": .value(\.modelName, "The model's name."),
    "from": .value(\.from, "The store's version."), "to": .value(\.to, "The version to migrate to."),
    "steps": .value(\.steps, "From version to version."),
    "routeReason": .value(\.routeReason, "Why on that route."),
    "rowsAreUpperBounds": .value(\.rowsAreBounds, "Whether rows were not counted, because none is touched."),
    "segments": .value(\.segments, "Segments, each carried out as one."),
    "postProcessing": .value(\.postProcessing, "Steps that run on the result."),
    "entities": .value(\.entities, "What becomes of the rows."),
    "changes": .value(\.changeLines, "What becomes of properties, a line each."),
    "losses": .value(\.losses, "Data that has no place in the target."),
    "brokenRules": .value(\.violations, "Rules of the target that objects break and did not break before."),
    "statements": .value(\.statements, "The SQL that runs, in order."),
    "bytes": .value(\.storeBytes, "The store with its log."),
    "bytesNeeded": .value(\.bytesNeeded, "The room that a run needs."),
    "untried": .value({ $0.notCheckedByPreflight.map(\.runnable) }, "What a plan cannot try."),
    "diagnostics": .diagnostics(\.diagnostics),
  ])

  /// The object of `plan STORE`.
  static let ofStore = JSONObject<(plan: Self, seconds: Double?, back: Downgrade?)>(
    "storePlan", "What a migration would do to a store."
  ).adding(result, of: \.plan).adding([
    "estimatedSeconds": .value(\.seconds, "On this machine; null if it is not known."),
    "back": .value(\.back),
  ])
}

extension PathPlan {
  /// The object of `plan --from`.
  static let result = JSONObject<(plan: Self, back: Downgrade?)>(
    "pathPlan", "The path between two versions, for any store."
  ).adding([
    "model": .value(\.plan.modelName, "The model's name."),
    "from": .value(\.plan.from, "The first version."),
    "to": .value(\.plan.to, "The last version."), "path": .value(\.plan.path, "All versions on the path."),
    "entities": .list(\.plan.mappingModel.entityMappings, of: entity, "The entity mappings."),
    "diagnostics": .diagnostics(\.plan.diagnostics), "back": .value(\.back),
  ])

  private static let entity = JSONObject<EntityMapping>("pathEntity", "An entity mapping.").adding([
    "mapping": .value(\.name), "source": .value(\.sourceEntityName),
    "destination": .value(\.destinationEntityName),
  ])
}

private let mappingShape = JSONShape.words(["inferred", "custom"], "Whether a mapping model is stated.")

extension MigrationPlan.Step: JSONResult {
  static let result = JSONObject<Self>("step", "One version to the next.").adding([
    "from": .value(\.from), "to": .value(\.to),
    "mapping": .value(mappingShape) { $0.isInferred ? "inferred" : "custom" },
    "route": .word(\.route, "How it changes the file."),
    "fused": .value(\.isFused, "Whether it is carried out together with its neighbours."),
  ])
}

extension MigrationPlan.EntityRows: JSONResult {
  static let result = JSONObject<Self>("entityRows", "An entity mapping and the objects that it takes.")
    .adding([
      "mapping": .value(\.mapping), "source": .value(\.source, "Null if it adds objects."),
      "destination": .value(\.destination, "Null if it removes objects."),
      "rows": .value(\.rows, "Objects that it takes."),
      "made": .value({ $0.made ?? $0.rows }, "Objects that become of them."),
    ])
}

extension MigrationPlan.Loss: JSONResult {
  static let result = JSONObject<Self>("loss", "Data that would be lost.").adding([
    "code": .value(\.code), "entity": .value(\.entity),
    "property": .value(\.property, "Null for whole objects."),
    "count": .value(\.count, "Objects or values."),
    "acknowledged": .value(\.isAcknowledged, "Whether it was allowed."),
    "examples": .value(\.examples, "Primary keys of the first."),
  ])
}

extension MigrationReport: JSONResult {
  static let result = JSONObject<Self>(
    "migration", "A migration that was carried out, or tried: its plan, and what came of it."
  ).adding(MigrationPlan.result, of: \.plan).adding([
    "objects": .value(\.objects, "Objects of the migrated store."),
    "counts": .named(
      { report in
        report.plan.entities.compactMap { row in
          row.destination.flatMap { row.source == nil ? nil : ($0, row.rows) }
        }
      }, "Rows by entity."),
    "mappings": .value(\.mappings, "The account of custom steps."),
    "violations": .value(\.violations, "Rules that objects break, as before or newly."),
    "brokenReferences": .value(
      \.brokenReferences, "References to missing objects, as before; null if none was touched."),
    "warnings": .value(\.diagnostics, "What came up in the run itself."),
    "destination": .value(\.destination, "Where the migrated store is; null if nothing was written."),
    "restored": .value(\.restored, orNullAs: restoredLosses), "backup": .value(\.backup, "The old store."),
    "seconds": .seconds(\.seconds), "phases": .list(\.phases, of: phase, "Parts of the run, in order."),
    "peakBytes": .value({ _ in peakMemoryBytes() }, "The most memory that was held."),
  ])

  private static let phase = JSONObject<PhaseTime>("phase", "A part of a run.")
    .adding(["phase": .word(\.phase), "seconds": .seconds(\.seconds)])

  private static let restoredLosses = JSONObject<RestoredLosses>("restored", "What --restore brought back.")
    .adding(["objects": .value(\.objects), "changed": .value(\.changed), "gone": .value(\.gone)])
}

extension MigrationPlan.Segment: JSONResult {
  static let result = JSONObject<Self>("segment", "A segment: versions that are carried out as one.").adding([
    "path": .value(\.path, "Its versions."),
    "mapping": .value(mappingShape) { $0.isInferred ? "inferred" : "custom" },
    "entities": .value(\.entities), "rowsAreEstimates": .value(\.rowsAreEstimates),
  ])
}

extension MappingCount: JSONResult {
  static let result = JSONObject<Self>("mappingCount", "The account of an entity mapping.").adding([
    "mapping": .value(\.mapping), "source": .value(\.source), "destination": .value(\.destination),
    "objects": .value(\.sourceObjects, "Objects of the source."),
    "taken": .value(\.taken, "Those that passed the filter."),
    "carried": .value(\.carried, "Those that became new objects."),
    "made": .value(\.made, "What was made."),
  ])
}

/// A rule with the objects that break it, a thousand at most.
extension RuleViolation: JSONResult {
  static let result = JSONObject<Self>("violation", "A rule of the model that objects break.").adding([
    "code": .value(\.code), "entity": .value(\.entity), "property": .value(\.property),
    "count": .value(\.count, "Objects."), "primaryKeys": .value(\.primaryKeys, "Of the first thousand."),
    "wasThereBefore": .value(\.wasThereBefore, "Whether the old store broke it too."),
  ])
}

extension Downgrade: JSONResult {
  /// The downgrade under a plan, in a line or two.
  func text() -> String {
    var lines = ["", "  back   \(path.joined(separator: " → ")), \(isMapped ? "mapped" : "inferred")"]
    if let error = diagnostics.first(where: { $0.severity == .error }) {
      lines.append("         refused: \(error.message)  [\(error.code)]")
    } else if dropped.isEmpty {
      lines.append("         loses nothing that inference knows of")
    } else {
      lines.append("         has no place for \(dropped.joined(atMost: 8))")
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
