import ManagedModel
import ModelMigration

/// A plan as a person reads it; of one that is refused only what stands in its way.
///
/// - Parameter seconds: how long the run would take here, about, where that is known.
func planText(_ plan: MigrationPlan, seconds: Double? = nil) -> String {
  if plan.isDone {
    let rest = plan.isBlocked ? "by its metadata, and not intact" : "already; nothing to do"
    return "\(plan.store) is \(plan.to) \(rest)".printable
  }
  var lines = ["\(plan.store) is \(plan.from), \(plan.storeBytes.humanSize)"]
  lines.append("  path   \(plan.path.joined(separator: " → "))")
  if !plan.isBlocked { lines += contentLines(of: plan, seconds: seconds) }
  let losses = plan.losses.filter { !plan.isBlocked || !$0.isAcknowledged }
  if !losses.isEmpty { lines.append("") }
  lines += losses.map { "  loses  \($0.name): \($0.amount)  [\($0.code)]" }
  if !plan.violations.isEmpty { lines.append("") }
  lines += plan.violations.map {
    "  breaks \($0.entity ?? "").\($0.property ?? ""): \(counted($0.count, "object"))  [\($0.code)]"
  }
  if !plan.notCheckedByPreflight.isEmpty {
    lines += ["", "  not tried: " + plan.notCheckedByPreflight.joined(separator: "; ").runnable]
  }
  return lines.shownLines
}

extension MigrationPlan.Loss {
  /// `Hut.fax`, or an entity whose objects go.
  var name: String { property.map { "\(entity).\($0)" } ?? entity }
  var amount: String {
    counted(count, property == nil ? "object" : "value") + (isAcknowledged ? ", accepted" : "")
  }
}

/// What a plan does: its steps and route, what it needs, and what becomes of entities and properties.
private func contentLines(of plan: MigrationPlan, seconds: Double?) -> [String] {
  let steps = plan.steps.count > 1 ? ", \(plan.steps.count) steps in one" : ""
  var lines =
    plan.segments.contains { !$0.isInferred } || plan.segments.count > 1
    ? segmentLines(plan)
    : ["  route  \(plan.route.rawValue)\(steps): \(plan.route.procedure)", "         \(plan.routeReason)"]
  lines += plan.stages.map(\.line)
  if !plan.postProcessing.isEmpty {
    lines.append("  then   post-processing: \(plan.postProcessing.joined(separator: ", "))")
  }
  if plan.bytesNeeded > 0 {
    let time = seconds.map { ", about \($0.humanDuration) on this machine" } ?? ""
    lines.append("  needs  \(plan.roomBound) \(plan.bytesNeeded.humanSize) next to the store\(time)")
  }
  if plan.segments.count > 1 {
    for segment in plan.segments { lines += contentLines(of: segment) }
  } else {
    lines += [""] + entityLines(plan.entities)
    let changeLines = plan.changeLines
    if !changeLines.isEmpty { lines += [""] + changeLines.map { "  " + $0.printable } }
  }
  return lines
}

extension CustomMigrationStage {
  fileprivate var line: String {
    let handlers = [("before", willMigrateHandler), ("after", didMigrateHandler)]
      .compactMap { moment, name in name.map { "'\($0)' \(moment)" } }.joined(separator: ", ")
    return "  stage  \(currentVersionName) → \(nextVersionName), handlers: \(handlers)"
  }
}

/// The way between two versions as a person reads it.
func planText(_ plan: PathPlan) -> String {
  if plan.path.count < 2 { return "\(plan.from) is the target already; nothing to do".printable }
  var lines = ["\(plan.modelName)", "  path   \(plan.path.joined(separator: " → "))"]
  lines += plan.stages.map(\.line)
  if !plan.stages.isEmpty { lines.append("         what they do with objects is not looked at") }
  if plan.isBlocked { return lines.shownLines }
  if plan.segments.allSatisfy(\.isInferred) {
    return (lines + contentLines(of: plan.mappingModel, plan.changes, to: plan.target)).shownLines
  }
  lines += plan.segments.map { segment in
    "  step   \(segment.versions.map(\.name).joined(separator: " → ")), "
      + (segment.isInferred ? "inferred" : howMapped(segment.mappingModel))
  }
  for segment in plan.segments {
    lines += ["", "  \(segment.versions.map(\.name).joined(separator: " → "))"]
    lines += contentLines(of: segment.mappingModel, [], to: segment.versions.last)
      .filter { !$0.isEmpty }.map { "  " + $0 }
  }
  return lines.shownLines
}

/// What a mapping model does with the objects of any store.
private func contentLines(
  of mappingModel: MappingModel, _ all: [ModelChange], to target: ModelVersion?
) -> [String] {
  let changed = mappingModel.entityMappings.filter { $0.mappingType != .copy }.map {
    [verb($0.mappingType), names($0.sourceEntityName, $0.destinationEntityName)]
  }
  var lines = [""] + TextTable(.left, .left, rows: changed).lines(indent: 2)
  let copied = mappingModel.entityMappings.count { $0.mappingType == .copy }
  if copied > 0 {
    lines.append(
      "  keep   \(counted(copied, "entity", plural: "entities")) as \(copied == 1 ? "it is" : "they are")")
  }
  let changes = mappingModel.lines(all, to: target)
  if !changes.isEmpty { lines += [""] + changes.map { "  " + $0.printable } }
  return lines
}

private func howMapped(_ mappingModel: MappingModel) -> String {
  let policies = mappingModel.entityMappings.count { $0.policyName != nil }
  return "custom, \(counted(mappingModel.entityMappings.count, "mapping"))"
    + (policies > 0 ? ", \(policies) by a policy" : "")
}

extension MigrationPlan {
  /// What becomes of properties on the whole path.
  var changeLines: [String] {
    mappingModel.lines(changes, to: segments.first?.versions.last)
      + segments.dropFirst().flatMap { $0.mappingModel.lines([], to: $0.versions.last) }
  }
}

extension MappingModel {
  /// A line for each property whose value does not simply stay.
  func lines(_ all: [ModelChange], to target: ModelVersion?) -> [String] {
    let destination = EntityHierarchy(target?.model ?? ManagedObjectModel())
    return entityMappings.flatMap { changes($0, of: self, all, destination) }
  }

  /// The other end of a relationship, if a mapping gives that one objects.
  fileprivate func fullEnd(of name: String, of entity: String, _ hierarchy: EntityHierarchy) -> String? {
    guard let past = hierarchy.reference(to: name, seenFrom: entity), let end = hierarchy.inverse(of: past)
    else { return nil }
    let isFull = hierarchy.descendantNames(includingSelf: end.entity).flatMap(mappings(toEntity:)).contains {
      $0.relationshipMappings.contains { $0.name == end.property && $0.value != .constant(nil) }
    }
    return isFull ? end.path : nil
  }
}

/// Segment by segment, where there are several.
private func segmentLines(_ plan: MigrationPlan) -> [String] {
  var lines = plan.segments.map { segment in
    let how =
      plan.steps.contains { !$0.isInferred && segment.path.contains($0.to) && segment.path.contains($0.from) }
      ? howMapped(segment.mappingModel) : "inferred"
    return "  step   \(segment.path.joined(separator: " → ")), \(how): the private copy is altered"
  }
  lines.append("  route  all of it next to the store, proved and swapped in at once")
  if plan.segments.contains(where: \.rowsAreEstimates) {
    lines.append("         'about' is an estimate from the steps before; a dry run counts exactly")
  }
  return lines
}

/// What one of several segments does, under its versions.
private func contentLines(of segment: MigrationPlan.Segment) -> [String] {
  ["", "  \(segment.path.joined(separator: " → "))"]
    + entityLines(segment.entities, isEstimate: segment.rowsAreEstimates).map { "  \($0)" }
    + segment.mappingModel.lines([], to: segment.versions.last).map { "    \($0.printable)" }
}

private func entityLines(_ rows: [MigrationPlan.EntityRows], isEstimate: Bool = false) -> [String] {
  let cells = rows.filter { $0.type != .copy || $0.rows > 0 }.map { row in
    let made = row.made.map { " → \(grouped($0))" } ?? ""
    let count = (isEstimate ? "about " : "") + counted(row.rows, "object") + made
    return [verb(row.type), names(row.source, row.destination), row.type == .add ? "" : count]
  }
  return TextTable(.left, .left, .right, rows: cells).lines(indent: 2)
}

func verb(_ type: MappingType) -> String {
  switch type {
  case .add: "add"
  case .remove: "remove"
  case .copy: "copy"
  case .transform: "change"
  case .custom: "custom"
  case .undefined: "?"
  }
}

func names(_ source: String?, _ destination: String?) -> String {
  [source, source == destination ? nil : destination].compactMap(\.self).joined(separator: " → ")
}

/// One line for each property that does not simply keep its value and name, and for each other reason why the entity's
/// version hash changes: a requirement, a constraint, a parent.
private func changes(
  _ mapping: EntityMapping, of model: MappingModel, _ all: [ModelChange], _ destination: EntityHierarchy
) -> [String] {
  guard mapping.mappingType == .transform, let entity = mapping.destinationEntityName else { return [] }
  let moving = (mapping.attributeMappings + mapping.relationshipMappings).filter {
    $0.value != .source($0.name)
  }
  let shown = Set(moving.map(\.name))
  let own = all.filter { change in
    change.entity == entity && change.isHashed && change.kind != .added && change.kind != .renamed
      && change.property.map { !shown.contains($0) } != false
  }
  let lines =
    moving.map { property -> String in
      let name = "\(entity).\(property.name)"
      let isDerived = destination.attribute(named: property.name, of: entity)?.isDerived == true
      if isDerived, case .constant = property.value { return "\(name) is computed" }
      // A relationship that begins with what led here has no value of its own.
      if !property.referrers.isEmpty {
        return "\(name) is filled from \(property.referrers.map(\.path).quoted())"
      }
      let end =
        property.value == .constant(nil) ? model.fullEnd(of: property.name, of: entity, destination) : nil
      return "\(name) \(end.map { "follows '\($0)'" } ?? describe(property.value))"
    } + own.map(\.line)
  if !lines.isEmpty { return lines }
  // What its parent or a composite changes.
  return all.first { $0.entitiesWithMovedHash.contains(entity) }.map {
    [$0.entity == entity ? $0.line : "\(entity): \($0.line)"]
  } ?? []
}

private func describe(_ value: PropertyMappingValue) -> String {
  switch value {
  case .source(let name): "← \(name)"
  case .expression(let expression): "= \(expression)"
  case .constant(nil): "starts empty"
  case .constant(let constant?): "starts as \(constant.text.isEmpty ? "''" : constant.text)"
  case .converted(let inner, let from, let to): "\(describe(inner)), \(from.name) becomes \(to.name)"
  case .defaulted(let inner, let fallback): "\(describe(inner)), empty becomes \(fallback.text)"
  }
}
