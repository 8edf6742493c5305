import ManagedModel
import ModelArchives
import PersistentStore

/// How a way through several versions is carried out.
public enum ChainRule: String, Hashable, Sendable, CaseIterable {
  /// As Core Data goes: in one step where that can be inferred and nothing custom lies on the way; else through the
  /// versions, inferred steps as one and custom ones each by themselves.
  case auto
  /// From the store's version to the target at once: by the mapping model for exactly these two, or by inference.
  case direct
  /// Every step by itself.
  case stepwise
}

/// A stretch of the way that is carried out as one: inferred steps fused, or one custom step.
package struct SegmentPath {
  /// The versions, its own first and last.
  package var versions: [ModelVersion]
  /// The mapping model that a person wrote for the step; nil if it is inferred.
  var mapped: (mappingModel: MappingModel, written: Set<String>)?
  /// The same in the forms of inference, where statements carry it out as they do inferred ones.
  var stated: MappingModel?
  /// What conflicts with the custom mapping model.
  var diagnostics: [Diagnostic] = []

  /// The mapping model of a step that is carried out object by object.
  package var custom: (mappingModel: MappingModel, written: Set<String>)? { stated == nil ? mapped : nil }
  /// The segment with every object carried over by itself, where statements could have done it: for a store whose rows
  /// they cannot carry over.
  var byObjects: SegmentPath? {
    stated == nil ? nil : SegmentPath(versions: versions, mapped: mapped, diagnostics: diagnostics)
  }
  /// Whether no person wrote a mapping model for it.
  var isInferred: Bool { mapped == nil }

  var mappingModel: MappingModel { custom?.mappingModel ?? inferred }
  /// The mapping of an inferred segment, all its steps in one.
  package var inferred: MappingModel { stated ?? versions.inferred.mappingModel }

  /// What the models alone say against an inferred segment; its rows are asked once they are there.
  var inferenceErrors: [Diagnostic] {
    isInferred ? versions.inferred.diagnostics.filter { $0.severity == .error } : []
  }
}

extension [ModelVersion] {
  /// The mapping of all steps in one, as inference has them, and what it finds.
  var inferred: (mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    var (whole, found): (MappingModel?, [Diagnostic]) = (nil, [])
    for (from, to) in zip(self, dropFirst()) {
      let (step, diagnostics) = inferMappingModel(from: from, to: to)
      whole = whole.map { $0.composed(with: step) } ?? step
      found += diagnostics
    }
    return (whole ?? MappingModel(entityMappings: [], isInferred: true), found)
  }

  /// Cuts the way from a store's version to the target.
  ///
  /// - Parameters:
  ///   - stops: versions whose objects have work to be done on before the way goes on.
  ///   - isContinuation: whether this is the rest of a way, which goes on as it began.
  package func segments(
    of versioned: VersionedModel, custom: CustomMigrations, rule: ChainRule, stops: Set<String>,
    isContinuation: Bool
  ) -> [SegmentPath] {
    let model = versioned.name
    guard let first = self.first, let last = self.last, count > 1 else {
      return [SegmentPath(versions: self)]
    }
    let whole = custom.mappingModels(of: model, from: first.name, to: last.name)
    if rule != .stepwise, !whole.isEmpty { return [customSegment(whole, first, last, custom)] }
    let isDirect =
      rule == .direct
      || rule == .auto && !isContinuation
        && isOneInferredStep(from: first, to: last, of: versioned, custom, stops)
    if isDirect { return [SegmentPath(versions: [first, last])] }
    var segments: [SegmentPath] = []
    for (from, to) in zip(self, dropFirst()) {
      let models = custom.mappingModels(of: model, from: from.name, to: to.name)
      if !models.isEmpty {
        segments.append(customSegment(models, from, to, custom))
      } else if rule == .auto, segments.last?.isInferred == true, !stops.contains(from.name) {
        segments[segments.count - 1].versions.append(to)
      } else {
        segments.append(SegmentPath(versions: [from, to]))
      }
    }
    return segments
  }

  /// Whether the migration is one inferred step from the store's version to the target, as in Core Data.
  ///
  /// It goes from version to version instead where custom work is on the path, where the list says `chain: stepwise`, or
  /// where one step cannot be inferred.
  private func isOneInferredStep(
    from source: ModelVersion, to target: ModelVersion, of model: VersionedModel, _ custom: CustomMigrations,
    _ stops: Set<String>
  ) -> Bool {
    guard count > 2, !model.isStepwise,
      dropFirst().dropLast().allSatisfy({ $0.allowsInference && !stops.contains($0.name) })
    else { return false }
    let isCustom = zip(self, dropFirst()).contains { from, to in
      model.customStage(from: from, to: to) != nil
        || !custom.mappingModels(of: model.name, from: from.name, to: to.name).isEmpty
    }
    return !isCustom && !inferMappingModel(from: source, to: target).diagnostics.hasErrors
  }
}

private func customSegment(
  _ models: [CustomMappingModel], _ from: ModelVersion, _ to: ModelVersion, _ custom: CustomMigrations
) -> SegmentPath {
  let (mappingModel, diagnostics) = models.resolved(
    from: from, to: to, policyNames: custom.policies.names(for: models))
  var written = Set(models.flatMap(\.entityMappings).map(\.name))
  // Without inference, as in Xcode's mapping models, an entity is removed by leaving it out.
  if !models.allSatisfy(\.infersOthers) {
    written.formUnion(mappingModel.entityMappings.filter { $0.destinationEntityName == nil }.map(\.name))
  }
  let mayBeStated = !diagnostics.hasErrors && !custom.usesObjectCopy
  return SegmentPath(
    versions: [from, to], mapped: (mappingModel, written),
    stated: mayBeStated ? mappingModel.mappingForStatements(from: from, to: to) : nil,
    diagnostics: diagnostics)
}

extension MigrationPlan {
  /// The same plan, with a word about the other way where that one serves and this one does not.
  ///
  /// - Parameter path: all versions between the store's and the target.
  func naming(
    _ path: [ModelVersion], asked rule: ChainRule, other: (ChainRule) throws -> MigrationPlan
  ) throws -> MigrationPlan {
    guard isBlocked, path.count > 2, segments.allSatisfy(\.isInferred) else { return self }
    let isDirect = segments.count == 1 && self.path.count == 2
    let candidate: ChainRule = isDirect ? .stepwise : .direct
    guard rule != candidate, let way = try? other(candidate), !way.isBlocked else { return self }
    var plan = self
    if let place = diagnostics.firstIndex(where: { $0.severity == .error }) {
      plan.diagnostics[place].help.append(
        isDirect
          ? "this store can be migrated version by version: `MigrationOptions(chain: .stepwise)`"
          : "this store can be migrated in one step: `MigrationOptions(chain: .direct)`")
    }
    return plan
  }
}

extension [SegmentPath] {
  /// The segments of a path, for the plan. The objects of the first are counted, because its source is there. The numbers of
  /// each later segment follow from the one before it.
  func planned(first: MappingModel, rows: [MigrationPlan.EntityRows]) -> [MigrationPlan.Segment] {
    var planned: [MigrationPlan.Segment] = []
    for segment in self {
      var next = MigrationPlan.Segment(
        versions: segment.versions, isInferred: segment.custom == nil, mappingModel: first, entities: rows,
        rowsAreEstimates: false)
      if let before = planned.last {
        let mappingModel = segment.mappingModel
        var made: [String: Int] = [:]
        for row in before.entities where row.source != nil {
          if let entity = row.destination { made[entity, default: 0] += row.made ?? row.rows }
        }
        next.mappingModel = mappingModel
        next.entities = mappingModel.entityMappings.map { mapping in
          MigrationPlan.EntityRows(mapping, rows: mapping.sourceEntityName.flatMap { made[$0] } ?? 0)
        }
        next.rowsAreEstimates =
          before.rowsAreEstimates
          || before.mappingModel.entityMappings.contains {
            $0.grouping != nil || $0.policyName != nil || $0.onDrop == .cascade
          }
          || mappingModel.entityMappings.contains { $0.filter != nil || $0.grouping != nil }
      }
      planned.append(next)
    }
    return planned
  }
}

/// The key of a store's metadata that lists the steps of post-processing that ran.
let postProcessingKey = "modelc.postProcessing"

extension StoreMetadata {
  var postProcessingSteps: Set<String> { Set(self[postProcessingKey]?.array?.compactMap(\.text) ?? []) }
}
