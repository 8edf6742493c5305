import CustomMigration
import ManagedModel
import ModelMapping

/// Cuts the way from a store's version to the target.
///
/// - Parameters:
///   - path: the versions on the way; one alone makes one segment that does nothing.
///   - stops: versions whose objects have work to be done on before the way goes on.
///   - isBegun: whether this is the rest of a way, which goes on as it began.
package func cutSegments(
  _ path: [ModelVersion], of versioned: VersionedModel, custom: CustomMigrations, rule: ChainRule,
  stops: Set<String>, isBegun: Bool
) -> [SegmentPath] {
  let model = versioned.name
  guard let first = path.first, let last = path.last, path.count > 1 else {
    return [SegmentPath(versions: path)]
  }
  let whole = custom.mappingModels(of: model, from: first.name, to: last.name)
  if rule != .stepwise, !whole.isEmpty { return [customSegment(whole, first, last, custom)] }
  let isAtOnce =
    rule == .direct
    || rule == .auto && !isBegun && goesAtOnce(path, of: versioned, custom: custom, stops: stops)
  if isAtOnce { return [SegmentPath(versions: [first, last])] }
  var segments: [SegmentPath] = []
  for (from, to) in zip(path, path.dropFirst()) {
    let models = custom.mappingModels(of: model, from: from.name, to: to.name)
    if !models.isEmpty {
      segments.append(customSegment(models, from, to, custom))
    } else if rule == .auto, let open = segments.last, open.custom == nil, open.stated == nil,
      !stops.contains(from.name)
    {
      segments[segments.count - 1].versions.append(to)
    } else {
      segments.append(SegmentPath(versions: [from, to]))
    }
  }
  return segments
}

private func customSegment(
  _ models: [CustomMappingModel], _ from: ModelVersion, _ to: ModelVersion, _ custom: CustomMigrations
) -> SegmentPath {
  let (mappingModel, diagnostics) = resolveMappingModel(
    models, from: from, to: to, policyNames: custom.policies.names(for: models))
  var written = Set(models.flatMap(\.entityMappings).map(\.name))
  // Without inference, as in Xcode's mapping models, an entity is removed by leaving it out.
  if !models.allSatisfy(\.infersOthers) {
    written.formUnion(mappingModel.entityMappings.filter { $0.destinationEntityName == nil }.map(\.name))
  }
  if !diagnostics.hasErrors, !custom.goesByObjects,
    let stated = mappingForStatements(mappingModel, from: from, to: to)
  {
    return SegmentPath(
      versions: [from, to], stated: stated, whole: (mappingModel, written), diagnostics: diagnostics)
  }
  return SegmentPath(versions: [from, to], custom: (mappingModel, written), diagnostics: diagnostics)
}
