import Foundation
import GRDB
import ManagedModel
import ModelMigration

/// The account of a migration along a custom mapping: each object, value, link and place of the source is in the target,
/// is read by an expression, or is counted by the plan.
///
/// It reads both files with plain SQL, and the mapping as the text that was written; of the engine it takes the plan's
/// losses alone, as what is to be checked against the files.
struct MappingAccount {
  typealias Key = PlainStore.Key
  typealias Link = PlainStore.Link

  let before: PlainStore
  let after: PlainStore
  let trial: RandomMapping
  let losses: [MigrationPlan.Loss]
  let findings: [Diagnostic]
  private(set) var problems: [String] = []
  private(set) var tally: [String: Int] = [:]
  /// Objects of before → those that they became.
  private var heirs: [Key: Key] = [:]
  private var number: (before: [Key: Int64], after: [Key: Int64]) = ([:], [:])

  init(
    _ before: PlainStore, _ after: PlainStore, _ trial: RandomMapping, losses: [MigrationPlan.Loss],
    findings: [Diagnostic]
  ) {
    (self.before, self.after, self.trial) = (before, after, trial)
    (self.losses, self.findings) = (losses, findings)
    number = (numbers(before), numbers(after))
    findHeirs()
    holdObjects()
    checkValues()
    holdGroups()
    checkLinks()
    holdOrders()
    holdHistory()
    holdOthers()
  }

  private func numbers(_ store: PlainStore) -> [Key: Int64] {
    store.objects.compactMapValues { $0["number"].flatMap { Int64.fromDatabaseValue($0) } }
  }

  private func counted(_ codes: String..., entity: String, _ property: String?) -> Int {
    losses.filter {
      codes.contains($0.code.description) && $0.entity == entity && $0.property == property
    }.reduce(0) { $0 + $1.count }
  }

  private mutating func findHeirs() {
    let found = Dictionary(number.after.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func name(_ store: PlainStore, _ key: Key) -> String? {
      store.objects[key]?["name"].flatMap { String.fromDatabaseValue($0) }
    }
    for (key, number) in number.before {
      if key.entity == "Club", trial.isGrouped {
        heirs[key] = after.objects.keys.first { $0.entity == "Club" && name(after, $0) == name(before, key) }
      } else {
        heirs[key] = found[number]
      }
    }
  }

  private mutating func holdObjects() {
    for entity in ["Author", "Book", "Club"] {
      let all = before.objects.keys.filter { $0.entity == entity }
      tally["objects", default: 0] += all.count
      let lost = all.filter { heirs[$0] == nil }.count
      let said = counted("MC3111", "MC3112", "MC4109", "MC3122", "MC3110", entity: entity, nil)
      let said2 = losses.filter { $0.entity == entity && $0.property == nil }.reduce(0) { $0 + $1.count }
      if lost != max(said, said2) {
        problems.append("\(lost) objects of \(entity) went, \(said2) were counted")
      }
    }
  }

  /// Source attributes that some expression or the filter reads: what becomes of them is stated.
  private func reads(_ name: String) -> Bool {
    trial.expressions.values.contains { $0.contains("$source.\(name)") }
      || trial.filter.map { $0.contains(name) } ?? false
  }

  private mutating func checkValues() {
    for leaf in before.model.leaves("Author") {
      let kept = after.model.leaves("Author").first { $0.name == leaf.name }
      if reads(leaf.name) { continue }
      var (lost, all) = (0, 0)
      for (key, values) in before.objects where key.entity == "Author" {
        guard let value = values[leaf.id] else { continue }
        tally["values", default: 0] += 1
        all += 1
        guard let heir = heirs[key], let end = after.objects[heir] else { continue }
        guard let kept else {
          lost += 1
          continue
        }
        if !sameNumber(end[kept.id] ?? .null, value) {
          problems.append("\(key).\(leaf.name) was \(value), is \(end[kept.id] ?? .null)")
        }
      }
      let said = counted("MC3111", entity: "Author", leaf.name)
      tally["counted", default: 0] += said
      if said < lost || said > (lost == 0 && trial.filter == nil ? 0 : all) {
        problems.append("\(lost) to \(all) values of \(leaf.name) went, \(said) were counted")
      }
    }
    for (name, expression) in trial.expressions { holdConversion(name, expression) }
  }

  /// A conversion of one value gives one, or is counted.
  private mutating func holdConversion(_ name: String, _ expression: String) {
    guard
      let match = expression.wholeMatch(
        of: #/(?:parse\w+|CAST)\(\$source\.(\w+), ?".*"\)|parse\w+\(\$source\.(\w+)\)/#),
      let source = (match.1 ?? match.2).map(String.init),
      let leaf = before.model.leaves("Author").first(where: { $0.name == source }),
      let target = after.model.leaves("Author").first(where: { $0.name == name })
    else { return }
    let lost = heirs.filter { key, heir in
      key.entity == "Author" && before.objects[key]?[leaf.id] != nil && after.objects[heir]?[target.id] == nil
    }.count
    let said = counted("MC3118", entity: "Author", name)
    tally["counted", default: 0] += said
    if lost != said {
      problems.append("\(lost) values for \(name) by \(expression) went, \(said) were counted")
    }
  }

  private mutating func holdGroups() {
    guard trial.isGrouped else { return }
    for leaf in before.model.leaves("Club") {
      let lost = heirs.filter { key, heir in
        guard key.entity == "Club", let value = before.objects[key]?[leaf.id] else { return false }
        return after.objects[heir]?[leaf.id] != value
      }.count
      let said = counted("MC3120", entity: "Club", leaf.name)
      tally["counted", default: 0] += said
      if lost != said {
        problems.append("\(lost) values of Club.\(leaf.name) went in groups, \(said) were counted")
      }
    }
  }

  private mutating func checkLinks() {
    for relationship in before.model.relationships {
      guard let links = before.links[relationship.id] else { continue }
      var (lost, all) = (0, before.dangling[relationship.id]?.count ?? 0)
      for link in links {
        tally["links", default: 0] += 1
        all += 1
        guard let source = heirs[link.source], let target = heirs[link.target] else { continue }
        if after.links[relationship.id]?.contains(Link(source: source, target: target)) != true { lost += 1 }
      }
      let inverse = before.model.inverse(of: relationship)
      let said = counted("MC3111", entity: relationship.entity, relationship.name)
      let others = inverse.map { counted("MC3111", entity: $0.entity, $0.name) } ?? 0
      tally["counted", default: 0] += said
      if lost > max(said, others) || (lost == 0 && said > 0 && heirs.count == before.objects.count) {
        problems.append(
          "\(lost) of \(all) links of \(relationship.entity).\(relationship.name) went, \(said) or \(others) were counted"
        )
      }
    }
    for (id, links) in after.links {
      let expected = Set(
        (before.links[id] ?? []).compactMap { link -> Link? in
          guard let source = heirs[link.source], let target = heirs[link.target] else { return nil }
          return Link(source: source, target: target)
        })
      for link in links.subtracting(expected) {
        problems.append("\(id) has a new \(link.source) → \(link.target)")
      }
    }
    holdDangling()
  }

  private mutating func holdDangling() {
    for (id, links) in before.dangling {
      guard let relationship = before.model.relationships.first(where: { $0.id == id }) else { continue }
      tally["dangling", default: 0] += links.count
      let gone = links.filter { link in
        let known = link.source.entity.isEmpty ? link.target : link.source
        return heirs[known].map { heir in
          after.dangling[id]?.contains { $0.source == heir || $0.target == heir } != true
        } ?? false
      }.count
      let said = counted("MC3126", entity: relationship.entity, relationship.name)
      let dropped = counted("MC3111", entity: relationship.entity, relationship.name)
      tally["counted", default: 0] += said
      if gone > said + dropped || (said > gone && trial.filter == nil) {
        problems.append(
          "\(gone) dangling of \(relationship.entity).\(relationship.name) went, \(said) were counted")
      }
    }
    for (id, links) in after.dangling {
      for link in links where (before.dangling[id]?.isEmpty ?? true) {
        problems.append("relationship \(id): \(link.source) → \(link.target) leads nowhere now")
      }
    }
  }

  private mutating func holdOrders() {
    for (id, lists) in before.orders {
      guard let relationship = before.model.relationships.first(where: { $0.id == id }) else { continue }
      let isOrdered =
        after.model.relationships.first { $0.id == id && $0.entity == relationship.entity }?.description
        .isOrdered
      var lost = 0
      for (owner, list) in lists {
        guard let heir = heirs[owner], isOrdered != nil else { continue }
        let members = list.compactMap { heirs[$0] }
        tally["places", default: 0] += list.count
        if isOrdered == false {
          lost += members.count
        } else if !(trial.isGrouped && relationship.entity == "Club"),
          after.orders[id]?[heir] ?? [] != members
        {
          problems.append(
            "the order of \(owner).\(relationship.name) is \(after.orders[id]?[heir] ?? []), not \(members)")
        }
      }
      let said = counted("MC3125", entity: relationship.entity, relationship.name)
      tally["counted", default: 0] += said
      // Objects that a filter leaves out are counted among those that have places.
      if said < lost || (said > lost && trial.filter == nil) {
        problems.append("\(lost) places in \(relationship.name) went, \(said) were counted")
      }
    }
  }

  // MARK: history, indexes, tables

  private mutating func holdHistory() {
    let count = before.transactions["ATRANSACTION"]?.count ?? 0
    tally["history", default: 0] += count
    if count > 0, after.transactions["ATRANSACTION"]?.isEmpty ?? true {
      let isMentioned = findings.contains { $0.message.contains(": \(count) transaction") }
      if !isMentioned { problems.append("\(count) transactions went unsaid") }
    }
    for name in ["CHANGE", "TRANSACTION"] {
      if let former = before.maxima[name], let now = after.maxima[name], now < former {
        problems.append("numbers of \(name) begin again at \(now), not \(former)")
      }
    }
  }

  private mutating func holdOthers() {
    for (name, sql) in before.indexes where name.hasPrefix("app_") && after.indexes[name] == nil {
      tally["indexes", default: 0] += 1
      let body = sql.drop { $0 != "(" }
      if before.indexes.contains(where: { $0.key != name && $0.value.hasSuffix(body) }) { continue }
      if !findings.contains(where: { $0.message.contains("'\(name)'") }) {
        problems.append("index \(name) is gone unsaid: \(sql)")
      }
    }
    for (name, rows) in before.tables where name.hasPrefix("app_") && after.tables[name] != rows {
      tally["tables", default: 0] += 1
      if !findings.contains(where: { $0.message.contains("'\(name)'") }) {
        problems.append("table \(name) has \(after.tables[name] ?? -1) rows, had \(rows)")
      }
    }
  }
}
