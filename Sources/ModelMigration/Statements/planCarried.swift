import CustomMigration
import ManagedModel
import ModelMapping
import PersistentStore
import StoreFiles

/// Plans what of a custom step moves no object, as if it were an inferred step in which the entities of all other mappings
/// go and come anew.
///
/// Where `CustomerToCustomer` stays and `CustomerToAddress` is made, the statements drop and add columns of `ZCUSTOMER`
/// and make an empty `ZADDRESS`.
struct CarriedPlanner {
  let step: CustomStep
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// Numbers of the mappings that could stay.
  let numbers: Set<Int>
  /// Relationships of the source whose references must be looked at one by one, because some lead nowhere.
  let unsound: Set<PropertyReference>

  private var mappings: [EntityMapping] { step.mappingModel.entityMappings }

  /// - Parameter makeTransition: the transition of the store by a mapping model.
  /// - Returns: the plan, and what it finds about indexes and derived attributes.
  func plan(
    _ makeTransition: (MappingModel) -> StoreTransition
  ) -> (carried: CarriedMappings, diagnostics: [Diagnostic]) {
    let closed = closedRelationships()
    var carried: [Int: CarriedMappings.Mapping] = [:]
    var model = MappingModel(entityMappings: [], isInferred: false)
    for (number, mapping) in mappings.enumerated() {
      if numbers.contains(number) {
        let (kept, work) = keep(mapping, closed)
        model.entityMappings.append(kept)
        carried[number] = work
      }
    }
    addOthers(to: &model)
    let transition = makeTransition(model)
    let plan = planStatements(transition)
    let planner = StatementPlanner(transition)
    let touched = touchedTables(plan.schema, carried, closed)
    let tables = plan.schema.tables.filter { touched.contains($0.name) }
    let joins = plan.schema.joinTables.filter { touched.contains($0.name) }
    let late = Set((tables.flatMap(\.indexes) + joins.flatMap(\.indexes)).map(\.name))
    var (first, last) = ([StoreStatement](), [StoreStatement]())
    for statement in plan.statements {
      switch statement {
      case .deriveValues: break
      case .createTrigger: last.append(statement)
      case .createIndex(let index) where late.contains(index.name): last.append(statement)
      default: first.append(statement)
      }
    }
    // Duplicates are told when all objects are there, and all of them.
    let (unique, foreign) = planner.keptUniqueIndexes(of: touched)
    first += (unique + foreign.map(\.index)).map { .dropIndex($0.name) }
    last = unique.map { .createIndex($0) } + last
    return (
      CarriedMappings(
        mappings: carried, relationships: closed, statements: first, ending: last, schema: plan.schema,
        touchedTables: touched),
      plan.diagnostics.filter { $0.code != .derivationNotComputed }
        + foreign.map { .indexGoes($0.index, table: $0.table) }
    )
  }

  /// The mapping as statements carry it out, and what is left to be computed.
  private func keep(
    _ mapping: EntityMapping, _ closed: Set<PropertyReference>
  ) -> (EntityMapping, CarriedMappings.Mapping) {
    var (kept, work) = (mapping, CarriedMappings.Mapping())
    guard let entity = mapping.destinationEntityName, let from = mapping.sourceEntityName else {
      return (kept, work)
    }
    kept.filter = nil
    kept.attributeMappings = mapping.attributeMappings.map { attribute in
      let new = destination.attribute(named: attribute.name, of: entity)
      func isCell(_ name: String) -> Bool {
        guard let new, let old = source.attribute(named: name, of: from) else { return false }
        return isStoredAlike(old, new) && !old.isTransient
      }
      if case .source(let name) = attribute.value, isCell(name) { return attribute }
      if attribute.value == .constant(nil) || new?.isDerived != false { return attribute }
      work.computed.insert(attribute.name)
      // A column that is there takes the new values.
      let canStay = isCell(attribute.name)
      return PropertyMapping(name: attribute.name, value: canStay ? .source(attribute.name) : .constant(nil))
    }
    kept.relationshipMappings = mapping.relationshipMappings.map { property in
      guard let declaring = destination.declaringEntityName(of: property.name, seenFrom: entity),
        closed.contains(PropertyReference(entity: declaring, property: property.name))
      else { return PropertyMapping(name: property.name, value: .constant(nil)) }
      work.relationships.insert(property.name)
      var property = property
      let sources = Set(numbers.compactMap { mappings[$0].sourceEntityName })
      property.reachableEntities.formIntersection(sources)
      property.referrers.removeAll { !sources.contains($0.entity) }
      return property
    }
    return (kept, work)
  }

  private func addOthers(to model: inout MappingModel) {
    let sources = Set(model.entityMappings.compactMap(\.sourceEntityName))
    let made = Set(model.entityMappings.compactMap(\.destinationEntityName))
    for entity in source.model.entities where !sources.contains(entity.name) {
      model.entityMappings.append(.removing(entity.name))
    }
    for entity in destination.model.entities where !made.contains(entity.name) {
      model.entityMappings.append(.adding(entity.name))
    }
  }

  // MARK: - Relationships

  /// Relationships of the destination between objects that all stay, and that every mapping takes from the source as
  /// inference would.
  private func closedRelationships() -> Set<PropertyReference> {
    var closed: Set<PropertyReference> = []
    for entity in destination.model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let inverse = destination.inverse(of: relationship).flatMap { $0.isTransient ? nil : $0 }
        let there = relationship.destinationEntityName
        let ends =
          [(relationship, entity.name)]
          + (inverse.map { [($0, destination.declaringEntityName(of: $0.name, seenFrom: there) ?? there)] }
            ?? [])
        let others = makers(of: there)
        let making = ends.map { makers(of: $0.1) }
        guard (making.joined() + others).allSatisfy(numbers.contains) else { continue }
        let properties = zip(ends, making).flatMap { end, numbers in
          numbers.map { (mappings[$0], mappings[$0].propertyMapping(named: end.0.name)) }
        }
        let isTold = properties.allSatisfy { mapping, property in
          guard let property, property.hasSource, !property.isComputed else { return false }
          return isSound(property, of: mapping)
        }
        let isEmpty = properties.allSatisfy { $1.map { !$0.hasSource && !$0.isComputed } ?? true }
        if isTold || isEmpty {
          closed.insert(PropertyReference(entity: entity.name, property: relationship.name))
        }
      }
    }
    return closed
  }

  /// Numbers of the mappings that make objects of an entity, or of one below it, of others.
  private func makers(of entity: String) -> [Int] {
    let kinds = Set(destination.descendantNames(includingSelf: entity))
    return mappings.indices.filter {
      mappings[$0].sourceEntityName != nil && kinds.contains(mappings[$0].destinationEntityName ?? "")
    }
  }

  private func isSound(_ property: PropertyMapping, of mapping: EntityMapping) -> Bool {
    if unsound.isEmpty { return true }
    let read = property.value.sourceName.map {
      SourceRelationship(entity: mapping.sourceEntityName ?? "", name: $0)
    }
    return ([read].compactMap(\.self) + property.referrers).allSatisfy { past in
      guard let relationship = source.relationship(named: past.name, of: past.entity),
        let owner = source.declaringEntityName(of: past.name, seenFrom: past.entity)
      else { return false }
      let inverse = source.inverse(of: relationship).flatMap { inverse in
        source.declaringEntityName(of: inverse.name, seenFrom: relationship.destinationEntityName).map {
          PropertyReference(entity: $0, property: inverse.name)
        }
      }
      return !unsound.contains(PropertyReference(entity: owner, property: past.name))
        && inverse.map { !unsound.contains($0) } ?? true
    }
  }

  // MARK: - What is looked at afterwards

  /// Tables with objects that are made, or get values that are computed, or that a new rule binds; and those of links that
  /// are not carried.
  private func touchedTables(
    _ schema: StoreSchema, _ carried: [Int: CarriedMappings.Mapping], _ closed: Set<PropertyReference>
  ) -> Set<String> {
    var touched: Set<String> = []
    for (number, mapping) in mappings.enumerated() {
      guard let entity = mapping.destinationEntityName, let table = schema.table(ofEntity: entity) else {
        continue
      }
      if let work = carried[number], isUntouched(mapping, work) { continue }
      touched.insert(table.name)
    }
    for join in schema.joinTables where !closed.contains(join.source) { touched.insert(join.name) }
    return touched
  }

  private func isUntouched(_ mapping: EntityMapping, _ work: CarriedMappings.Mapping) -> Bool {
    guard let name = mapping.destinationEntityName, let from = mapping.sourceEntityName,
      work.computed.isEmpty,
      work.relationships.count == mapping.relationshipMappings.count
    else { return false }
    let attributes = destination.attributes(of: name).allSatisfy { new in
      guard !new.isTransient, !new.isDerived else { return true }
      guard new.type != .composite, case .source(let past)? = mapping.propertyMapping(named: new.name)?.value,
        let old = source.attribute(named: past, of: from)
      else { return new.isOptional && new.type != .composite }
      return old.validation == new.validation && (new.isOptional || !old.isOptional)
    }
    let relationships = destination.relationships(of: name).allSatisfy { new in
      guard !new.isTransient else { return true }
      guard let past = mapping.propertyMapping(named: new.name)?.value.sourceName,
        let old = source.relationship(named: past, of: from)
      else { return new.isOptional && new.minCount == 0 }
      return (new.isOptional || !old.isOptional) && old.minCount == new.minCount
        && old.maxCount == new.maxCount
    }
    let constraints = destination.lineage(of: name).allSatisfy { entity in
      entity.uniquenessConstraints.allSatisfy { constraint in
        source.lineage(of: from).contains { $0.uniquenessConstraints.contains(constraint) }
      }
    }
    return attributes && relationships && constraints
  }
}

extension PropertyMapping {
  fileprivate var isComputed: Bool { if case .expression = value { true } else { false } }
}

extension StatementPlanner {
  /// Unique indexes that tables keep: those of the model as it will have them, and those of others.
  fileprivate func keptUniqueIndexes(
    of tables: Set<String>
  ) -> (own: [IndexLayout], foreign: [(index: IndexLayout, table: TableLayout)]) {
    var (own, foreign) = ([IndexLayout](), [(index: IndexLayout, table: TableLayout)]())
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name], tables.contains(table.destination.name) else {
        continue
      }
      let changes = indexChanges(of: table)
      own += table.destination.indexes.filter { $0.isUnique && changes.present.contains($0.name) }
      foreign += changes.foreign.filter(\.isUnique).map { ($0, table.destination) }
    }
    return (own, foreign)
  }
}

extension IndexLayout {
  fileprivate var isUnique: Bool { sql.uppercased().hasPrefix("CREATE UNIQUE") }
}
