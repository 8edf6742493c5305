import ManagedModel
import PersistentStore

/// A value that a mapping computes, and what is found about it.
private struct ComputedValue {
  let name: String
  let expression: Expression
  let attribute: AttributeDescription
  /// A query of the keys that it is computed of.
  let kept: String?
  let inputs: [Expression]
  /// Whether each object is asked.
  var isTried = false
  var lost: KeySample?
  var empty: KeySample?
  /// Why it cannot be computed, and for which object, where that is known.
  var fault: (message: String, key: Int64?)?
}

extension CustomSurvey {
  /// Counts values that the conversions of a custom step would lose.
  ///
  /// - Returns: a finding for each that would end it.
  mutating func surveyConversions() throws -> [Diagnostic] {
    var refusals: [Diagnostic] = []
    for mapping in mappingModel.entityMappings where mapping.policyName == nil {
      let to = mapping.destinationEntityName ?? ""
      var values = try computedValues(of: mapping, to: to)
      for kept in Set(values.map(\.kept)) { try tryObjects(of: mapping, &values, among: kept) }
      for value in values {
        if let fault = value.fault {
          let place = fault.key.map { "at object \($0) of '\(mapping.sourceEntityName ?? "")'" } ?? "there"
          refusals.append(
            .policyFailed, .error,
            "'\(to).\(value.name)' cannot be computed for every object: \(fault.message)",
            subject: ModelSubject(version: target.name, entity: to, property: value.name),
            notes: ["mapping '\(mapping.name)' would stop the migration \(place)"],
            help: [
              "say what such a value becomes, as in 'clamp(parseInt($source.text), 0, 32767)', or choose a wider type"
            ])
        } else if let empty = value.empty, empty.count > 0,
          // Of a group that is merged another object may have a value.
          mapping.grouping?.keep != .merge,
          mapping.requirement(of: value.attribute, from: rows.hierarchy) != nil,
          !mappingModel.entityMappings.contains(where: { $0.onDrop == .cascade })
        {
          refusals.append(
            .missingValues(
              value.attribute, entity: to, version: target.name, count: empty.count, keys: empty.keys,
              mapping: mapping))
        } else if let lost = value.lost {
          account.add(
            .conversionLoss, of: to, value.name, lost.count, isIntended: value.expression.readsTablesAlone,
            examples: lost.keys)
        }
      }
    }
    return refusals
  }

  /// What SQL tells of the values that a mapping computes; none if it cannot be asked.
  private func computedValues(of mapping: EntityMapping, to name: String) throws -> [ComputedValue] {
    let model = rows.hierarchy.model
    guard let from = mapping.sourceEntityName,
      let compiler = try? RowCompiler(from, schema: rows.schema, model: model, now: rows.now)
    else { return [] }
    return try mapping.attributeMappings.compactMap { property -> ComputedValue? in
      guard case .expression(let expression) = property.value,
        let attribute = destination.attribute(named: property.name, of: name)
      else { return nil }
      let kept = mapping.keptKeys(of: expression, schema: rows.schema, model: model, now: rows.now)
      var value = ComputedValue(
        name: property.name, expression: expression, attribute: attribute, kept: kept,
        inputs: expression.convertedInputs)
      do {
        value.lost = try db.countFailedConversions(
          of: expression, as: attribute, by: compiler, where: mapping.filter, among: kept)
        // What is asked object by object takes the time of the migration, which would then take it twice: it asks for the
        // losses of conversions alone, which nothing else finds.
        value.isTried = value.lost == nil && (survey.triesObjects || !value.inputs.isEmpty)
      } catch let refusal as EvaluationError {
        value.fault = (message: refusal.message, key: nil)
        value.isTried = true
      }
      return value
    }
  }

  /// Evaluates expressions as a migration does that goes object by object, each up to the first object that it cannot take:
  /// those that need nothing but the source's objects.
  ///
  /// - Parameter kept: a query of the keys that values are computed of, those of others are left out.
  private func tryObjects(
    of mapping: EntityMapping, _ values: inout [ComputedValue], among kept: String?
  ) throws {
    var open = values.indices.filter {
      values[$0].isTried && values[$0].kept == kept && values[$0].expression.needsSourcesAlone
    }
    guard !open.isEmpty, mapping.grouping == nil || kept != nil else { return }
    for index in open { (values[index].lost, values[index].empty) = (KeySample(), KeySample()) }
    // The objects that become one, by the key of the one that stays, which is the cursor's.
    let readsGroup = open.contains { index in
      values[index].expression.referencedKeyPaths.contains { $0.root == .variable("sources") }
    }
    let sql = readsGroup ? rows.keptKeysSQL(mapping, ofAll: true) : nil
    let pairs = try sql.map { try RowReader(db, sql: "\($0) ORDER BY kept, place, pk") }
    var isAtPair = try pairs?.step() == true
    try forEachObject(of: mapping, among: kept) { source, evaluation, isTaken in
      let object = ExpressionValue.object(source)
      var group: [ExpressionValue] = []
      while isAtPair, let pairs, let stays = pairs.integer(1), stays <= source.key {
        if stays == source.key, let key = pairs.integer(0) {
          group.append(.object(MigratingObject(key, source.shape, source.managedObjectContext)))
        }
        isAtPair = try pairs.step()
      }
      let own = evaluation.setting("sources", .collection(ValueCollection(group)))
      let isGiven = { (input: Expression) in (try? evaluate(input, on: object, in: own))?.isNull == false }
      for index in open {
        let (expression, type) = (values[index].expression, values[index].attribute.type)
        do {
          guard try isTaken.get(),
            try evaluate(expression, on: object, in: own).attributeValue(as: type) == nil
          else { continue }
          values[index].empty?.add(source.key)
          if values[index].inputs.contains(where: isGiven) { values[index].lost?.add(source.key) }
        } catch let error as EvaluationError {
          let message = ([error.description] + error.help).joined(separator: "; ")
          values[index].fault = (message: message, key: source.key)
          open.removeAll { $0 == index }
        } catch is DiagnosticsError {
          // Cells and files that cannot be read have findings of their own.
          (values[index].lost, values[index].empty) = (nil, nil)
          open.removeAll { $0 == index }
        }
      }
      return !open.isEmpty
    }
  }

  /// Goes through the objects that a mapping may take as a migration does that goes object by object.
  ///
  /// - Parameters:
  ///   - kept: a query of the only keys that are looked at; nil for all.
  ///   - body: gets each with what to evaluate in, and whether the mapping's filter takes it; gives false to end.
  func forEachObject(
    of mapping: EntityMapping, among kept: String? = nil,
    _ body: (MigratingObject, EvaluationContext, _ isTaken: Result<Bool, any Error>) throws -> Bool
  ) throws {
    guard let shape = mapping.sourceEntityName.flatMap(rows.shape(named:)) else { return }
    defer { rows.releaseStatements() }
    let (context, monitor) = (ManagedObjectContext(rows), survey.monitor)
    context.transformers = step.custom.policies
    var evaluation = EvaluationContext(now: rows.now)
    evaluation.shouldStop = { monitor.isCancelled }
    let cursor = try ObjectCursor(rows, shape, filter: mapping.filter, among: kept)
    while try cursor.next() {
      // The guard of the store's statements does not measure expressions.
      db.takeTime(counts: true)
      defer { db.takeTime(counts: false) }
      try monitor.checkCancellation()
      let object = MigratingObject(cursor.key, shape, context, at: cursor)
      let own = evaluation.setting("source", .object(object))
      let isTaken = Result<Bool, any Error> {
        try cursor.filter.map { try evaluate($0, on: .object(object), in: own) } ?? true
      }
      guard try body(object, own, isTaken) else { return }
    }
  }
}

extension Expression {
  /// Whether it asks neither the manager nor a policy, nor for what other mappings made.
  fileprivate var needsSourcesAlone: Bool {
    let asks = allParts.contains { part in
      if case .function(let call) = part { call.selector.hasPrefix("destinationInstances") } else { false }
    }
    return !asks
      && referencedKeyPaths.allSatisfy {
        [.evaluatedObject, .variable("source"), .variable("sources")].contains($0.root)
      }
  }
}
