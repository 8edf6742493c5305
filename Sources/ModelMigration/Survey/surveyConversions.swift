import ManagedModel
import PersistentStore

/// Why a value cannot be computed, and for which object, where that is known.
private typealias ObjectFault = (message: String, key: Int64?)

extension CustomSurvey {
  /// Counts values that the conversions of a custom step would lose.
  ///
  /// - Returns: a finding for each that would end it.
  mutating func surveyConversions() throws -> [Diagnostic] {
    let model = rows.hierarchy.model
    var refusals: [Diagnostic] = []
    for mapping in mappingModel.entityMappings where mapping.policyName == nil {
      guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName,
        let compiler = try? RowCompiler(from, schema: rows.schema, model: model, now: rows.now)
      else { continue }
      for property in mapping.attributeMappings {
        guard case .expression(let expression) = property.value,
          let attribute = destination.attribute(named: property.name, of: to)
        else { continue }
        let kept = mapping.keptKeys(of: expression, schema: rows.schema, model: model, now: rows.now)
        var (lost, empty, fault): (KeySample?, KeySample?, ObjectFault?) = (nil, nil, nil)
        do {
          lost = try db.countFailedConversions(
            of: expression, as: attribute, by: compiler, where: mapping.filter, among: kept)
          // What is asked object by object takes the time of the migration, which would then take it twice: it asks for the
          // losses of conversions alone, which nothing else finds.
          if lost == nil, survey.triesObjects || !expression.convertedInputs.isEmpty {
            (lost, empty, fault) = try tryObjects(of: mapping, expression, as: attribute, among: kept)
          }
        } catch let refusal as EvaluationError {
          let found = try tryObjects(of: mapping, expression, as: attribute, among: kept).fault
          fault = found ?? (message: refusal.message, key: nil)
        }
        if let fault {
          refusals.append(.notComputable(property.name, of: mapping, fault, version: target.name))
        } else if let empty, empty.count > 0,
          // Of a group that is merged another object may have a value.
          mapping.grouping?.keep != .merge, mapping.requirement(of: attribute, from: rows.hierarchy) != nil,
          !mappingModel.entityMappings.contains(where: { $0.onDrop == .cascade })
        {
          refusals.append(
            .missingValues(
              attribute, entity: to, version: target.name, count: empty.count, keys: empty.keys,
              mapping: mapping))
        } else if let lost {
          account.add(
            .conversionLoss, of: to, property.name, lost.count, isIntended: expression.readsTablesAlone,
            examples: lost.keys)
        }
      }
    }
    return refusals
  }

  /// Evaluates an expression as a migration does that goes object by object, up to the first object that it cannot take.
  ///
  /// - Parameter kept: a query of the keys that values are computed of.
  /// - Returns: nothing where more is needed than the source's objects.
  private func tryObjects(
    of mapping: EntityMapping, _ expression: Expression, as attribute: AttributeDescription,
    among kept: String?
  ) throws -> (lost: KeySample?, empty: KeySample?, fault: ObjectFault?) {
    guard expression.needsSourcesAlone, mapping.grouping == nil || kept != nil,
      let shape = mapping.sourceEntityName.flatMap(rows.shape(named:))
    else { return (nil, nil, nil) }
    defer { rows.releaseStatements() }
    // The objects that become one, by the key of the one that stays, which is the cursor's.
    let readsGroup = expression.referencedKeyPaths.contains { $0.root == .variable("sources") }
    let sql = mapping.keptKeysSQL(
      schema: rows.schema, model: rows.hierarchy.model, now: rows.now, ofAll: true)
    let pairs = try (readsGroup ? sql : nil).map { try RowReader(db, sql: "\($0) ORDER BY kept, place, pk") }
    var (lost, empty, isAtPair) = (KeySample(), KeySample(), try pairs?.step() == true)
    let (context, monitor) = (ManagedObjectContext(rows), survey.monitor)
    context.transformers = step.policies
    var evaluation = EvaluationContext(now: rows.now)
    evaluation.shouldStop = { monitor.isCancelled }
    let cursor = try ObjectCursor(rows, shape, filter: mapping.filter, among: kept)
    while try cursor.next() {
      try monitor.checkCancellation()
      // The guard of the store's statements does not measure expressions.
      defer { db.forgetTime() }
      let object = ExpressionValue.object(MigratingObject(cursor.key, shape, context, at: cursor))
      var group: [ExpressionValue] = []
      while isAtPair, let pairs, let stays = pairs.integer(1), stays <= cursor.key {
        if stays == cursor.key, let key = pairs.integer(0) {
          group.append(.object(MigratingObject(key, shape, context)))
        }
        isAtPair = try pairs.step()
      }
      let own = evaluation.setting("source", object).setting("sources", .collection(ValueCollection(group)))
      do {
        if let filter = cursor.filter, try !evaluate(filter, on: object, in: own) { continue }
        let value = try evaluate(expression, on: object, in: own).attributeValue(as: attribute.type)
        func isGiven(_ input: Expression) -> Bool {
          (try? evaluate(input, on: object, in: own))?.isNull == false
        }
        if value == nil { empty.add(cursor.key) }
        if value == nil, expression.convertedInputs.contains(where: isGiven) { lost.add(cursor.key) }
      } catch let error as EvaluationError {
        return (nil, nil, (([error.description] + error.help).joined(separator: "; "), cursor.key))
      } catch is DiagnosticsError {
        // Cells and files that cannot be read have findings of their own.
        return (nil, nil, nil)
      }
    }
    return (lost, empty, nil)
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

extension Diagnostic {
  fileprivate static func notComputable(
    _ name: String, of mapping: EntityMapping, _ fault: ObjectFault, version: String
  ) -> Self {
    let (from, to) = (mapping.sourceEntityName ?? "", mapping.destinationEntityName ?? "")
    let place = fault.key.map { "at object \($0) of '\(from)'" } ?? "there"
    return Self(
      .policyFailed, .error, "'\(to).\(name)' cannot be computed for every object: \(fault.message)",
      subject: ModelSubject(version: version, entity: to, property: name),
      notes: ["mapping '\(mapping.name)' would stop the migration \(place)"],
      help: [
        "say what such a value becomes, as in 'clamp(parseInt($source.text), 0, 32767)', or choose a wider type"
      ])
  }
}
