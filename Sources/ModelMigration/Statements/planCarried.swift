import ManagedModel
import PersistentStore

/// Plans what of a custom step moves no object, as if it were an inferred step in which the entities of all other mappings
/// go and come anew.
///
/// Where `CustomerToCustomer` stays and `CustomerToAddress` is made, the statements drop and add columns of `ZCUSTOMER`
/// and make an empty `ZADDRESS`. Where a policy makes the products anew, each with its key, the statements empty
/// `ZPRODUCT`, and the line items keep the keys of theirs.
struct RowKeepingPlanner {
  let step: CustomStep
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// Which mappings could leave their objects where they lie.
  var numbers: KeyedMappingNumbers
  /// Relationships of the source whose references must be looked at one by one, because some lead nowhere.
  let unsound: Set<PropertyReference>

  private var mappings: [EntityMapping] { step.mappingModel.entityMappings }
  private var staying: Set<Int> { numbers.staying }
  private var made: Set<Int> { numbers.made }

  /// - Parameter makeTransition: the transition of the store by a mapping model.
  /// - Returns: the plan, what it finds about indexes and derived attributes, and the transition that it is made of.
  func plan(
    _ makeTransition: (MappingModel) -> StoreTransition
  ) -> (carried: RowKeepingMappings, diagnostics: [Diagnostic], transition: StoreTransition) {
    let (closed, standing) = carriedRelationships()
    var (carried, kept) = ([Int: RowKeepingMappings.Mapping](), [Int: RowKeepingMappings.Mapping]())
    var model = MappingModel(entityMappings: [], isInferred: false)
    for (number, mapping) in mappings.enumerated() where isKept(number) {
      let (keeping, work) = keep(mapping, closed, standing)
      model.entityMappings.append(keeping)
      kept[number] = work
      if staying.contains(number) { carried[number] = work }
    }
    addOthers(to: &model)
    let transition = makeTransition(model)
    let planner = StatementPlanner(transition)
    if let cheaper = cheaper(than: carried, planner) { return cheaper.plan(makeTransition) }
    var plan = transition.statements()
    for number in staying {
      guard let table = planner.tablePlan(ofEntity: mappings[number].destinationEntityName) else { continue }
      // Whether the rows keep every column of theirs, under its name.
      let keepsColumns =
        table.droppedColumns.isEmpty && table.retypedText == nil
        && table.source.columns.allSatisfy { table.carriers[$0.name] == $0.name }
      carried[number]?.keepsColumns =
        keepsColumns && !plan.statements.contains { changesValues($0, in: table) }
    }
    if isAlone { renumberLater(&plan.statements, &carried, transition) }
    let (emptying, emptied) = emptiedTables(transition)
    let touched = touchedTables(plan.schema, kept, closed)
    var (first, last) = split(plan, touched)
    // Duplicates are told when all objects are there, and all of them; and rows come faster into a table without indexes.
    let (own, foreign) = planner.keptIndexes(of: Set(touched.keys), emptied: emptied)
    first = emptying + first + (own + foreign.map(\.index)).map { .drop(.index, $0.name) }
    last = own.map { .createIndex($0) } + last
    return (
      RowKeepingMappings(
        mappings: carried, relationships: closed, references: standing, byObjects: numbers.byObjects,
        statements: first, ending: last, schema: plan.schema,
        touchedTables: touched),
      plan.diagnostics.filter { $0.code != .derivationNotComputed }
        + foreign.map { .indexDropped($0.index, table: $0.table) },
      transition
    )
  }

  /// The same with the mappings whose tables would be written several times: these are written anew, once.
  ///
  /// - Returns: nil if there are none.
  private func cheaper(
    than carried: [Int: RowKeepingMappings.Mapping], _ planner: StatementPlanner
  ) -> RowKeepingPlanner? {
    let dear = staying.filter { number in
      guard let work = carried[number] else { return false }
      let table = planner.tablePlan(ofEntity: mappings[number].destinationEntityName)
      return (table?.droppedColumns.count ?? 0) + (work.computed.isEmpty ? 0 : 1) > 1
    }
    if dear.isEmpty { return nil }
    var cheaper = self
    cheaper.numbers.staying.subtract(dear)
    cheaper.numbers.made.formUnion(dear)
    return cheaper
  }

  /// Whether a statement gives rows of the table other values than their entity's number.
  private func changesValues(_ statement: StoreStatement, in table: TablePlan) -> Bool {
    guard statement.changesRows, statement.tableName == table.destination.name else { return false }
    guard case .update(_, let assignments, _) = statement else { return true }
    return assignments.contains { $0.column != "Z_ENT" }
  }

  /// What is done before objects are made, and what waits until all are there.
  private func split(
    _ plan: StatementPlan, _ touched: TouchedTables
  ) -> (first: [StoreStatement], last: [StoreStatement]) {
    let indexes =
      plan.schema.tables.map { ($0.name, $0.indexes) } + plan.schema.joinTables.map { ($0.name, $0.indexes) }
    let late = Set(indexes.filter { touched[$0.0] != nil }.flatMap { $0.1 }.map(\.name))
    var (first, last) = ([StoreStatement](), [StoreStatement]())
    for statement in plan.statements {
      switch statement {
      case .deriveValues: break
      case .createTrigger: last.append(statement)
      case .createIndex(let index) where late.contains(index.name): last.append(statement)
      default: first.append(statement)
      }
    }
    return (first, last)
  }

  /// The mapping as statements carry it out, and what is left to be computed.
  private func keep(
    _ mapping: EntityMapping, _ closed: Set<PropertyReference>, _ standing: Set<PropertyReference>
  ) -> (EntityMapping, RowKeepingMappings.Mapping) {
    var (kept, work) = (mapping, RowKeepingMappings.Mapping())
    guard let entity = mapping.destinationEntityName, let from = mapping.sourceEntityName else {
      return (kept, work)
    }
    kept.filter = nil
    kept.attributeMappings = mapping.attributeMappings.map { attribute in
      let new = destination.attribute(named: attribute.name, of: entity)
      func isCell(_ name: String) -> Bool {
        guard let new, let old = source.attribute(named: name, of: from) else { return false }
        return old.isStoredAlike(new) && !old.isTransient
      }
      if case .source(let name) = attribute.value, isCell(name) { return attribute }
      if attribute.value == .constant(nil) || new?.isDerived != false { return attribute }
      work.computed.insert(attribute.name)
      // A column that is there takes the new values.
      let canStay = isCell(attribute.name)
      return PropertyMapping(name: attribute.name, value: canStay ? .source(attribute.name) : .constant(nil))
    }
    let sources = Set(mappings.indices.filter(isKept).compactMap { mappings[$0].sourceEntityName })
    kept.relationshipMappings = mapping.relationshipMappings.map { property in
      let reference = destination.reference(to: property.name, seenFrom: entity)
      let isClosed = reference.map(closed.contains) ?? false
      guard isClosed || reference.map(standing.contains) ?? false, !property.isComputed else {
        return PropertyMapping(name: property.name, value: .constant(nil))
      }
      if isClosed {
        work.relationships.insert(property.name)
      } else if destination.relationship(named: property.name, of: entity)?.isToMany == false {
        work.references.insert(property.name)
      }
      var property = property
      property.reachableEntities.formIntersection(sources)
      property.referrers.removeAll { !sources.contains($0.entity) }
      return property
    }
    return (kept, work)
  }

  /// Whether nobody may look for objects of the destination while they are made.
  private var isAlone: Bool {
    !mappings.contains { mapping in
      mapping.policyName != nil
        || mapping.attributeMappings.contains { attribute in
          if case .expression(let expression) = attribute.value { asksForObjects(expression) } else { false }
        }
    }
  }

  /// Whether an expression may find objects of the destination, or call a policy.
  private func asksForObjects(_ expression: Expression) -> Bool {
    expression.allParts.contains { part in
      switch part {
      case .fetch, .variable("manager"), .variable("destination"), .variable("entityPolicy"): true
      case .function(let call): call.selector == "destinationInstances"
      default: false
      }
    }
  }

  /// Rows whose values are computed get their entity's new number with them, so that each is written once.
  private func renumberLater(
    _ statements: inout [StoreStatement], _ carried: inout [Int: RowKeepingMappings.Mapping],
    _ transition: StoreTransition
  ) {
    for number in staying where carried[number]?.computed.isEmpty == false {
      guard let name = mappings[number].destinationEntityName,
        let new = transition.newNumber(ofDestination: name),
        let old = mappings[number].sourceEntityName.flatMap(transition.oldNumber(ofSource:)), old != new,
        let table = transition.layout.table(ofEntity: name)?.name,
        let place = statements.firstIndex(
          of: .update(
            table: table, assignments: [.init("Z_ENT", .literal("\(new)"))], where: nil))
      else { continue }
      let asks = statements[(place + 1)...].contains { statement in
        statement.changesRows && statement.sql.contains("Z_ENT") && statement.sql.contains(table)
      }
      if asks { continue }
      statements.remove(at: place)
      carried[number]?.formerNumber = old
    }
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

  private func isKept(_ number: Int) -> Bool { staying.contains(number) || made.contains(number) }

  /// Relationships of the destination that every mapping takes from the source as inference would: those between objects
  /// that all stay; and to-ones, with their inverses, whose keys stand in rows that stay and lead to objects that are made
  /// anew.
  private func carriedRelationships() -> (closed: Set<PropertyReference>, standing: Set<PropertyReference>) {
    var (closed, standing) = (Set<PropertyReference>(), Set<PropertyReference>())
    for (reference, relationship) in destination.storedRelationships {
      let inverse = destination.storedInverse(of: relationship)
      let there = relationship.destinationEntityName
      let ends =
        [(relationship, reference.entity)]
        + (inverse.map { [($0, destination.declaringEntityName(of: $0.name, seenFrom: there) ?? there)] }
          ?? [])
      let others = makers(of: there)
      let making = ends.map { makers(of: $0.1) }
      if stands(relationship, inverse, making[0], others) {
        standing.insert(reference)
        if ends.count > 1, let inverse {
          standing.insert(PropertyReference(entity: ends[1].1, property: inverse.name))
        }
      }
      guard (making.joined() + others).allSatisfy(staying.contains) else { continue }
      let properties = zip(ends, making).flatMap { end, numbers in
        numbers.map { (mappings[$0], mappings[$0].propertyMapping(named: end.0.name)) }
      }
      let isMentioned = properties.allSatisfy { mapping, property in
        guard let property, property.hasSource, !property.isComputed else { return false }
        return isSound(property, of: mapping) && !leadsToEmptied(property, of: mapping)
      }
      let isEmpty = properties.allSatisfy { $1.map { !$0.hasSource && !$0.isComputed } ?? true }
      if isMentioned || isEmpty { closed.insert(reference) }
    }
    return (closed, standing.subtracting(closed))
  }

  /// Whether the keys of a to-one stand in rows that stay, and each is that of an object that stays or is recreated.
  ///
  /// - Parameters:
  ///   - holders: numbers of the mappings whose objects have the relationship.
  ///   - others: those of the objects that it leads to.
  private func stands(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription?, _ holders: [Int],
    _ others: [Int]
  ) -> Bool {
    guard !relationship.isToMany, inverse.map({ $0.isToMany && !$0.isOrdered }) ?? true,
      !others.isEmpty, others.allSatisfy(isKept), holders.allSatisfy(isKept),
      holders.contains(where: staying.contains)
    else { return false }
    return holders.filter(staying.contains).allSatisfy { number in
      guard let property = mappings[number].propertyMapping(named: relationship.name),
        let name = property.value.sourceName,
        let old = source.relationship(named: name, of: mappings[number].sourceEntityName ?? "")
      else { return false }
      return !old.isToMany && !property.givesWay && isSound(property, of: mappings[number])
    }
  }

  /// What empties the tables of objects that are recreated, before anything else; and the tables, by their last names,
  /// that have no rows once those that go for good are deleted.
  private func emptiedTables(
    _ transition: StoreTransition
  ) -> (statements: [StoreStatement], tables: Set<String>) {
    let kept = Set(staying.compactMap { mappings[$0].sourceEntityName })
    var (statements, tables) = ([StoreStatement](), Set<String>())
    for table in transition.schema.tables {
      let names = transition.source.descendantNames(includingSelf: table.rootEntityName)
      let gone = made.compactMap { mappings[$0].sourceEntityName }.filter(names.contains)
      if gone.isEmpty { continue }
      let concrete = names.filter { transition.source.entity(named: $0)?.isAbstract != true }
      let isEmpty = concrete.allSatisfy { !kept.contains($0) }
      let numbers = gone.compactMap { transition.oldNumber(ofSource: $0) }.sorted()
      // Rows that go for good stay until the references to them are emptied.
      let isAll = concrete.allSatisfy(gone.contains)
      statements.append(.delete(from: table.name, where: isAll ? nil : .entity(in: numbers)))
      let heirs = gone.compactMap { transition.destinationName(ofEntity: $0) }
      if isEmpty { tables.formUnion(heirs.compactMap { transition.layout.table(ofEntity: $0)?.name }) }
    }
    return (statements, tables)
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
    return property.sources(in: mapping).allSatisfy { past in
      guard source.relationship(past) != nil,
        let declared = source.reference(to: past.property, seenFrom: past.entity)
      else { return false }
      return unsound.isDisjoint(with: [declared, source.inverse(of: past)].compactMap(\.self))
    }
  }

  /// Whether references may be to objects whose rows are deleted before the statements ask what they are: of an entity that
  /// leaves its hierarchy, and that a mapping makes anew.
  private func leadsToEmptied(_ property: PropertyMapping, of mapping: EntityMapping) -> Bool {
    let emptied = Set(made.compactMap { mappings[$0].sourceEntityName })
    return property.sources(in: mapping).compactMap(source.relationship).contains {
      !emptied.isDisjoint(with: source.descendantNames(includingSelf: $0.destinationEntityName))
    }
  }

  /// Whether not every object that a relationship leads to goes on.
  private func leadsToDropped(_ name: String, of entity: String) -> Bool {
    let there = destination.relationship(named: name, of: entity)?.destinationEntityName ?? ""
    return makers(of: there).contains { mappings[$0].filter != nil || mappings[$0].grouping != nil }
  }

  /// Tables with objects that are made, or get values that are computed, or that a new rule binds; and those of links that
  /// are not carried.
  private func touchedTables(
    _ schema: StoreSchema, _ kept: [Int: RowKeepingMappings.Mapping], _ closed: Set<PropertyReference>
  ) -> TouchedTables {
    var touched: TouchedTables = [:]
    for (number, mapping) in mappings.enumerated() {
      guard let entity = mapping.destinationEntityName, let table = schema.table(ofEntity: entity) else {
        continue
      }
      var columns: Set<String>?
      if var work = kept[number], numbers.staying.contains(number) || numbers.sound.contains(number) {
        // The keys of those that are recreated are written with them.
        if !staying.contains(number) { work.references = [] }
        columns = touchedColumns(of: table, mapping, work)
      }
      if columns == [] || touched[table.name] == [] { continue }
      touched[table.name] = columns.map { $0.union(touched[table.name] ?? []) } ?? []
    }
    for join in schema.joinTables where !closed.contains(join.source) { touched[join.name] = [] }
    return touched
  }

  /// Columns whose values are computed, and those of references that are set; nil if more of the objects is to be looked
  /// at.
  private func touchedColumns(
    of table: TableLayout, _ mapping: EntityMapping, _ work: RowKeepingMappings.Mapping
  ) -> Set<String>? {
    guard let name = mapping.destinationEntityName else { return nil }
    var (changed, roles) = (work.computed, [ColumnRole]())
    for attribute in work.computed {
      roles += destination.reference(to: attribute, seenFrom: name).map { [.attribute($0)] } ?? []
    }
    for property in mapping.relationshipMappings
    where !work.relationships.contains(property.name)
      && (!work.references.contains(property.name) || leadsToDropped(property.name, of: name))
    {
      guard let reference = destination.reference(to: property.name, seenFrom: name),
        destination.relationship(named: property.name, of: name)?.isToMany == false
      else { return nil }
      changed.insert(property.name)
      roles += [.toOne(reference), .discriminator(reference), .order(reference)]
    }
    guard keepsRules(mapping, except: changed) else { return nil }
    return Set(roles.compactMap { table.column(for: $0)?.name })
  }

  /// Whether the next version asks no more of the objects than theirs, beside what is changed.
  private func keepsRules(_ mapping: EntityMapping, except changed: Set<String>) -> Bool {
    guard let name = mapping.destinationEntityName, let from = mapping.sourceEntityName else { return false }
    let attributes = destination.attributes(of: name).allSatisfy { new in
      guard !new.isTransient, !new.isDerived, !changed.contains(new.name) else { return true }
      guard new.type != .composite, case .source(let past)? = mapping.propertyMapping(named: new.name)?.value,
        let old = source.attribute(named: past, of: from)
      else { return new.isOptional && new.type != .composite }
      return old.validation == new.validation && (new.isOptional || !old.isOptional)
    }
    let relationships = destination.relationships(of: name).allSatisfy { new in
      guard !new.isTransient, !changed.contains(new.name) else { return true }
      guard let past = mapping.propertyMapping(named: new.name)?.value.sourceName,
        let old = source.relationship(named: past, of: from)
      else { return new.isOptional && new.minCount == 0 }
      return (new.isOptional || !old.isOptional) && old.minCount == new.minCount
        && old.maxCount == new.maxCount
    }
    let constraints = destination.lineage(of: name).allSatisfy { entity in
      entity.uniquenessConstraints.allSatisfy { constraint in
        changed.isDisjoint(with: constraint)
          && source.lineage(of: from).contains { $0.uniquenessConstraints.contains(constraint) }
      }
    }
    return attributes && relationships && constraints
  }
}

extension PropertyMapping {
  fileprivate var isComputed: Bool { if case .expression = value { true } else { false } }
}

extension StatementPlanner {
  fileprivate func tablePlan(ofEntity name: String?) -> TablePlan? {
    name.flatMap(transition.layout.table(ofEntity:)).flatMap { tablePlansByName[$0.name] }
  }

  /// Unique indexes that tables keep, and all of those that are emptied: those of the model as it will have them, and those
  /// of others.
  fileprivate func keptIndexes(
    of tables: Set<String>, emptied: Set<String>
  ) -> (own: [IndexLayout], foreign: [(index: IndexLayout, table: TableLayout)]) {
    var (own, foreign) = ([IndexLayout](), [(index: IndexLayout, table: TableLayout)]())
    for table in keptTables where tables.contains(table.destination.name) {
      let changes = indexChanges(of: table)
      let isEmpty = emptied.contains(table.destination.name)
      own += table.destination.indexes.filter {
        (isEmpty || $0.isUnique) && changes.present.contains($0.name)
      }
      foreign += changes.foreign.filter(\.isUnique).map { ($0, table.destination) }
    }
    return (own, foreign)
  }
}
