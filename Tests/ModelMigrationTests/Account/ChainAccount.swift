import Foundation
import GRDB
import ManagedModel
import ModelMigration

/// The account of a migration along inferred steps: each object, value, link, place in an order, change of the history,
/// index and table of the source is in the target, or changed as the models state, or counted by the plan.
///
/// It follows entities and properties by the numbers in `userInfo` and reads both files with plain SQL; of the engine it
/// takes the plan's losses and findings alone, as what is to be checked against the files.
struct ChainAccount {
  typealias Key = PlainStore.Key
  typealias Link = PlainStore.Link

  let before: PlainStore
  let after: PlainStore
  /// Every version that the migration went through.
  let path: [PlainModel]
  let losses: [MigrationPlan.Loss]
  let findings: [Diagnostic]
  /// Whether the steps were carried out one after the other; they are counted as one.
  let isStepwise: Bool
  private(set) var problems: [String] = []
  /// What was looked at, by kind.
  private(set) var tally: [String: Int] = [:]

  init(
    _ before: PlainStore, _ after: PlainStore, path: [ManagedObjectModel], losses: [MigrationPlan.Loss],
    findings: [Diagnostic], isStepwise: Bool = false
  ) {
    self.isStepwise = isStepwise
    (self.before, self.after, self.losses, self.findings) = (before, after, losses, findings)
    self.path = path.map { PlainModel($0) }
    holdObjects()
    checkValues()
    checkLinks()
    holdOrders()
    holdHistory()
    holdIndexes()
    holdTables()
  }

  /// Whether the store goes to another version at all.
  private var isMoved: Bool { path.count > 1 }

  /// The entity's name in every version, where each has it.
  private func way(_ key: Key) -> [String]? {
    let names = path.compactMap { $0.name(ofEntity: key.entity) }
    return names.count == path.count ? names : nil
  }

  /// What objects have inherited, and lose with their parent, is counted under their own entity.
  private func counted(_ code: String, _ entity: String, _ property: String?) -> Int {
    losses.filter {
      $0.code.description == code && $0.property == property
        && ($0.entity == entity || property != nil && path[0].isKind($0.entity, of: entity))
    }.reduce(0) { $0 + $1.count }
  }

  private mutating func hold(_ what: String, _ lost: Int, counted: Int) {
    tally["counted", default: 0] += counted
    if lost != counted { problems.append("\(lost) \(what) went, \(counted) were counted") }
  }

  // MARK: objects and values

  private mutating func holdObjects() {
    var lost: [String: Int] = [:]
    tally["objects"] = before.objects.count
    for key in before.objects.keys {
      if way(key) == nil {
        lost[before.entityName(of: key) ?? "", default: 0] += 1
      } else if after.objects[key] == nil {
        problems.append("object \(key) is gone")
      } else if after.optimisticLocks[key] != before.optimisticLocks[key] {
        problems.append("object \(key) has another Z_OPT")
      }
    }
    for key in after.objects.keys where before.objects[key] == nil {
      problems.append("object \(key) was not there before")
    }
    for entity in before.model.model.entities {
      hold("objects of \(entity.name)", lost[entity.name] ?? 0, counted: counted("MC3111", entity.name, nil))
    }
  }

  private mutating func checkValues() {
    var lost: [String: Int] = [:]
    var narrowed: [String: Int] = [:]
    for (key, values) in before.objects {
      guard let way = way(key), let end = after.objects[key] else { continue }
      for leaf in before.model.leaves(way[0]) {
        guard let value = values[leaf.id] else { continue }
        tally["values", default: 0] += 1
        let leaves = zip(path, way).compactMap { model, name in
          model.leaves(name).first { $0.id == leaf.id }
        }
        let name = "\(leaf.entity).\(leaf.name)"
        guard leaves.count == path.count, let last = leaves.last else {
          lost[name, default: 0] += 1
          continue
        }
        let types = leaves.map(\.attribute.type)
        let found = end[leaf.id] ?? .null
        if Set(types).count == 1 {
          let (one, other) = (bare(value, leaf), bare(found, last))
          if one != other, !sameNumber(one, other) {
            problems.append("\(key).\(name) was \(value), is \(found)")
          }
        } else {
          let expected = zip(types, types.dropFirst()).reduce(value) { converted($0, from: $1.0, to: $1.1) }
          if !sameNumber(expected, found) {
            problems.append("\(key).\(name) was \(value), is \(found) and not \(expected)")
          }
          // Stored as it was, and read with four bytes.
          if !sameNumber(value, found) || types.last == .float && !value.isFloat {
            narrowed[name, default: 0] += 1
          }
        }
      }
    }
    for entity in before.model.model.entities {
      for leaf in before.model.ownLeaves(entity) where !leaf.attribute.isDerived {
        let name = "\(entity.name).\(leaf.name)"
        hold("values of \(name)", lost[name] ?? 0, counted: counted("MC3111", entity.name, leaf.name))
        hold(
          "values of \(name) in another type", narrowed[name] ?? 0,
          counted: counted("MC3109", entity.name, leaf.name))
      }
    }
  }

  /// Without the byte that tells values which lie inline from those in files.
  private func bare(_ cell: DatabaseValue, _ leaf: PlainModel.Leaf) -> DatabaseValue {
    guard leaf.attribute.allowsExternalBinaryDataStorage, let data = Data.fromDatabaseValue(cell),
      data.first == 1
    else { return cell }
    return data.dropFirst().databaseValue
  }

  // MARK: links

  /// A link goes along as what its relationship and the inverse tell; each may take the other's place.
  private func tellers(_ relationship: String, _ link: Link) -> [(id: String, isForward: Bool)] {
    guard let sources = way(link.source), let targets = way(link.target) else { return [] }
    var tellers = [(id: relationship, isForward: true)]
    for (index, model) in path.enumerated() {
      tellers = tellers.filter { teller in
        let (from, to) =
          teller.isForward ? (sources[index], targets[index]) : (targets[index], sources[index])
        guard let found = model.relationship(teller.id, of: from) else { return false }
        return model.isKind(to, of: found.description.destinationEntityName)
      }
      for teller in tellers {
        let from = teller.isForward ? sources[index] : targets[index]
        guard let inverse = model.relationship(teller.id, of: from).flatMap(model.inverse),
          !tellers.contains(where: { $0.id == inverse.id && $0.isForward != teller.isForward })
        else { continue }
        tellers.append((inverse.id, !teller.isForward))
      }
    }
    return tellers
  }

  private mutating func checkLinks() {
    var expected: [String: Set<Link>] = [:]
    for (id, links) in before.links {
      guard let relationship = path[0].relationships.first(where: { $0.id == id }) else { continue }
      let inverse = path[0].inverse(of: relationship)
      // Where both sides go by one name, what the inverse alone holds has it too.
      let others = inverse.flatMap { before.links[$0.id] } ?? []
      let sides = [id] + [inverse].compactMap { $0?.id }.filter { $0 != id }
      let all =
        links.union(others.map { Link(source: $0.target, target: $0.source) }).count
        + sides.reduce(0) { $0 + (before.dangling[$1]?.count ?? 0) }
      var lost = 0
      for link in links {
        tally["links", default: 0] += 1
        if way(link.source) == nil || way(link.target) == nil { continue }
        let tellers = tellers(id, link)
        let places = tellers.map { teller in
          (teller.id, teller.isForward ? link : Link(source: link.target, target: link.source))
        }
        for (id, place) in places { expected[id, default: []].insert(place) }
        let missing = places.filter { after.links[$0.0]?.contains($0.1) != true }
        if missing.count == places.count {
          lost += 1
        } else if let first = missing.first {
          problems.append("\(link) of \(relationship.name) is told on one side, and not by \(first)")
        }
      }
      let own = counted("MC3111", relationship.entity, relationship.name)
      let inverses = inverse.map { counted("MC3111", $0.entity, $0.name) } ?? 0
      tally["counted", default: 0] += own
      if lost > own + inverses || own > all {
        let name = "\(relationship.entity).\(relationship.name)"
        problems.append(
          "\(lost) to \(all) links of \(name) went, \(own) or \(inverses) were counted")
      }
    }
    for relationship in after.model.relationships {
      let (found, wanted) = (after.links[relationship.id] ?? [], expected[relationship.id] ?? [])
      let name = "\(relationship.entity).\(relationship.name)"
      for link in found.subtracting(wanted) {
        problems.append("\(name) has a new \(link.source) → \(link.target)")
      }
    }
    holdDangling()
  }

  /// References to missing objects stay as they are, or are counted where they go.
  private mutating func holdDangling() {
    for (id, links) in before.dangling {
      guard let relationship = path[0].relationships.first(where: { $0.id == id }) else { continue }
      let inverse = path[0].inverse(of: relationship)
      let gone = links.filter { link in
        tally["dangling", default: 0] += 1
        // A reference whose relationship goes lives on in its inverse.
        return way(link.source.entity.isEmpty ? link.target : link.source) != nil
          && !after.dangling.values.contains {
            $0.contains(link) || $0.contains(Link(source: link.target, target: link.source))
          }
      }
      let dropped = [relationship, inverse].compactMap(\.self).map { counted("MC3111", $0.entity, $0.name) }
      // One after the other, steps may keep the key of the other side of a pair of to-ones than all in one.
      let sides = [relationship] + (isStepwise ? [inverse].compactMap(\.self) : [])
      let missing = sides.map { counted("MC3126", $0.entity, $0.name) }
      let counts = [dropped.reduce(0, +), missing.reduce(0, +)]
      tally["counted", default: 0] += counts[1]
      // All steps in one may lose what one after the other would keep.
      if gone.count > counts[0] + counts[1] || (counts[1] > gone.count && !isStepwise) {
        problems.append(
          "\(gone.count) dangling of \(relationship.entity).\(relationship.name) went, \(counts) were counted"
        )
      }
    }
    for (id, links) in after.dangling {
      for link in links where before.dangling[id]?.contains(link) != true {
        let known = before.dangling.values.contains {
          $0.contains(link) || $0.contains(Link(source: link.target, target: link.source))
        }
        if !known { problems.append("relationship \(id): \(link.source) → \(link.target) leads nowhere now") }
      }
    }
  }

  // MARK: orders

  private mutating func holdOrders() {
    for (id, lists) in before.orders {
      guard let relationship = path[0].relationships.first(where: { $0.id == id }) else { continue }
      var lost = 0
      for (owner, list) in lists {
        tally["places", default: 0] += list.count
        guard let names = way(owner) else { continue }
        // Where the link goes, it is counted, and its place with it.
        let kept = list.filter { member in
          tellers(id, Link(source: owner, target: member)).contains { teller in
            let (from, to) = teller.isForward ? (owner, member) : (member, owner)
            return after.links[teller.id]?.contains(Link(source: from, target: to)) == true
          }
        }
        let versions = zip(path, names).map { $0.relationship(id, of: $1) }
        guard versions.allSatisfy({ $0?.description.isOrdered == true }) else {
          lost += kept.count
          continue
        }
        // Where two relationships become a pair, the other's links have places too.
        let now = (after.orders[id]?[owner] ?? []).filter(kept.contains)
        if now != kept {
          problems.append("the order of \(owner).\(relationship.name) is \(now), not \(kept)")
        }
      }
      let said = counted("MC3125", relationship.entity, relationship.name)
      tally["counted", default: 0] += said
      // A link that goes takes its place along, even if another relationship had it too and keeps it.
      let gone = counted("MC3111", relationship.entity, relationship.name)
      if lost > said + gone || said > lost {
        problems.append(
          "\(lost) places in \(relationship.entity).\(relationship.name) went, \(said) were counted")
      }
    }
  }

  // MARK: history, indexes, tables

  /// The number that a finding begins with.
  private func number(_ text: String) -> Int {
    findings.filter { $0.code.description == "MC5201" && $0.message.contains(text) }.reduce(0) {
      sum, finding in
      sum + (finding.message.firstMatch(of: #/\d+/#).flatMap { Int($0.0) } ?? 0)
    }
  }

  private mutating func holdHistory() {
    if before.tables["ACHANGE"] == nil { return }
    if before.transactions != after.transactions { problems.append("the history's transactions differ") }
    var (lost, unlabelled, cleared) = (0, 0, 0)
    for (key, change) in before.changes {
      tally["history", default: 0] += 1
      guard path.allSatisfy({ $0.name(ofEntity: change.entity) != nil }) else {
        lost += 1
        continue
      }
      guard let found = after.changes[key] else {
        problems.append("change \(key) of the history is gone")
        continue
      }
      if found.entity != change.entity || found.others != change.others {
        problems.append("change \(key) of the history is \(found), not \(change)")
      }
      if found.columns != change.columns { unlabelled += 1 }
      if found.tombstones != change.tombstones { cleared += 1 }
      if !found.columns.isNull && found.columns != change.columns {
        problems.append("change \(key) of the history names other properties")
      }
    }
    if after.changes.count > before.changes.count { problems.append("the history has new changes") }
    hold("changes of the history", lost, counted: number("loses"))
    // What is said of a change in one step may go with it in the next.
    let others = before.changes.filter { after.changes[$0.key] == nil && !$0.value.columns.isNull }.count
    let said = number("no longer")
    if said < unlabelled || said > unlabelled + others {
      problems.append("\(unlabelled) columns of changes went, \(said) were counted")
    }
    hold("tombstones of changes", cleared, counted: number("values kept"))
    for (name, maximum) in before.maxima
    where Int(name) == nil || path.allSatisfy({ $0.name(ofEntity: name) != nil }) {
      if let now = after.maxima[name], before.model.name(ofEntity: name) == nil, now < maximum {
        problems.append("numbers of \(name) begin again at \(now), not \(maximum)")
      }
    }
  }

  private mutating func holdIndexes() {
    let said = findings.filter { ["MC3301", "MC3302", "MC3303"].contains($0.code.description) }
    for (name, sql) in before.indexes where name.hasPrefix("app_") {
      tally["indexes", default: 0] += 1
      guard let now = after.indexes[name] else {
        // A second one of the same form changes nothing, and goes with the first.
        let body = sql.drop { $0 != "(" }
        if before.indexes.contains(where: { $0.key != name && $0.value.hasSuffix(body) }) { continue }
        if !said.contains(where: { $0.message.contains("'\(name)'") }) {
          problems.append("index \(name) is gone unsaid: \(sql)")
        }
        continue
      }
      let isUnique = sql.contains("UNIQUE")
      if now.contains("UNIQUE") != isUnique || now.contains("WHERE") != sql.contains("WHERE") {
        problems.append("index \(name) is \(now), was \(sql)")
      }
    }
    let names = Set(after.indexes.keys.map { $0.uppercased() })
    for entity in after.model.model.entities {
      // Frameworks of before fetch indexes make plain ones under other names.
      for index in entity.fetchIndexes
      where !names.contains("Z_\(entity.name)_\(index.name)".uppercased())
        && (index.partialIndexPredicate != nil || index.elements.contains(where: \.isExpression))
      {
        if !said.contains(where: { $0.message.contains("'\(index.name)'") }) {
          problems.append("index \(entity.name).\(index.name) of the model is not made")
        }
      }
    }
  }

  private mutating func holdTables() {
    for (name, rows) in before.tables where name.hasPrefix("app_") {
      tally["tables", default: 0] += 1
      if after.tables[name] != rows, !findings.contains(where: { $0.message.contains("'\(name)'") }) {
        problems.append("table \(name) has \(after.tables[name] ?? -1) rows, had \(rows)")
      }
    }
  }
}

extension DatabaseValue {
  fileprivate var isFloat: Bool {
    switch storage {
    case .int64(let number): Float(exactly: number) != nil
    case .double(let number): Float(exactly: number) != nil
    default: true
    }
  }
}

/// Numbers compare by value, whatever they are stored as.
func sameNumber(_ one: DatabaseValue, _ other: DatabaseValue) -> Bool {
  switch (one.storage, other.storage) {
  case (.int64(let left), .int64(let right)): left == right
  case (.double(let left), .double(let right)): left == right
  case (.int64(let left), .double(let right)), (.double(let right), .int64(let left)):
    Int64(exactly: right) == left
  default: one == other
  }
}

/// What Core Data's rules make of a number: a fraction is cut off, what is too large becomes the nearest bound.
func converted(_ cell: DatabaseValue, from: AttributeType, to: AttributeType) -> DatabaseValue {
  if from == to { return cell }
  let bounds: (least: Int64, greatest: Int64)? =
    switch to {
    case .integer16: (Int64(Int16.min), Int64(Int16.max))
    case .integer32: (Int64(Int32.min), Int64(Int32.max))
    case .integer64: (.min, .max)
    default: nil
    }
  switch (cell.storage, bounds, to) {
  case (.int64(let number), let bounds?, _):
    return min(max(number, bounds.least), bounds.greatest).databaseValue
  case (.double(let number), let bounds?, _):
    let whole = number >= 0x1p63 ? Int64.max : number <= -0x1p63 ? .min : Int64(number)
    return min(max(whole, bounds.least), bounds.greatest).databaseValue
  case (.int64(let number), nil, .double), (.int64(let number), nil, .float):
    return Double(number).databaseValue
  default: return cell
  }
}
