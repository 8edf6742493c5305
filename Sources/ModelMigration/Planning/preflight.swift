package import ManagedModel
import PersistentStore

extension MigrationPlan {
  /// Tries what a run needs beside its plan, as far as it can be tried without writing: the same questions that
  /// a migration asks under its lock, with the same answers.
  ///
  /// - Returns: the plan with what was found, and with what could not be tried.
  func preflighted(of store: StoreConnection, options: MigrationOptions) throws -> MigrationPlan {
    if isDone { return self }
    var plan = self
    var found: [Diagnostic] = []
    func attempt(_ question: () throws -> [Diagnostic]) throws {
      do { found += try question() } catch let error as DiagnosticsError { found += error.diagnostics }
    }
    try attempt {
      try store.file.requireWritable()
      try store.file.requireRoom(plan.room)
      return []
    }
    try attempt { try store.file.examineNames(route: plan.route, options: options) }
    found += try plan.ownObjectsInTheWay(of: store)
    found += store.file.examineLog()
    if var hold = store.holdOfOthers(ignoresIdle: options.forcesBusy) {
      hold.severity = .warning
      hold.notes = ["while it is open there, a migration is refused"] + hold.notes.dropLast()
      found.append(hold)
    }
    if store.file.byteCount <= largestCheckedFile {
      if var damage = try store.damage() {
        // A change of the schema alone reads no row, and does not come near it.
        if plan.route == .inPlace, !plan.touchesRows, damage.code == .malformedStore {
          damage.severity = .warning
          damage.notes.append("the migration changes only the schema and reads no rows: the damage remains")
        }
        found.append(damage)
      }
    } else {
      plan.notCheckedByPreflight.append(
        "SQLite's check of all pages, because of their size (`modelc verify \(plan.store.shellWord)` runs it)"
      )
    }
    plan.notCheckedByPreflight += plan.codeOfOthers(options)
    plan.diagnostics = (plan.diagnostics + found).ordered
    return plan
  }

  /// Views and triggers of the app's own that the statements of a run would fail at: they are tried on a store without rows.
  private func ownObjectsInTheWay(of connection: StoreConnection) throws -> [Diagnostic] {
    let physical = try connection.read { try $0.readPhysicalSchema(readsEntityRows: false) }
    if physical.views.isEmpty, physical.triggers.isEmpty { return [] }
    do {
      _ = try physical.onEmptyCopy { db in
        for statement in statementPlan where !statement.changesRows {
          try statement.carryOut(in: db, store: store)
        }
      }
    } catch let error as DiagnosticsError where error.diagnostics.contains(where: { !$0.help.isEmpty }) {
      return error.diagnostics.map { finding in
        finding.with { $0.message = $0.message.replacingBytes(of: "' failed: ", with: "' would fail: ") }
      }
    } catch {
      // What else fails without rows says nothing of those.
    }
    return []
  }

  /// What is not asked without running it.
  fileprivate func codeOfOthers(_ options: MigrationOptions) -> [String] {
    var names: [String] = []
    if !stages.isEmpty { names.append("handlers of stages") }
    if !pendingSteps.isEmpty { names.append("post-processing") }
    // The statements that count in the store ask its rows as they are: those of the first segment.
    let later = segments.dropFirst().filter { !$0.isInferred }.map { $0.path.joined(separator: " → ") }
    if !later.isEmpty { names.append("what is dropped, merged or not computable in \(later.listed)") }
    if segments.contains(where: { !$0.isInferred }) {
      let mappings = segments.flatMap(\.mappingModel.entityMappings)
      names.append(
        mappings.allSatisfy { $0.policyName == nil }
          ? "the rules of what custom steps create" : "policies, and the rules of what they create")
      // Which object of a group stays is known when it is copied, where the rows of the store cannot be asked.
      let groups = segments.enumerated().flatMap { place, segment in
        segment.mappingModel.entityMappings.filter { mapping in
          mapping.grouping != nil && mapping.onDrop != .repoint
            && (place > 0
              || versions.first.flatMap { mapping.keptKeysSQL(schema: schema, model: $0.model, now: 0) }
                == nil)
        }
      }
      if let mapping = groups.first {
        names.append("what 'onDrop:' of '\(mapping.name)' does outside its groups")
      }
    }
    let target = options.targetVersion.map { " --to \($0.shellWord)" } ?? ""
    let command = "modelc migrate --dry-run\(target) \(store.shellWord)"
    return names.isEmpty ? [] : [names.joined(separator: ", ") + " (`\(command)` runs them)"]
  }
}

/// Bytes that are read in about a second.
private let largestCheckedFile: Int64 = 256 << 20

extension StoreFile {
  /// Reports other names of a store's file (hard links), and what a migration does to them.
  ///
  /// - Returns: the finding (MC5309) that says so, or nothing where the file has one name.
  /// - Throws: the same where the file itself would be changed, unless that is asked for.
  func examineNames(route: MigrationRoute, options: MigrationOptions) throws -> [Diagnostic] {
    guard linkCount > 1 else { return [] }
    let (severity, meaning, help): (Diagnostic.Severity, Diagnostic.Note, [String]) =
      if route != .inPlace {
        (
          .warning, "'\(name)' becomes a new file; the other names still point to the old store",
          ["if another program opens it by another name, give that name to the migrated store too"]
        )
      } else if options.changesLinkedStores {
        (.warning, "the file itself is changed, under all of its names", [])
      } else {
        (
          .error,
          "an in-place migration changes the file under all of its names; nothing was written",
          [
            "`MigrationOptions.route = .clone` leaves the other names with the old store",
            "`MigrationOptions.changesLinkedStores` changes the file under each of its names",
          ]
        )
      }
    let finding = Diagnostic(
      .severalNames, severity, "the file of '\(name)' has \(linkCount) names (hard links)",
      notes: [
        meaning,
        "SQLite names log and journal after the store: programs that open it by different names can damage it",
      ],
      help: help)
    if severity == .error { throw DiagnosticsError(finding) }
    return [finding]
  }
}

extension Diagnostic.Code { package static let severalNames = Self("MC5309") }
