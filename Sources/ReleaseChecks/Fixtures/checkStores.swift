import Foundation
import ManagedModel
import ModelFormats
import PersistentStore
import StoreFixtures

/// A store that a check migrates.
struct CheckedStore: Hashable, Sendable {
  /// As the user knows it.
  var path: String
  /// The released version that it was kept for; nil if it was named by hand.
  var version: String?

  /// Of the file and its log; another one once a program has written to the store.
  var state: [FileStatus?] { [path, path + "-wal"].map { try? FileStatus(atPath: $0) } }
}

extension CheckedModel {
  /// The kept stores of a model's released versions, and what is missing among them (MC7009).
  func keptStores() -> (stores: [CheckedStore], findings: [Diagnostic]) {
    guard let lock else { return ([], []) }
    var found: [CheckedStore] = []
    var missing: [ModelVersion] = []
    var findings: [Diagnostic] = []
    for version in released {
      // An edited version has no store any more, and the edit itself is reported; an app without schemas edits its only one.
      let isEdited = version.versionChecksum != lock.entry(version.name)?.checksum
      if isEdited, !model.isSchemaWithoutPast { continue }
      let path = places.store(of: version.name)
      if FileManager.default.fileExists(atPath: path) {
        found.append(CheckedStore(path: path, version: isEdited ? nil : version.name))
      } else if FileManager.default.fileExists(atPath: places.objects(of: version.name)) {
        let making = "modelc release \(version.name.shellWord) --fixture 1000"
        findings.append(
          .releasedStoreMissing, .error,
          "the store of the released '\(version.name)' is missing: no '\(path)'",
          place: places.lockFile.linePlace(lock.entry(version.name)?.line ?? 1),
          notes: ["its objects are still in '\(places.objects(of: version.name))'"],
          help: path.isIgnoredByGit
            ? [
              "create another one, `\(making)`, and add it although git ignores it: `\(Diagnostic.adding(path))`"
            ]
            : [
              "restore it, if git has it: \(path.gitRestoring(from: "HEAD"))",
              "or create another one: `\(making)`",
            ])
      } else {
        missing.append(version)
      }
    }
    if let first = missing.first {
      let names = missing.map(\.name)
      findings.append(
        .releasedStoreMissing, .warning,
        "no store was kept of \(names.quoted()): \(names.count == 1 ? "its" : "their") "
          + "migration is not tested",
        place: places.lockFile.linePlace(lock.entry(first.name)?.line ?? 1),
        notes: ["problems that depend on rows (nulls, duplicates, losses) are found only with a store"],
        help: [
          "`modelc release \(names.map(\.shellWord).joined(separator: " ")) --fixture 1000` creates \(names.count == 1 ? "a genuine one" : "genuine ones")"
        ])
    }
    return (found, findings)
  }

  /// The stores that are kept, and those that an option or the base names.
  func checkStores(_ options: CheckOptions) -> [CheckStep] {
    let kept = keptStores()
    let further = (options.stores + (base?.stores ?? [])).map { CheckedStore(path: $0) }
    var steps = concurrentMap(kept.stores + further) { store -> [CheckStep] in
      let key = options.cache?.key(
        "store \(options.level) \(store.version ?? "") \(lock?.text ?? "")", self, files: [store.path])
      if options.budget == nil, let key, let cache = options.cache, cache.holds(key) {
        return [step(.store, "\(store.path), unchanged since it was tried", [])]
      }
      let steps = check(store, options: options)
      if let key, steps.allSatisfy(\.findings.isEmpty) { options.cache?.keep(key) }
      return steps
    }.flatMap(\.self)
    if !kept.findings.isEmpty { steps.append(step(.store, "kept stores", kept.findings)) }
    return steps
  }

  /// Migrates a store from its version to every later one on the way to the current version.
  ///
  /// - Returns: a step for each pair of versions.
  func check(_ store: CheckedStore, options: CheckOptions) -> [CheckStep] {
    do {
      let model = try openStore(store.path, among: [self.model]).read {
        try self.model.including(versionOf: $0)
      }
      guard let version = try model.versionOfStore(at: store.path, wanted: store.version) else {
        // A further model of one name cannot be named: the store may be the first one's.
        return name == model.name ? [step(.store, store.path, [.otherVersion(store, self)])] : []
      }
      guard let path = model.pathToCurrent(from: version) else {
        // For a released version, the finding about the version says it.
        return store.version == nil
          ? [step(.store, store.path, [.noPath(store.path, version.name, to: model.currentVersionName)])] : []
      }
      let state = store.state
      let run = StoreRun(
        store: store.path, version: version, model: model, custom: mappings.custom, options: options)
      let flaws = try run.flaws()
      let temporary = try TemporaryFolder("check")
      defer { temporary.remove() }
      let folder = temporary.url
      if path.count == 1 {
        // Nothing to migrate yet; the store itself must be what it says.
        return [step(.store, "\(version.name) as it is", try run.removedCases())]
      }
      var reported: Set<ModelSubject> = []
      return path.indices.dropFirst().map { index in
        let way = Array(path[...index])
        let isFinal = index == path.count - 1
        let outcome = run.run(along: way, isFinal: isFinal, in: folder, flaws: flaws)
        // What another program has added meanwhile is missing in the result.
        if outcome.findings.contains(where: { $0.code == .unexpectedResult }), store.state != state {
          return step(.store, "\(version.name) → \(way.last?.name ?? "")", [.inUse(store.path)])
        }
        // What is lost on the way to one version is lost on the way to those after it.
        let findings = outcome.findings.filter { finding in
          guard finding.isLoss, var subject = finding.subject else { return true }
          subject.version = nil
          return reported.insert(subject).inserted
        }
        return step(.store, "\(version.name) → \(way.last?.name ?? "")", findings, seconds: outcome.seconds)
      }
    } catch {
      let own = (error as? DiagnosticsError)?.diagnostics.filter { $0.code == .readOnlyStore } ?? []
      return [step(.store, store.path, own.isEmpty ? [.notAStore(store, error)] : own)]
    }
  }

  /// Migrates a generated store of each released version to the current version and compares time and size with the budget
  /// (MC7005). One at a time, so that each has the machine to itself.
  ///
  /// - Parameter known: where nothing is released, versions that users may have; if there are none, they may have any.
  func checkBudget(orOf known: Set<String>, options: CheckOptions) -> [CheckStep] {
    guard options.budget != nil, let rows = options.budgetRows else { return [] }
    let open = model.versions.filter { known.isEmpty || known.contains($0.name) }
    return (released.isEmpty ? open : released).compactMap { version in
      guard let way = model.pathToCurrent(from: version), way.count > 1 else { return nil }
      var (findings, seconds): ([Diagnostic], Double) = ([], 0)
      do {
        let temporary = try TemporaryFolder("budget")
        defer { temporary.remove() }
        let (first, store) = (way[0], temporary.url.appending(path: "made-up.sqlite").path)
        _ = try makeFixture(at: store, of: first, .rows(rows))
        let run = StoreRun(
          store: store, version: first, model: model, custom: mappings.custom, options: options)
        (findings, seconds) = run.measure(
          along: way, in: temporary.url, named: "a store of \(first.name) with \(rows) objects")
      } catch {
        let unmeasured = Diagnostic(
          .overBudget, .error, "no store of '\(version.name)' could be created to measure: \(error)",
          help: ["check the space in the temporary folder"])
        findings = (error as? DiagnosticsError)?.diagnostics ?? [unmeasured]
      }
      // What stops rows that nobody has made is no error of a version that nobody has.
      if released.isEmpty { findings.removeAll { ![.overBudget, .readOnlyStore].contains($0.code) } }
      let name = "\(version.name) → \(model.currentVersionName), \(rows) generated objects"
      return step(.store, name, findings, seconds: seconds)
    }
  }
}

extension VersionedModel {
  /// The version that a store's hashes name; nil if it is not the wanted one.
  func versionOfStore(at path: String, wanted: String?) throws -> ModelVersion? {
    let metadata = try openStore(path, among: [self]).read { try $0.readStoreMetadata() }
    let names = recogniseStore(metadata: metadata, among: [self]).versions.map(\.versionName)
    return (wanted == nil ? names.last : names.first { $0 == wanted }).flatMap(version(named:))
  }
}

extension Diagnostic {
  fileprivate static func otherVersion(_ store: CheckedStore, _ subject: CheckedModel) -> Self {
    Self(
      .releasedStoreMissing, .error,
      store.version.map { "'\(store.path)' is not a store of the released '\($0)'" }
        ?? "'\(store.path)' is not a store of '\(subject.model.name)'",
      place: store.path.linePlace(1),
      notes: ["it has other version hashes"],
      help: remaking(store))
  }

  fileprivate static func noPath(_ store: String, _ version: String, to current: String) -> Self {
    Self(
      .noPathToCurrent, .error,
      "'\(store)' is of '\(version)', and there is no migration path from it to '\(current)'",
      place: store.linePlace(1), help: ["name stores of versions before the current one"],
      cocoaCode: 134140)
  }

  fileprivate static func notAStore(_ store: CheckedStore, _ error: any Error) -> Self {
    let reason = (error as? DiagnosticsError)?.diagnostics.first
    let own = reason?.help ?? []
    return Self(
      .releasedStoreMissing, .error,
      "'\(store.path)' cannot be used\(reason.map { ": \($0.message)" } ?? "")",
      place: store.path.linePlace(1), notes: reason.map { [Note("\($0.code)")] + $0.notes } ?? ["\(error)"],
      help: own.isEmpty ? remaking(store) : own)
  }

  /// A store that is there stays when a version is released again.
  private static func remaking(_ store: CheckedStore) -> [String] {
    let away = "`rm \(store.path.shellWord)`"
    guard let version = store.version else { return ["name a store of a version of this model"] }
    return [
      "restore it, if git has it: \(store.path.gitRestoring(from: "HEAD"))",
      "or remove it, \(away), and create another one: `modelc release \(version.shellWord) --fixture 1000`",
    ]
  }
}
