import ManagedModel
import ModelMapping

/// The segments of a path, for the plan. The objects of the first are counted, because its source is there. The numbers of
/// each later segment follow from the one before it.
func plannedSegments(
  _ segments: [SegmentPath], first: MappingModel, rows: [MigrationPlan.EntityRows]
) -> [MigrationPlan.Segment] {
  var planned: [MigrationPlan.Segment] = []
  for segment in segments {
    let path = segment.versions.map(\.name)
    guard let before = planned.last else {
      planned.append(
        .init(
          path: path, isInferred: segment.custom == nil, mappingModel: first, entities: rows,
          rowsAreEstimates: false))
      continue
    }
    let mappingModel = segment.custom?.mappingModel ?? segment.inferred
    let made = objectsMade(by: before.entities)
    let taken = mappingModel.entityMappings.map { mapping in
      MigrationPlan.EntityRows(
        mapping: mapping.name, type: mapping.mappingType, source: mapping.sourceEntityName,
        destination: mapping.destinationEntityName, rows: mapping.sourceEntityName.flatMap { made[$0] } ?? 0)
    }
    planned.append(
      .init(
        path: path, isInferred: segment.custom == nil, mappingModel: mappingModel, entities: taken,
        rowsAreEstimates: before.rowsAreEstimates || !makesOneOfEach(before.mappingModel)
          || mappingModel.entityMappings.contains { $0.filter != nil }))
  }
  return planned
}

/// By entity of the destination.
private func objectsMade(by rows: [MigrationPlan.EntityRows]) -> [String: Int] {
  var made: [String: Int] = [:]
  for row in rows where row.source != nil {
    if let entity = row.destination { made[entity, default: 0] += row.made ?? row.rows }
  }
  return made
}

/// Whether a mapping makes exactly one object of every object that it takes.
private func makesOneOfEach(_ mappingModel: MappingModel) -> Bool {
  mappingModel.entityMappings.allSatisfy {
    $0.grouping == nil && $0.policyName == nil && $0.onDrop != .cascade
  }
}
