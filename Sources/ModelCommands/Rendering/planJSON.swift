import CustomMigration
import ManagedModel
import ModelMapping
import ModelMigration

extension MigrationPlan {
  /// The members of the object of `plan`, which `migrate` adds to after a run.
  var json: JSONValue {
    [
      "store": .string(store), "model": .string(modelName), "from": .string(from), "to": .string(to),
      "steps": .array(steps.map(\.json)), "routeReason": .string(routeReason),
      "rowsAreUpperBounds": .boolean(rowsAreBounds), "segments": .array(segments.map(\.json)),
      "postProcessing": JSONValue(postProcessing), "entities": .array(entities.map(\.json)),
      "losses": .array(losses.map(\.json)), "brokenRules": .array(violations.map(\.json)),
      "statements": JSONValue(statements),
      "bytes": .integer(storeBytes), "bytesNeeded": .integer(bytesNeeded),
      "untried": JSONValue(notCheckedByPreflight),
      "diagnostics": .array(diagnostics.map(\.json)),
    ]
  }
}

extension PathPlan {
  /// The members of the object of `plan --from`.
  var json: JSONValue {
    [
      "model": .string(modelName), "from": .string(from), "to": .string(to), "path": JSONValue(path),
      "entities": .array(
        mappingModel.entityMappings.map { mapping in
          [
            "mapping": .string(mapping.name), "source": JSONValue(mapping.sourceEntityName),
            "destination": JSONValue(mapping.destinationEntityName),
          ]
        }),
      "diagnostics": .array(diagnostics.map(\.json)),
    ]
  }
}

extension MigrationPlan.Step {
  fileprivate var json: JSONValue {
    [
      "from": .string(from), "to": .string(to), "mapping": .string(isInferred ? "inferred" : "custom"),
      "route": .string(route.rawValue), "fused": .boolean(isFused),
    ]
  }
}

extension MigrationPlan.EntityRows {
  fileprivate var json: JSONValue {
    [
      "mapping": .string(mapping), "source": JSONValue(source), "destination": JSONValue(destination),
      "rows": .integer(Int64(rows)), "made": .integer(Int64(made ?? rows)),
    ]
  }
}

extension MigrationPlan.Loss {
  fileprivate var json: JSONValue {
    [
      "code": .string(code.description), "entity": .string(entity), "property": JSONValue(property),
      "count": .integer(Int64(count)), "acknowledged": .boolean(isAcknowledged),
      "examples": .array(examples.map { .integer($0) }),
    ]
  }
}

extension MigrationReport {
  /// What a run adds to its plan.
  var json: JSONValue {
    let rows = plan.entities.filter { $0.destination != nil && $0.source != nil }
    return [
      "objects": .integer(Int64(objects)),
      "counts": .object(
        rows.compactMap { row in row.destination.map { .init($0, .integer(Int64(row.rows))) } }),
      "mappings": .array(mappings.map(\.json)), "violations": .array(violations.map(\.json)),
      "brokenReferences": brokenReferences.map { .integer(Int64($0)) } ?? .null,
      "warnings": .array(diagnostics.map(\.json)), "destination": JSONValue(destination),
      "restored": restored.map {
        [
          "objects": .integer(Int64($0.objects)), "changed": .integer(Int64($0.changed)),
          "gone": .integer(Int64($0.gone)),
        ]
      } ?? .null, "backup": JSONValue(backup), "seconds": .number(seconds),
      "peakBytes": .integer(peakMemoryBytes()),
    ]
  }
}

extension MigrationPlan.Segment {
  fileprivate var json: JSONValue {
    [
      "path": JSONValue(path), "mapping": .string(isInferred ? "inferred" : "custom"),
      "entities": .array(entities.map(\.json)), "rowsAreEstimates": .boolean(rowsAreEstimates),
    ]
  }
}

extension MappingCount {
  fileprivate var json: JSONValue {
    [
      "mapping": .string(mapping), "source": JSONValue(source), "destination": JSONValue(destination),
      "objects": .integer(Int64(sourceObjects)), "taken": .integer(Int64(taken)),
      "carried": .integer(Int64(carried)), "made": .integer(Int64(made)),
    ]
  }
}

extension RuleViolation {
  /// A rule with the objects that break it, a thousand at most.
  var json: JSONValue {
    [
      "code": .string(code.description), "entity": JSONValue(entity), "property": JSONValue(property),
      "count": .integer(Int64(count)), "primaryKeys": .array(primaryKeys.map { .integer($0) }),
      "wasThereBefore": .boolean(wasThereBefore),
    ]
  }
}

extension MigrationPlan {
  static let shape = JSONShape.object(
    "migrationPlan", "What a migration would do.",
    [
      "store": .storeName, "model": .text("The model's name."), "from": .text("The store's version."),
      "to": .text("The version to migrate to."), "steps": .list(of: Step.shape, "From version to version."),
      "routeReason": .text("Why on that route."),
      "rowsAreUpperBounds": .flag("Whether rows were not counted, because none is touched."),
      "segments": .list(of: Segment.shape, "Stretches that are carried out as one."),
      "postProcessing": .texts("Steps that run on the result."),
      "entities": .list(of: EntityRows.shape, "What becomes of the rows."),
      "losses": .list(of: Loss.shape, "Data that has no place in the target."),
      "brokenRules": .list(
        of: RuleViolation.shape, "Rules of the target that objects break and did not break before."),
      "statements": .texts("The SQL that runs, in order."), "bytes": .integer("The store with its log."),
      "bytesNeeded": .integer("The room that a run needs."), "untried": .texts("What a plan cannot try."),
      "diagnostics": .diagnostics,
    ])
}

extension PathPlan {
  static let shape = JSONShape.object(
    "pathPlan", "The path between two versions, for any store.",
    [
      "model": .text("The model's name."), "from": .text("The first version."),
      "to": .text("The last version."), "path": .texts("All versions on the path."),
      "entities": .list(of: entityShape, "The entity mappings."), "diagnostics": .diagnostics,
    ])

  private static let entityShape = JSONShape.object(
    "pathEntity", "An entity mapping.",
    ["mapping": .text(""), "source": .text("").orNull, "destination": .text("").orNull])
}

extension MigrationPlan.Step {
  fileprivate static let shape = JSONShape.object(
    "step", "One version to the next.",
    [
      "from": .text(""), "to": .text(""), "mapping": mappingShape,
      "route": .words(of: MigrationRoute.self, "How it changes the file."),
      "fused": .flag("Whether it is carried out together with its neighbours."),
    ])

  fileprivate static let mappingShape = JSONShape.words(
    ["inferred", "custom"], "Whether a mapping model is stated.")
}

extension MigrationPlan.EntityRows {
  fileprivate static let shape = JSONShape.object(
    "entityRows", "An entity mapping and the objects that it takes.",
    [
      "mapping": .text(""), "source": .text("Null if it adds objects.").orNull,
      "destination": .text("Null if it removes objects.").orNull,
      "rows": .integer("Objects that it takes."),
      "made": .integer("Objects that become of them."),
    ])
}

extension MigrationPlan.Loss {
  fileprivate static let shape = JSONShape.object(
    "loss", "Data that would be lost.",
    [
      "code": Diagnostic.codeShape, "entity": .text(""), "property": .text("Null for whole objects.").orNull,
      "count": .integer("Objects or values."), "acknowledged": .flag("Whether it was allowed."),
      "examples": .integers("Primary keys of the first."),
    ])
}

extension MigrationReport {
  static let shape = MigrationPlan.shape.adding(
    "migration", "A migration that was carried out, or tried: its plan, and what came of it.",
    [
      "objects": .integer("Objects of the migrated store."),
      "counts": .named(.integer(""), "Rows by entity."),
      "mappings": .list(of: MappingCount.shape, "The account of custom steps."),
      "violations": .list(of: RuleViolation.shape, "Rules that objects break, as before or newly."),
      "brokenReferences": .integer("References to missing objects, as before; null if none was touched.")
        .orNull,
      "warnings": .list(of: Diagnostic.shape, "What came up in the run itself."),
      "destination": .text("Where the migrated store lies; null if nothing was written.").orNull,
      "restored": restoredShape.orNull, "backup": .text("The old store.").orNull, "seconds": .seconds,
      "peakBytes": .integer("The most memory that was held."),
    ])

  private static let restoredShape = JSONShape.object(
    "restored", "What --restore brought back.",
    ["objects": .integer(""), "changed": .integer(""), "gone": .integer("")])
}

extension MigrationPlan.Segment {
  fileprivate static let shape = JSONShape.object(
    "segment", "A stretch that is carried out as one.",
    [
      "path": .texts("Its versions."), "mapping": MigrationPlan.Step.mappingShape,
      "entities": .list(of: MigrationPlan.EntityRows.shape, ""), "rowsAreEstimates": .flag(""),
    ])
}

extension MappingCount {
  fileprivate static let shape = JSONShape.object(
    "mappingCount", "The account of an entity mapping.",
    [
      "mapping": .text(""), "source": .text("").orNull, "destination": .text("").orNull,
      "objects": .integer("Objects of the source."), "taken": .integer("Those that passed the filter."),
      "carried": .integer("Those of which something was made."), "made": .integer("What was made."),
    ])
}

extension RuleViolation {
  static let shape = JSONShape.object(
    "violation", "A rule of the model that objects break.",
    [
      "code": Diagnostic.codeShape, "entity": .text("").orNull, "property": .text("").orNull,
      "count": .integer("Objects."), "primaryKeys": .integers("Of the first thousand."),
      "wasThereBefore": .flag("Whether the old store broke it too."),
    ])
}
