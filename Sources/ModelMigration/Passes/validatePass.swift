package import ManagedModel
import PersistentStore

extension Passes {
  /// Holds every object of the destination against every rule of its model.
  ///
  /// A rule that as many objects of the source broke already is a warning; a new violation ends the migration.
  func validate(_ result: inout StagedResult) throws {
    for context in [manager.sourceContext, manager.destinationContext] { context.rows.releaseStatements() }
    var findings = try examine(result.file, tables: checkedTables)
    if findings.contains(where: { $0.diagnostic.code == .danglingReferences }),
      work.contains(where: { !$0.fills.isEmpty })
    {
      try result.file.write { db in try db.interruptible(by: monitor) { try nullifyDangling() } }
      findings = try examine(result.file, tables: nil)
    }
    let (violations, known) = try judge(findings + conflicts)
    result.violations += violations
    result.diagnostics += known
    result.brokenReferences = violations.filter { $0.code == .danglingReferences }.map(\.count).reduce(0, +)
  }

  /// Asks SQLite, then the rules.
  private func examine(_ file: PrivateStore, tables: Set<String>?) throws -> [Verification.Finding] {
    let findings = try file.quickCheck(of: tables, stoppingWhen: monitor.shouldStop) {
      try file.read { db in
        try db.interruptible(by: monitor) {
          try db.verifyObjects(
            schema: schema, model: model, exampleLimit: 1000, asksConstraints: false, only: touchedTables)
        }
      }
    }
    return findings.filter { finding in
      guard let subject = finding.diagnostic.subject, let entity = subject.entity,
        let property = subject.property
      else { return true }
      // A derived value is computed anew from values that are checked themselves.
      return manager.destinationContext.hierarchy.attribute(named: property, of: entity)?.isDerived != true
    }
  }

  private func judge(
    _ findings: [Verification.Finding]
  ) throws -> (violations: [RuleViolation], known: [Diagnostic]) {
    var broken = findings.filter { $0.diagnostic.severity == .error || $0.diagnostic.isEmptyRelationship }
    guard !broken.isEmpty else { return ([], []) }
    let rows = manager.sourceContext.rows
    let former = try rows.db.verifyObjects(schema: rows.schema, model: manager.sourceModel, exampleLimit: 1)
    var (violations, new, known): ([RuleViolation], [Diagnostic], [Diagnostic]) = ([], [], [])
    broken.sort {
      ($0.diagnostic.subject?.entity ?? "", $0.diagnostic.message) < (
        $1.diagnostic.subject?.entity ?? "", $1.diagnostic.message
      )
    }
    for finding in broken {
      let before =
        former.filter { isSameRule($0.diagnostic, finding.diagnostic) }.compactMap(\.count).max() ?? 0
      // A unique index cannot be built over duplicates, whoever made them.
      let wasThere = before >= (finding.count ?? 1) && finding.diagnostic.code != .constraintConflict
      let subject = finding.diagnostic.subject
      violations.append(
        RuleViolation(
          code: finding.diagnostic.code, entity: subject?.entity, property: subject?.property,
          count: finding.count ?? 1, primaryKeys: finding.primaryKeys, wasThereBefore: wasThere))
      if finding.diagnostic.isEmptyRelationship,
        wasThere || makers(of: finding.diagnostic).allSatisfy(\.allowsEmpty)
      {
        known.append(finding.diagnostic)
      } else if wasThere {
        var notes = finding.diagnostic.notes
        notes.insert(
          "the same number of source objects already broke this rule (\(finding.diagnostic.code))", at: 0)
        known.append(
          .violationWasThere, .warning, finding.diagnostic.message, subject: subject, notes: notes,
          help: ["give them valid values with the app, or in the mapping"],
          cocoaCode: finding.diagnostic.cocoaCode)
      } else {
        new.append(placed(finding.diagnostic))
      }
    }
    if new.isEmpty { return (violations, known) }
    let count = violations.filter { !$0.wasThereBefore }.map(\.count).reduce(0, +)
    let failed = Diagnostic(
      .validationFailed, .error,
      "\(count) \(count == 1 ? "violation" : "violations") of \(new.count) \(new.count == 1 ? "rule" : "rules") of '\(step.destination.name)'",
      subject: ModelSubject(version: step.destination.name),
      notes: [
        "each is listed below; `MigrationValidationError.violations` lists the objects",
        "the store is unchanged",
      ], cocoaCode: 1560)
    throw MigrationValidationError(diagnostics: [failed] + new + known, violations: violations)
  }

  /// References that came with the rows, where the source's led nowhere.
  private func nullifyDangling() throws {
    for work in work {
      guard let pairs = work.pairs else { continue }
      for fill in work.fills {
        try manager.destinationContext.rows.nullifyReferences(of: pairs, fill.toOne, beside: fill.targets)
      }
    }
    for sql in schema.derivedValueStatements(for: model) { try execute(.deriveValues(sql: sql), in: db) }
  }

  private func makers(of finding: Diagnostic) -> [EntityMapping] {
    work.filter { work in
      work.destination.map { isKind($0.name, finding.subject?.entity ?? "") } ?? false
    }.map(\.mapping)
  }

  private func isKind(_ name: String, _ ancestor: String) -> Bool {
    EntityHierarchy(model).isKind(name, of: ancestor) || EntityHierarchy(model).isKind(ancestor, of: name)
  }

  /// Duplicates that a policy made are told as such.
  private func placed(_ diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.isEmptyRelationship {
      // What a custom mapping leaves empty is a mistake of it, unless it says otherwise.
      let names = makers(of: diagnostic).filter { !$0.allowsEmpty }.map { "'\($0.name)'" }
      return Diagnostic(
        .requiredValueMissing, .error, diagnostic.message, subject: diagnostic.subject,
        notes: diagnostic.notes,
        help: [
          "map the relationship in \(names.joined(separator: ", ")), or write 'allowsEmpty: true' there"
        ], cocoaCode: 1570)
    }
    var diagnostic = diagnostic
    diagnostic.help = ["fix them in the mapping or its policy, or in the source store with the app"]
    guard diagnostic.code == .constraintConflict, let entity = diagnostic.subject?.entity,
      let work = work.first(where: { work in
        work.policyName != nil && work.destination.map { isKind($0.name, entity) } ?? false
      })
    else { return diagnostic }
    diagnostic.code = .policyMadeDuplicates
    diagnostic.notes.append(
      "policy '\(work.policyName ?? "")' of mapping '\(work.mapping.name)' creates such objects")
    diagnostic.help = [
      "look for an existing object before you create one: 'context.findOrCreate(_:having:)'; or group them ('groupBy:')"
    ]
    return diagnostic
  }

  /// Whether a rule of the source is the one of the destination: the same kind, about the property that it comes from.
  private func isSameRule(_ old: Diagnostic, _ new: Diagnostic) -> Bool {
    guard old.code == new.code else { return false }
    guard let entity = new.subject?.entity, let source = old.subject?.entity else {
      // Keys are a table's.
      return old.subject == nil && new.subject == nil
    }
    let kinds = manager.destinationContext.hierarchy.descendantNames(includingSelf: entity)
    let mappings = work.map(\.mapping).filter { $0.destinationEntityName.map(kinds.contains) ?? false }
    return mappings.contains { mapping in
      guard let from = mapping.sourceEntityName, manager.sourceContext.hierarchy.isKind(from, of: source)
      else { return false }
      guard let property = new.subject?.property else { return old.subject?.property == nil }
      guard let value = mapping.propertyMapping(named: property) else {
        return old.subject?.property == property
      }
      return (value.value.sourceName ?? property) == old.subject?.property
    }
  }
}

extension Diagnostic.Code {
  package static let policyMadeDuplicates = Self("MC4304")
  package static let validationFailed = Self("MC6101")
  package static let violationWasThere = Self("MC6102")
}

extension Diagnostic {
  /// Whether it tells of required relationships that are empty, which Core Data asks for when an object is saved.
  fileprivate var isEmptyRelationship: Bool { code == .requiredValueMissing && severity == .information }
}
