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
          // What is asked object by object takes the time of the migration, which would then take it twice.
          if lost == nil, survey.countsAllRows || !expression.convertedInputs.isEmpty {
            (lost, empty, fault) = try tryObjects(of: mapping, expression, as: attribute, among: kept)
          }
        } catch let refusal as EvaluationError {
          let key = try tryObjects(of: mapping, expression, as: attribute, among: kept).fault?.key
          fault = (refusal.message, key)
        }
        if let fault {
          refusals.append(.notComputable(property.name, of: mapping, fault, version: target.name))
        } else if let empty, empty.count > 0, mapping.requirement(of: attribute, from: rows.hierarchy) != nil,
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
    let keys = try kept.map { Set(try RowReader(db, sql: $0).keys()) }
    let members = try groupMembers(of: mapping)
    let context = ManagedObjectContext(rows)
    context.transformers = step.policies
    let evaluation = EvaluationContext(now: rows.now)
    var (lost, empty) = (KeySample(), KeySample())
    let cursor = try ObjectCursor(rows, shape, filter: mapping.filter)
    while try cursor.next() {
      if keys?.contains(cursor.key) == false { continue }
      let object = ExpressionValue.object(MigratingObject(cursor.key, shape, context, at: cursor))
      let group = (members[cursor.key] ?? [cursor.key]).map {
        ExpressionValue.object(MigratingObject($0, shape, context))
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

  /// The keys of the objects that become one, by that of the one that stays.
  private func groupMembers(of mapping: EntityMapping) throws -> [Int64: [Int64]] {
    let sql = mapping.keptKeysSQL(
      schema: rows.schema, model: rows.hierarchy.model, now: rows.now, ofAll: true)
    var members: [Int64: [Int64]] = [:]
    guard let pairs = try sql.map({ try RowReader(db, sql: $0) }) else { return members }
    while try pairs.step() {
      if let own = pairs.integer(0), let kept = pairs.integer(1) { members[kept, default: []].append(own) }
    }
    return members
  }
}

extension SegmentPath {
  /// Whether it computes with texts, which go to functions as bytes; a policy may, and a fetch of the manager's.
  var readsTexts: Bool {
    let attributes = versions.map(\.model).flatMap {
      $0.entities.flatMap(\.attributes) + $0.composites.flatMap(\.elements)
    }
    let names = Set(attributes.filter(\.type.isText).map(\.name))
    return custom?.mappingModel.entityMappings.contains { mapping in
      let properties = mapping.attributeMappings + mapping.relationshipMappings
      let values = properties.compactMap { property -> Expression? in
        if case .expression(let value) = property.value { value } else { nil }
      }
      let filter = mapping.filter.map { Expression.conditional($0, .constant(.null), .constant(.null)) }
      let computed =
        values + (mapping.grouping?.keys ?? []) + [mapping.grouping?.order, filter].compactMap(\.self)
      return mapping.policyName != nil || computed.contains(where: \.makesTexts)
        || computed.flatMap(\.referencedKeyPaths).contains {
          $0.root == .variable("manager") || !names.isDisjoint(with: $0.keys)
        }
    } ?? false
  }
}

extension Expression {
  /// Whether a text stands in it, or a function makes one; the name of a mapping is no value.
  fileprivate var makesTexts: Bool {
    var count = 0
    _ = rewritten { part in
      switch part {
      case .constant(.string), .cast(_, to: .string): count += 1
      case .function(let call) where PredefinedFunction.named(call.selector)?.result == .string: count += 1
      case .function(let call) where call.selector == "destinationInstances":
        if case .constant(.string)? = call.arguments.first { count -= 1 }
      default: break
      }
      return part
    }
    return count > 0
  }

  /// Whether it asks neither the manager nor a policy.
  fileprivate var needsSourcesAlone: Bool {
    referencedKeyPaths.allSatisfy {
      [.evaluatedObject, .variable("source"), .variable("sources")].contains($0.root)
    } && !"\(self)".contains("destinationInstances")
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
