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
      "losses": .array(losses.map(\.json)), "statements": JSONValue(statements),
      "bytes": .integer(storeBytes), "bytesNeeded": .integer(bytesNeeded), "untried": JSONValue(untried),
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
