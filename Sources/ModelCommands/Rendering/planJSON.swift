import CustomMigration
import ManagedModel
import ModelMapping
import ModelMigration

extension MigrationPlan {
  /// The members of the object of `plan`, which `migrate` adds to after a run.
  var jsonMembers: [JSONValue.Member] {
    [
      .init("store", .string(store)),
      .init("model", .string(modelName)),
      .init("from", .string(from)),
      .init("to", .string(to)),
      .init("steps", .array(steps.map(\.json))),
      .init("routeReason", .string(routeReason)),
      .init("rowsAreUpperBounds", .boolean(rowsAreBounds)),
      .init("segments", .array(segments.map(\.json))),
      .init("postProcessing", JSONValue(postProcessing)),
      .init("entities", .array(entities.map(\.json))),
      .init("losses", .array(losses.map(\.json))),
      .init("statements", JSONValue(statements)),
      .init("bytes", .integer(storeBytes)),
      .init("bytesNeeded", .integer(bytesNeeded)),
      .init("untried", JSONValue(untried)),
      .init("diagnostics", .array(diagnostics.map(\.json))),
    ]
  }
}

extension PathPlan {
  /// The members of the object of `plan --from`.
  var jsonMembers: [JSONValue.Member] {
    [
      .init("model", .string(modelName)),
      .init("from", .string(from)),
      .init("to", .string(to)),
      .init("path", JSONValue(path)),
      .init(
        "entities",
        .array(
          mappingModel.entityMappings.map { mapping in
            .object([
              .init("mapping", .string(mapping.name)), .init("source", JSONValue(mapping.sourceEntityName)),
              .init("destination", JSONValue(mapping.destinationEntityName)),
            ])
          })),
      .init("diagnostics", .array(diagnostics.map(\.json))),
    ]
  }
}

extension MigrationPlan.Step {
  fileprivate var json: JSONValue {
    .object([
      .init("from", .string(from)), .init("to", .string(to)),
      .init("mapping", .string(isInferred ? "inferred" : "custom")), .init("route", .string(route.rawValue)),
      .init("fused", .boolean(isFused)),
    ])
  }
}

extension MigrationPlan.EntityRows {
  fileprivate var json: JSONValue {
    .object([
      .init("mapping", .string(mapping)), .init("source", JSONValue(source)),
      .init("destination", JSONValue(destination)), .init("rows", .integer(Int64(rows))),
      .init("made", .integer(Int64(made ?? rows))),
    ])
  }
}

extension MigrationPlan.Loss {
  fileprivate var json: JSONValue {
    .object([
      .init("code", .string(code.description)), .init("entity", .string(entity)),
      .init("property", JSONValue(property)), .init("count", .integer(Int64(count))),
      .init("acknowledged", .boolean(isAcknowledged)),
      .init("examples", .array(examples.map { .integer($0) })),
    ])
  }
}

extension MigrationReport {
  /// What a run adds to its plan.
  var jsonMembers: [JSONValue.Member] {
    let rows = plan.entities.filter { $0.destination != nil && $0.source != nil }
    return [
      .init("objects", .integer(Int64(objects))),
      .init(
        "counts",
        .object(rows.compactMap { row in row.destination.map { .init($0, .integer(Int64(row.rows))) } })),
      .init("mappings", .array(mappings.map(\.json))),
      .init("violations", .array(violations.map(\.json))),
      .init("warnings", .array(diagnostics.map(\.json))),
      .init("destination", JSONValue(destination)),
      .init("backup", JSONValue(backup)),
      .init("seconds", .number(seconds)),
      .init("peakBytes", .integer(peakMemoryBytes())),
    ]
  }
}

extension MigrationPlan.Segment {
  fileprivate var json: JSONValue {
    .object([
      .init("path", JSONValue(path)), .init("mapping", .string(isInferred ? "inferred" : "custom")),
      .init("entities", .array(entities.map(\.json))),
      .init("rowsAreEstimates", .boolean(rowsAreEstimates)),
    ])
  }
}

extension MappingCount {
  fileprivate var json: JSONValue {
    .object([
      .init("mapping", .string(mapping)), .init("source", JSONValue(source)),
      .init("destination", JSONValue(destination)), .init("objects", .integer(Int64(sourceObjects))),
      .init("taken", .integer(Int64(taken))), .init("carried", .integer(Int64(carried))),
      .init("made", .integer(Int64(made))),
    ])
  }
}

extension RuleViolation {
  /// A rule with the objects that break it, a thousand at most.
  var json: JSONValue {
    .object([
      .init("code", .string(code.description)), .init("entity", JSONValue(entity)),
      .init("property", JSONValue(property)), .init("count", .integer(Int64(count))),
      .init("primaryKeys", .array(primaryKeys.map { .integer($0) })),
      .init("wasThereBefore", .boolean(wasThereBefore)),
    ])
  }
}
