import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import TestSupport

/// One random chain of versions, one random store, migrated in one go and step by step.
struct MigrationTrial {
  let seed: UInt64
  let models: [ManagedObjectModel]
  let log: [[String]]
  let explained: Set<String>
  let objects: [ManagedObject]
  let frameworkVersion: Int

  /// - Parameters:
  ///   - ofHierarchies: whether most edits are of parents and their entities.
  ///   - isNumbered: whether each object has a number, by which `StepAccount` follows it.
  init(seed: UInt64, ofHierarchies: Bool = false, isNumbered: Bool = false) {
    self.seed = seed
    var drawing = RandomModel.draw(seed: seed, subentities: ofHierarchies ? 3 : 0)
    let objects = RandomObjects.draw(drawing.model, seed: seed &+ 77)
    var models = [drawing.model]
    var log: [[String]] = []
    for _ in 0..<drawing.random.number(1...4) {
      drawing.beginVersion()
      drawing.log = []
      for _ in 0..<drawing.random.number(1...5) {
        if ofHierarchies { drawing.editHierarchyAtRandom() } else { drawing.editAtRandom() }
      }
      models.append(drawing.model)
      log.append(drawing.log)
    }
    (self.models, self.objects) = isNumbered ? StepAccount.numbered(models, objects) : (models, objects)
    self.log = log
    self.explained = drawing.explained
    self.frameworkVersion = seed % 3 == 0 ? 637 : 1344
  }

  /// The oracle knows no composites, of which no genuine store is at hand, and has a rule of its own for a relationship that is its own inverse and inherited; no genuine store shows
  /// which one is Core Data's.
  var isKnownToOracle: Bool {
    guard let model = models.last,
      !model.entities.contains(where: { $0.attributes.contains { $0.type == .composite } })
    else { return false }
    let hierarchy = EntityHierarchy(model)
    return model.entities.allSatisfy { entity in
      hierarchy.subentityNames(of: entity.name).isEmpty
        || entity.relationships.allSatisfy { $0.inverseName != $0.name }
    }
  }

  struct Outcome {
    /// What should not be, in words.
    var problems: [String] = []
    /// Codes of a refusal, where there was one.
    var refusal: Set<String> = []
    /// Where the migrated store lies.
    var store: URL?
    /// Whether references of the store led nowhere from the start.
    var isDangling = false
  }

  /// Writes the chain as a project, `Models/Chain` with its store beside it; nothing where a version is not valid.
  func write(to folder: URL) throws {
    if models.contains(where: { checkModel($0).hasErrors }) { return }
    let model = versionedModel(models)
    let versions = folder.appending(path: "Models/Chain")
    try FileManager.default.createDirectory(at: versions, withIntermediateDirectories: true)
    for version in model.versions {
      try Data(writeModel(version.model).utf8).write(
        to: versions.appending(component: "\(version.name).yaml"))
    }
    try Data(writeVersions(model).utf8).write(to: versions.appending(component: "versions.yaml"))
    let store = try TestStore(
      "Store.sqlite", in: folder, of: model.versions[0], frameworkVersion: frameworkVersion, objects: objects)
    var planted = PlantedThings(seed: seed, model: models[0], frameworkVersion: frameworkVersion)
    _ = try planted.plant(in: store)
  }

  func run(in folder: URL) -> Outcome {
    var outcome = Outcome()
    do {
      try run(in: folder, &outcome)
    } catch {
      outcome.problems.append("\(describe(error))")
    }
    return outcome
  }

  private func run(in folder: URL, _ outcome: inout Outcome) throws {
    // Random edits may break a rule of a valid model, and nothing migrates into one that does.
    if models.contains(where: { checkModel($0).hasErrors }) {
      outcome.refusal = ["invalid"]
      return
    }
    let model = versionedModel(models)
    let store = try TestStore(
      "\(seed).sqlite", in: folder, of: model.versions[0], frameworkVersion: frameworkVersion,
      usesWAL: seed % 2 == 0, objects: objects)
    var planted = PlantedThings(seed: seed, model: models[0], frameworkVersion: frameworkVersion)
    outcome.isDangling = try planted.plant(in: store)
    let source = try store.read { try PlainStore($0, models[0]) }
    let copies = try routes.map { route in (route, try store.copy(named: "\(seed)-\(route.rawValue).sqlite"))
    }
    defer { for (_, copy) in copies { try? FileManager.default.removeItem(at: copy.url) } }
    let stepwise = try store.copy(named: "\(seed)-stepwise.sqlite")
    let joined = try store.copy(named: "\(seed)-joined.sqlite")
    defer { for copy in [stepwise, joined] { try? FileManager.default.removeItem(at: copy.url) } }
    let before = try store.objects(models[0])
    let direct = try migrate(store, model, to: model.currentVersionName, .clone)
    var refusals: Set<String> = []
    for version in model.versions.dropFirst() where refusals.isEmpty {
      if case .refused(let plan) = try migrate(stepwise, model, to: version.name, .auto) {
        refusals = Set(plan.diagnostics.filter { $0.severity == .error }.map(\.code.description))
      }
    }
    // A store of a version that comes back later, by its hashes, may be taken for that one.
    let isTakenForLater = returnsToOldHashes
    // Through all versions at once it comes to the same as version by version; the one step that Core Data infers may not.
    let through = try migrate(joined, model, to: model.currentVersionName, .clone, .stepwise)
    if case .refused(let plan) = through, refusals.isEmpty, !isTakenForLater {
      let codes = Set(plan.diagnostics.filter { $0.severity == .error }.map(\.code.description))
      outcome.problems.append("refused through all versions (\(codes)), not step by step")
    }
    if case .migrated(let report) = through {
      outcome.problems += try account(of: report, source, joined, isStepwise: true).map { "stepwise: \($0)" }
      if !refusals.isEmpty, !isTakenForLater {
        outcome.problems.append("refused step by step (\(refusals)), not through all versions")
      }
      if refusals.isEmpty, !isTakenForLater, let target = models.last {
        let (one, other) = try (joined.objects(target), stepwise.objects(target))
        outcome.problems += differences(
          normalized(one, target), normalized(other, target), "step by step")
      }
    }
    switch direct {
    case .refused(let plan):
      outcome.refusal = Set(plan.diagnostics.filter { $0.severity == .error }.map(\.code.description))
      for finding in plan.diagnostics
      where finding.severity == .error && !explained.contains(finding.code.description) {
        outcome.problems.append("refused without a reason: \(finding.code) \(finding.message)")
      }
      let isOtherNamed = plan.diagnostics.contains { $0.help.contains { $0.contains("(chain: .stepwise)") } }
      if refusals.isEmpty, !isTakenForLater, !isOtherNamed {
        outcome.problems.append("refused in one go (\(outcome.refusal)), though there is a way")
      }
    case .migrated(let report):
      outcome.store = store.url
      for (route, copy) in copies {
        outcome.problems += try differences(copy, model, route, from: store)
      }
      try compare(store, before, report, &outcome)
      outcome.problems += try account(of: report, source, store)
    }
  }

  /// What does not add up between the store as it was and as it is.
  private func account(
    of report: MigrationReport, _ source: PlainStore, _ store: TestStore, isStepwise: Bool = false
  ) throws -> [String] {
    let path = path(of: report)
    guard path.count > 1, let target = path.last, !isTakenForFormer(path) else { return [] }
    return ChainAccount(
      source, try store.read { try PlainStore($0, target) }, path: path, losses: report.plan.losses,
      findings: report.plan.diagnostics + report.diagnostics, isStepwise: isStepwise
    ).problems
  }

  /// Whether the way goes past a version that had not what the first and a later one have under the same name: in one
  /// step they are the same, as they are for Core Data, and the plan says so (MC3402).
  private func isTakenForFormer(_ path: [ManagedObjectModel]) -> Bool {
    guard path.count < models.count, let target = path.last else { return false }
    let (old, new) = (PlainModel(models[0]), PlainModel(target))
    return target.entities.contains { entity in
      models[0].entities.contains { former in
        guard former.canonicalName == entity.canonicalName else { return false }
        if former.userInfo["id"] != entity.userInfo["id"] { return true }
        let known = identities(old.lineage(former.name))
        return identities(new.lineage(entity.name)).contains { name, id in
          known[name].map { $0 != id } ?? false
        }
      }
    }
  }

  /// What properties are, inherited ones too, by the names that renames do not change.
  private func identities(_ lineage: [EntityDescription]) -> [String: String] {
    let attributes = lineage.flatMap(\.attributes).map { ($0.canonicalName, $0.userInfo["id"] ?? $0.name) }
    let relationships = lineage.flatMap(\.relationships).map {
      ($0.canonicalName, $0.userInfo["id"] ?? $0.name)
    }
    return Dictionary(attributes + relationships, uniquingKeysWith: { first, _ in first })
  }

  /// A version with equal hashes may stand for the first one.
  private func path(of report: MigrationReport) -> [ManagedObjectModel] {
    report.plan.path.compactMap { name in Int(name.dropFirst()).map { models[$0 - 1] } }
  }

  private var routes: [RouteRequest] { [.inPlace] }

  /// What differs, cell by cell, where the same store is migrated on another route than by way of a clone.
  private func differences(
    _ copy: TestStore, _ model: VersionedModel, _ route: RouteRequest, from clone: TestStore
  ) throws -> [String] {
    let result = try migrate(copy, model, to: model.currentVersionName, route)
    guard case .migrated(let report) = result else { return ["refused on the route \(route)"] }
    let expected = try clone.read { try StoreCells(of: $0) }
    let found = try copy.read { try StoreCells(of: $0) }
    let isTaken = report.plan.route == .inPlace || report.plan.isDone
    return found.differences(from: expected).map { "\(route): \($0)" }
      + (isTaken ? [] : ["the route \(route) was not taken"])
  }

  var returnsToOldHashes: Bool {
    let hashes = models.map(\.entityVersionHashesByName)
    return hashes.indices.contains { late in
      late >= 2 && hashes[..<(late - 1)].contains(hashes[late]) && hashes[late] != hashes[late - 1]
    }
  }

  private enum Result {
    case migrated(MigrationReport)
    case refused(MigrationPlan)
  }

  private func migrate(
    _ store: TestStore, _ model: VersionedModel, to target: String, _ route: RouteRequest,
    _ chain: ChainRule = .auto
  ) throws -> Result {
    do {
      return .migrated(try store.migrate(model, to: target, route: route, chain: chain))
    } catch let error as MigrationRefusedError {
      return .refused(error.plan)
    }
  }

  private func compare(
    _ store: TestStore, _ before: [ManagedObject], _ report: MigrationReport,
    _ outcome: inout Outcome
  ) throws {
    guard let target = models.last else { return }
    let path = path(of: report)
    let expected = reference(sound(before), along: path)
    let migrated = normalized(sound(try store.objects(target)), target)
    // Counts take in what is not there, as those that Core Data's triggers keep do.
    let isCounting = !outcome.isDangling
    outcome.problems += differences(
      isCounting ? migrated : withoutCounts(migrated, target),
      isCounting ? expected : withoutCounts(expected, target), "reference")
    outcome.problems += broken(migrated, target)
    if isTakenForFormer(path) { return }
    outcome.problems += IdentityCheck(models: path, before: before, after: migrated, plan: report.plan)
      .problems()
    guard path.count > 1 else { return }
    let layout = PhysicalComparison(of: layOutStore(for: target, frameworkVersion: frameworkVersion))
    try store.read { db in
      let schema = try PhysicalComparison(of: db, boundTo: target)
      outcome.problems += schema.differences(from: layout)
      let (_, findings) = try db.readPhysicalSchema().bound(to: target)
      outcome.problems += findings.filter { !$0.message.contains("'app_") }.map { "\($0.code) \($0.message)" }
      let check = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      if check != ["ok"] { outcome.problems.append("integrity_check: \(check)") }
    }
  }

  private func withoutCounts(_ objects: [ManagedObject], _ model: ManagedObjectModel) -> [ManagedObject] {
    let hierarchy = EntityHierarchy(model)
    return objects.map { object in
      var object = object
      for attribute in hierarchy.attributes(of: object.id.entityName) where attribute.isDerived {
        object.values[attribute.name] = nil
      }
      return object
    }
  }

  /// Step by step, object by object; the composed mapping has to give the same.
  private func reference(_ objects: [ManagedObject], along path: [ManagedObjectModel]) -> [ManagedObject] {
    var objects = objects
    for (from, to) in zip(path, path.dropFirst()) {
      let mapping = inferMappingModel(
        from: ModelVersion(name: "from", model: from), to: ModelVersion(name: "to", model: to)
      ).mappingModel
      objects = ReferenceEngine(objects, mapping, from: from, to: to).run()
    }
    return path.last.map { normalized(objects, $0) } ?? objects
  }

  private func differences(_ real: [ManagedObject], _ expected: [ManagedObject], _ name: String) -> [String] {
    let mine = Dictionary(real.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let theirs = Dictionary(expected.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return Set(mine.keys).union(theirs.keys).compactMap { id in
      let (left, right) = (mine[id], theirs[id])
      return left == right
        ? nil : "\(id.entityName) \(id.primaryKey) differs from \(name): \(difference(left, right))"
    }.sorted()
  }

  private func difference(_ left: ManagedObject?, _ right: ManagedObject?) -> String {
    guard let left, let right else { return left == nil ? "it is missing" : "it should not be" }
    var parts: [String] = []
    for name in Set(left.values.keys).union(right.values.keys) where left.values[name] != right.values[name] {
      parts.append("\(name) is \(left.values[name]?.text ?? "nil"), not \(right.values[name]?.text ?? "nil")")
    }
    for name in Set(left.toOne.keys).union(right.toOne.keys) where left.toOne[name] != right.toOne[name] {
      parts.append("\(name) is \(left.toOne[name]?.text ?? "nil"), not \(right.toOne[name]?.text ?? "nil")")
    }
    for name in Set(left.toMany.keys).union(right.toMany.keys) where left.toMany[name] != right.toMany[name] {
      parts.append(
        "\(name) is \(left.toMany[name]?.map(\.text) ?? []), not \(right.toMany[name]?.map(\.text) ?? [])")
    }
    return parts.sorted().joined(separator: "; ")
  }

  /// References whose inverse does not lead back.
  private func broken(_ objects: [ManagedObject], _ model: ManagedObjectModel) -> [String] {
    let hierarchy = EntityHierarchy(model)
    let known = Dictionary(objects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var problems: [String] = []
    for object in objects {
      for relationship in hierarchy.relationships(of: object.id.entityName) {
        guard let inverse = hierarchy.inverse(of: relationship) else { continue }
        for target in object.ends(of: relationship.name) {
          if known[target]?.ends(of: inverse.name).contains(object.id) != true {
            problems.append(
              "\(object.id.text).\(relationship.name) → \(target.text), which does not lead back")
          }
        }
      }
    }
    return problems
  }

  /// Everything that is needed to understand a failure.
  var description: String {
    var text = "seed \(seed), framework \(frameworkVersion)\n"
    for (index, steps) in log.enumerated() {
      text += "V\(index + 1) → V\(index + 2): \(steps.joined(separator: "; "))\n"
    }
    for (index, model) in models.enumerated() { text += "--- V\(index + 1)\n\(writeModel(model))" }
    return text
  }

  private func describe(_ error: any Error) -> String {
    guard let error = error as? DiagnosticsError else { return "\(error)" }
    return error.diagnostics.map {
      "\($0.code) \($0.message) \($0.notes.map(\.message).joined(separator: " | "))"
    }
    .joined(separator: "; ")
  }
}

/// Without references to missing objects: the account follows those.
func sound(_ objects: [ManagedObject]) -> [ManagedObject] {
  let ids = Set(objects.map(\.id))
  return objects.map { object in
    var object = object
    object.toOne = object.toOne.filter { ids.contains($0.value) }
    object.toMany = object.toMany.mapValues { $0.filter(ids.contains) }.filter { !$0.value.isEmpty }
    return object
  }
}

extension ManagedObject.ID {
  var text: String { "\(entityName) \(primaryKey)" }
}
