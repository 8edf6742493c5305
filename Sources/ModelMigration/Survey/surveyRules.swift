package import ManagedModel
import PersistentStore

/// Which objects will break rules of the target that the store's own version did not have, or that they do not break yet:
/// bounds, lengths, patterns, predicates, required relationships, numbers of objects.
///
/// Core Data migrates such objects, as statements do, and refuses to save each of them after any change. So they are
/// counted, and stop a migration only where that is asked for.
struct RuleSurvey {
  let db: StoreDatabase
  let transition: StoreTransition
  let version: String
  /// Whether they stop it.
  let isStrict: Bool

  /// Its text is as the model's file says it; nil if the relationship is required.
  private typealias Rule = (
    reference: PropertyReference, code: Diagnostic.Code, text: String?, cocoaCode: Int
  )
  private typealias Question = RowQuestion<Rule>

  /// - Returns: a finding for each rule, with the objects of all entities that inherit it.
  func run() throws -> (violations: [RuleViolation], diagnostics: [Diagnostic]) {
    let before = VerifiedStore(schema: transition.schema, model: transition.source.model)
    let after = VerifiedStore(schema: transition.layout, model: transition.destination.model)
    let questions = transition.tablePlans.flatMap { self.questions(about: $0, before, after) }
    var found: [(rule: Rule, count: Int, keys: [Int64])] = []
    for (rule, count, keys) in try db.answers(to: questions, examples: 1000) {
      if let place = found.firstIndex(where: { $0.rule == rule }) {
        found[place].count += count
        found[place].keys = Array((found[place].keys + keys).prefix(1000))
      } else {
        found.append((rule, count, keys))
      }
    }
    return (
      found.map {
        RuleViolation(
          code: $0.rule.code, entity: $0.rule.reference.entity, property: $0.rule.reference.property,
          count: $0.count, primaryKeys: $0.keys, wasThereBefore: false)
      },
      found.map { finding($0.rule, $0.count, $0.keys) }
    )
  }

  private func finding(_ rule: Rule, _ count: Int, _ keys: [Int64]) -> Diagnostic {
    let (reference, objects) = (rule.reference, count == 1 ? "1 object" : "\(count) objects")
    // Of a relationship that no object of the source has: Core Data looks for these already as it migrates.
    let isNew =
      rule.text == nil && transition.property(reference.property, of: reference.entity)?.hasSource == false
    let words: (problem: String, refusal: String, mend: String) =
      if let text = rule.text {
        (
          "\(objects) \(count == 1 ? "breaks" : "break") '\(text)' of '\(reference.path)', new in '\(version)'",
          "refuses to save each of them after a change",
          "give them valid values in a mapping model, or keep the wider rule"
        )
      } else {
        (
          "\(objects) \(count == 1 ? "has" : "have") no value for '\(reference.path)', which '\(version)' requires",
          "asks for it when one is saved",
          "let the app set it before it saves them, or make '\(reference.property)' optional"
        )
      }
    return Diagnostic(
      rule.text == nil ? .missingRelationshipValues : .rulesBroken, isStrict ? .error : .warning,
      words.problem,
      subject: ModelSubject(version: version, entity: reference.entity, property: reference.property),
      notes: [
        .examples(Array(keys.prefix(5)), count: count),
        isNew
          ? "Core Data does not migrate such a store (134110); modelc does, and the app \(words.refusal)"
          : "Core Data migrates them as they are, and \(words.refusal)",
      ],
      help: [
        words.mend
          + (isStrict
            ? "; or migrate without `MigrationOptions.refusesBrokenRules`"
            : "; `MigrationOptions.refusesBrokenRules` refuses to migrate them")
      ], cocoaCode: isNew ? 134110 : rule.cocoaCode)
  }

  private func questions(
    about table: TablePlan, _ before: VerifiedStore, _ after: VerifiedStore
  ) -> [Question] {
    table.entities.flatMap { name -> [Question] in
      guard let mapping = transition.mapping(toEntity: name), let source = mapping.sourceEntityName,
        let number = transition.oldNumber(ofSource: source)
      else { return [] }
      return table.recipes.flatMap { recipe -> [Question] in
        guard let value = recipe.values[name] else { return [] }
        switch recipe.column.role {
        case .attribute(let reference):
          guard let leaf = after.leaves[reference], !leaf.attribute.isDerived else { return [] }
          return leaf.brokenRules(
            reference, value: value.sql,
            past: past(transition.property(reference.property, of: name)?.value, of: source, before),
            in: after, db: db
          ).map {
            Question(
              table: table.source.name, number: number, condition: $0.condition,
              meaning: (reference, $0.code, $0.rule, $0.cocoaCode ?? 1550))
          }
        case .toOne(let reference):
          return toOneConditions(reference, value, entity: name, mapping).map {
            Question(
              table: table.source.name, number: number, condition: $0,
              meaning: (reference, .requiredValueMissing, nil, 1570))
          }
        default: return []
        }
      } + toManyQuestions(name, mapping, table.source.name, number)
    }
  }

  private func past(
    _ value: PropertyMappingValue?, of entity: String, _ store: VerifiedStore
  ) -> (leaf: StoredLeaf, value: String)? {
    guard let name = value?.sourceName,
      let reference = transition.source.reference(to: name, seenFrom: entity),
      let leaf = store.leaves[reference],
      let column = transition.schema.table(ofEntity: entity)?.column(for: .attribute(reference))
    else { return nil }
    return (leaf, SQLExpression.column(column.name).sql)
  }

  /// Objects without a required object: it was optional, or is deleted, or is no longer of the relationship's destination.
  private func toOneConditions(
    _ reference: PropertyReference, _ value: SQLExpression, entity: String, _ mapping: EntityMapping
  ) -> [SQLCondition] {
    guard
      let relationship = transition.destination.relationship(named: reference.property, of: entity),
      !relationship.isOptional
    else { return [] }
    var conditions: [SQLCondition] = []
    if !value.isNeverNull, mapping.requirement(of: relationship, from: transition.source) != nil {
      conditions.append(.isNull(value))
    }
    guard let column = value.plainColumn else { return conditions }
    let reachable = transition.property(reference.property, of: entity)?.reachableEntities ?? []
    return conditions
      + transition.links(into: reference.property, of: entity).compactMap { links in
        let unreachable = transition.unreachableNumbers(of: links.to.entity, except: reachable)
        guard !unreachable.isEmpty, let target = transition.schema.table(ofEntity: links.to.entity) else {
          return nil
        }
        return .refers(column: column, table: target.name, to: .entity(in: unreachable.sorted()))
      }
  }

  /// Required to-manys that are empty, and numbers of objects that are no longer admitted.
  private func toManyQuestions(
    _ entity: String, _ mapping: EntityMapping, _ table: String, _ number: Int
  ) -> [Question] {
    transition.destination.relationships(of: entity).flatMap { relationship -> [Question] in
      guard relationship.isToMany, !relationship.isTransient,
        let reference = transition.destination.reference(to: relationship.name, seenFrom: entity)
      else { return [] }
      func question(_ condition: SQLCondition, _ code: Diagnostic.Code, _ rule: String?) -> Question {
        Question(
          table: table, number: number, condition: condition,
          meaning: (reference, code, rule, rule == nil ? 1570 : code == .tooFewObjects ? 1580 : 1590))
      }
      let requirement = mapping.requirement(of: relationship, from: transition.source)
      if requirement?.past == .absent { return [question(.all([]), .requiredValueMissing, nil)] }
      guard let source = mapping.sourceEntityName,
        let name = transition.property(relationship.name, of: entity)?.value.sourceName,
        let old = transition.source.relationship(named: name, of: source),
        let keys = transition.schema.ownerKeys(of: name, seenFrom: source, hierarchy: transition.source)
      else { return [] }
      func members(_ range: ClosedRange<Int>) -> SQLCondition {
        .members(of: table, table: keys.table, column: keys.column, range)
      }
      return (requirement.map { _ in [question(members(0...0), .requiredValueMissing, nil)] } ?? [])
        + relationship.newlyBrokenCounts(after: old).map { range in
          range.lowerBound > relationship.maxCount && relationship.maxCount > 1
            ? question(members(range), .tooManyObjects, "max: \(relationship.maxCount)")
            : question(members(range), .tooFewObjects, "min: \(relationship.minCount)")
        }
    }
  }
}

extension Diagnostic.Code { package static let rulesBroken = Self("MC3127") }

extension Diagnostic {
  /// Whether it tells of objects that rules of the target forbid.
  var isOfBrokenRules: Bool { code == .rulesBroken || code == .missingRelationshipValues }
}
