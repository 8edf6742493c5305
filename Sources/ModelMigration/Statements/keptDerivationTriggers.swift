package import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Says which derived attributes no trigger keeps, which triggers of others name what changes, and which foreign keys of
  /// others lead to what is gone then.
  mutating func reportUnkeptDerivations() {
    let foreign = transition.schema.triggers.filter { isForeign($0) && !keepsNames($0) }
    if !foreign.isEmpty {
      let (list, isOne) = (foreign.map(\.name).quoted(5), foreign.count == 1)
      plan.diagnostics.append(
        .unknownSchemaObjects, .warning,
        "\(isOne ? "the app's own trigger refers to" : "the app's own triggers refer to") tables, columns or entity numbers that change: \(list)",
        notes: [
          "if its table is renamed, a trigger is left out; if it refers to a removed part, it ends the migration (MC6001)"
        ],
        help: [
          "drop \(isOne ? "it" : "them") in the store (`DROP TRIGGER …`) before, and create \(isOne ? "it" : "them") with the new names after the migration"
        ])
    }
    let broken = transition.tableTexts.filter { name, sql in
      SchemaText(sql)?.references.contains { isGone($0.table, $0.columns) } == true && !isGone(name, [])
    }
    if !broken.isEmpty {
      let tables = broken.keys.sorted()
      // Those of the app's own tables alone are a warning: foreign keys are off unless a connection turns them on.
      let isOwn = !transition.schema.tables.contains { broken[$0.name] != nil }
      plan.diagnostics.append(
        .unknownSchemaObjects, isOwn ? .warning : .error,
        "foreign keys of \(verb(tables.count, "the app's own table", "the app's own tables")) \(tables.quoted(5)) lead to a table or column that is dropped or rewritten",
        notes: ["if the app enforces foreign keys, SQLite refuses every new row there after the migration"]
          + (isOwn ? [] : ["the store is unchanged"]),
        help: [
          "recreate \(tables.count == 1 ? "it" : "them") without `REFERENCES …` in the store, before the migration"
        ])
    }
    plan.diagnostics += unkeptDerivations
  }

  /// Derived attributes whose values no trigger keeps up to date.
  private var unkeptDerivations: [Diagnostic] {
    let triggers = plan.schema.triggers + keptDerivationTriggers
    let entities = plan.schema.entities.compactMap { transition.destination.entity(named: $0.name) }
    return entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        guard let derivation = attribute.derivationExpression, !attribute.isTransient,
          !triggers.contains(where: { $0.keeps(attribute.name, of: entity.name) })
        else { return nil }
        return Diagnostic(
          .derivationNotKept, .warning,
          "no trigger keeps '\(entity.name).\(attribute.name)' up to date, derived as '\(derivation)'",
          subject: ModelSubject(entity: entity.name, property: attribute.name, key: "derivation"),
          notes: [
            "its values are computed once; how Core Data keeps them up to date in such a store is not known"
          ],
          help: [
            "after the app has opened and saved the store, `modelc verify STORE` shows whether the values are up to date"
          ])
      }
    }
  }

  /// Whether a table or one of its columns goes away. Into foreign keys SQLite writes the new names of others.
  private func isGone(_ table: String, _ columns: [String]) -> Bool {
    let dropped = droppedTables.map(\.name) + droppedJoinTables.map(\.name)
    let kept = keptTables.first { $0.source.name.caseInsensitivelyEquals(table) }
    return dropped.contains { $0.caseInsensitivelyEquals(table) }
      || (kept?.droppedColumns ?? []).contains { columns.contains(where: $0.name.caseInsensitivelyEquals) }
  }

  /// Triggers of Core Data's for derivations other than counts. No text of theirs is made up; those that the store has
  /// go on where everything that they name is what it was.
  var keptDerivationTriggers: [TriggerLayout] {
    let made = Set(plan.schema.triggers.map { $0.name.uppercased() })
    return transition.schema.triggers.filter { trigger in
      isOnModelTable(trigger) && !made.contains(trigger.name.uppercased()) && isStillDerived(trigger)
        && keepsNames(trigger)
    }
  }

  /// Whether the attribute that it is for is derived in the same way.
  private func isStillDerived(_ trigger: TriggerLayout) -> Bool {
    transition.destination.model.entities.contains { entity in
      entity.attributes.contains { attribute in
        attribute.derivationExpression != nil && trigger.keeps(attribute.name, of: entity.name)
          && transition.source.attribute(named: attribute.name, of: entity.name)?.derivationExpression
            == attribute.derivationExpression
          && keepsReferenceColumn(attribute.derivationExpression ?? "", of: entity.name)
      }
    }
  }

  /// Whether the relationship that the derivation begins with, where it does, lies where it lay: with another inverse
  /// its references are in another column or table.
  private func keepsReferenceColumn(_ derivation: String, of entity: String) -> Bool {
    let name = String(derivation.prefix { $0 != "." })
    let (source, destination) = (transition.source, transition.destination)
    guard let new = destination.relationship(named: name, of: entity),
      let old = source.relationship(named: name, of: entity)
    else { return destination.relationship(named: name, of: entity) == nil }
    let inverses = (source.inverse(of: old), destination.inverse(of: new))
    return old.isToMany == new.isToMany && inverses.0?.isToMany == inverses.1?.isToMany
      && inverses.0?.canonicalName == inverses.1?.canonicalName
  }

  /// Whether everything that it names is what it was.
  func keepsNames(_ trigger: TriggerLayout) -> Bool {
    guard var names = trigger.namesInBody else { return false }
    names.insert(trigger.tableName.uppercased())
    let tables = transition.schema.tables.filter { names.contains($0.name.uppercased()) }
    let joins = transition.schema.joinTables.filter { names.contains($0.name.uppercased()) }
    let namesNumbers = trigger.sql.contains(#/Z_ENT\s*(IN|=)/#)
    return tables.allSatisfy { table in
      guard let plan = tablePlans.first(where: { $0.source.name == table.name && $0.kind != .split }),
        plan.destination.name == table.name
      else { return false }
      let heirs = plan.heirs
      return table.columns.allSatisfy { !names.contains($0.name.uppercased()) || heirs[$0.name] == $0.name }
    }
      && joins.allSatisfy { join in
        joinPlans.contains {
          $0.source?.name == join.name && $0.destination.name == join.name
            && $0.columnRenames.allSatisfy { $0.key == $0.value }
        }
      } && (!namesNumbers || transition.renumbering.allSatisfy { $0.key == $0.value })
  }
}

extension TriggerLayout {
  /// Whether it keeps a derived attribute, by its name (store-format.md 7).
  fileprivate func keeps(_ attribute: String, of entity: String) -> Bool {
    name.hasPrefix("Z_DA_") && name.contains("_\(entity)_\(attribute)_")
  }
}

extension Diagnostic.Code { package static let derivationNotKept = Self("MC3119") }
