import Foundation
package import ManagedModel
import PersistentStore

extension Passes {
  func copy() throws {
    let total = Int64(try countSources())
    var done: Int64 = 0
    manager.isCopying = true
    defer { manager.isCopying = false }
    for work in work {
      show(work)
      enter(work)
      try call(.begin) { try work.policy.begin(work.mapping, with: manager) }
      if let shape = work.source, work.mapping.mappingType != .remove,
        work.destination != nil || work.policyName != nil
      {
        if let rule = work.mapping.grouping {
          try copyGroups(work, shape, rule)
        } else if try carried(work) || transferred(work) {
          done += Int64(work.takenCount)
          monitor.report(.copy, entity: shape.name, completed: done, total: total)
        } else {
          let mapping = work.mapping
          try forEachSource(work, shape) { object in
            try copy(object, work, mapping)
            done += 1
            if done % 256 == 0 {
              monitor.report(.copy, entity: shape.name, completed: done, total: total)
              manager.migrationProgress = total > 0 ? Float(done) / Float(total) / 2 : 0
            }
          }
        }
      }
      manager.leaveSource()
      try call(.endInstanceCreation) {
        try work.policy.endInstanceCreation(forMapping: work.mapping, manager: manager)
      }
      try keepUnknownColumns(of: work)
      try call(.endInstanceCreation) { try manager.destinationContext.flush() }
    }
    try applyDropRules()
  }

  private func copy(_ object: MigratingObject, _ work: MappingWork, _ mapping: EntityMapping) throws {
    manager.enterSource(object.key, object.shape)
    try call(.createDestinationInstances, object.key, object.shape) {
      try work.policy.createDestinationInstances(forSource: object, in: mapping, manager: manager)
      if manager.hasGivenKey, !manager.isAssociated, manager.associations.isKeyed(work.number) {
        try manager.materializeAllButCurrent(work)
      }
      // The cursor still stands at the row that cells come from.
      try manager.destinationContext.flushFresh()
    }
  }

  /// The source objects that pass the mapping's filter, in the order of their keys.
  func forEachSource(
    _ work: MappingWork, _ shape: EntityShape, _ body: (MigratingObject) throws -> Void
  ) throws {
    let cursor = try ObjectCursor(manager.sourceContext.rows, shape, filter: work.mapping.filter)
    while try cursor.next() {
      let object = MigratingObject(cursor.key, shape, manager.sourceContext, at: cursor)
      if let filter = cursor.filter {
        var passes = false
        try call(.createDestinationInstances, cursor.key, shape) {
          passes = try evaluate(
            filter, on: .object(object), in: manager.evaluation.setting("source", .object(object)))
        }
        if !passes { continue }
      }
      work.takenCount += 1
      try body(object)
    }
  }

  private func copyGroups(_ work: MappingWork, _ shape: EntityShape, _ rule: GroupingRule) throws {
    try forEachSource(work, shape) { object in
      try call(.createDestinationInstances, object.key, shape) {
        let context = manager.evaluation.setting("source", .object(object))
        let keys = try rule.keys.map { try evaluate($0, on: .object(object), in: context) }
        let place = try rule.order.map { try evaluate($0, on: .object(object), in: context) }
        try groups.add(
          object.key, mapping: work.number, keys: groupKey(keys),
          place: place.map(plainCell) ?? .null)
      }
    }
    try groups.close(mapping: work.number, keepsLast: rule.keep == .last)
    try groups.forEachKept(ofMapping: work.number) { key in
      let kept = ManagedObject.ID(entityName: shape.name, primaryKey: key)
      guard let object = manager.sourceContext.object(kept) else { return }
      try copy(object, work, work.mapping)
      try call(.createDestinationInstances, key, shape) { try finishGroup(kept, work, rule) }
    }
  }

  /// Gives what the group became the values that the kept object lacks, and the associations of the others.
  private func finishGroup(_ kept: ManagedObject.ID, _ work: MappingWork, _ rule: GroupingRule) throws {
    let associations = manager.associations
    guard let made = try associations.counterparts(of: kept, on: .source, mapping: work.number).first,
      let object = manager.destinationContext.object(made)
    else { return }
    let isRepointed = work.mapping.onDrop == .repoint
    guard isRepointed || rule.keep == .merge else { return }
    for key in try groups.members(ofMapping: work.number, kept: kept.primaryKey) where key != kept.primaryKey
    {
      let id = ManagedObject.ID(entityName: kept.entityName, primaryKey: key)
      if isRepointed { try associations.associate(id, with: made, mapping: work.number) }
      if rule.keep == .merge, let source = manager.sourceContext.object(id) {
        try manager.fillAttributes(of: object, from: source)
      }
    }
  }

  private func applyDropRules() throws {
    let cascading = Set(
      work.filter { $0.mapping.onDrop == .cascade }.compactMap { $0.mapping.sourceEntityName })
    if !cascading.isEmpty {
      for id in try manager.associations.cascade(from: cascading, model: manager.sourceModel) {
        manager.destinationContext.object(id).map(manager.destinationContext.delete)
        cascaded[id.entityName, default: 0] += 1
      }
      try manager.throwFailures()
    }
    for work in work where work.mapping.onDrop == .deny {
      guard let entity = work.mapping.sourceEntityName else { continue }
      let rules = try manager.associations.dropRules(manager.sourceModel)
      let count = try rules.countReferences(toDroppedOf: entity).values.reduce(0, +)
      if count > 0 { throw DiagnosticsError(.denied(entity, count, work.mapping.name)) }
    }
  }
}

/// Equal for equal keys: text by its bytes, numbers by value. Null if a key is nil.
private func groupKey(_ keys: [ExpressionValue]) -> StoredCell {
  if keys.contains(where: \.isNull) { return .null }
  if keys.count == 1 { return plainCell(keys[0]) }
  let parts = keys.map { key -> String in
    let text: String
    switch plainCell(key) {
    case .null: text = "n"
    case .integer(let number): text = "r\(Double(number)) \(number)"
    case .real(let number): text = Int64(exactly: number).map { "r\(number) \($0)" } ?? "r\(number)"
    case .text(let value): text = "t" + value
    case .blob(let data): text = "b" + data.base64EncodedString()
    }
    return "\(text.utf8.count):\(text)"
  }
  return .text(parts.joined(separator: " "))
}

private func plainCell(_ value: ExpressionValue) -> StoredCell {
  if case .object(let object) = value, let object = object as? MigratingObject {
    return .text("\(object.id.entityName)/\(object.id.primaryKey)")
  }
  guard let value = value.plainAttributeValue else { return .null }
  switch value {
  case .integer(let number): return .integer(number)
  case .double(let number), .date(let number): return .real(number)
  case .decimal(let number): return number.cell
  case .boolean(let flag): return .integer(flag ? 1 : 0)
  case .binary(let data): return .blob(data)
  default: return .text(value.text)
  }
}

extension Diagnostic.Code {
  /// Objects that a mapping drops are referred to, and `onDrop: deny` refuses that.
  package static let dropDenied = Self("MC4110", exit: .migration)
}

extension Diagnostic {
  static func denied(_ entity: String, _ count: Int, _ mapping: String) -> Self {
    Self(
      .dropDenied, .error,
      "\(count) \(count == 1 ? "reference points" : "references point") to objects of '\(entity)' that mapping '\(mapping)' drops",
      subject: ModelSubject(entity: entity),
      notes: ["'onDrop: deny' forbids that", "the store is unchanged"],
      help: [
        "clear the references ('onDrop: nullify'), or delete the objects that hold them ('onDrop: cascade')"
      ],
      cocoaCode: 134110)
  }
}
