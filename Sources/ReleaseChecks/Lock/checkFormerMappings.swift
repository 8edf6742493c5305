import Foundation
import ManagedModel
import ModelFormats
import ModelMigration

extension CheckedModel {
  /// Mapping models of the base between versions that are what they were, without which stores come out otherwise
  /// (MC7053); of the last release only those of released steps that are gone.
  func checkFormerMappings() -> [Diagnostic] {
    let bases = [base, lastRelease].compactMap(\.self)
    let unread = bases.compactMap { Diagnostic.mappingsNotCompared($0, self) }
    return (base.map(formerMappings) ?? [])
      + (lastRelease.map { formerMappings(of: $0).filter { $0.severity == .error } } ?? []) + unread
  }

  private func formerMappings(of base: BaseModel) -> [Diagnostic] {
    // Which policies a modelc of one's own has, this one does not know.
    func isRead(_ step: ProjectMappings.Step) -> Bool {
      !step.diagnostics.contains { $0.severity == .error && $0.code != .unknownPolicy }
    }
    let lost = base.mappings.steps(in: base.model).compactMap { then -> FormerMapping? in
      guard let from = then.from.counterpart(in: model), from.makesStores(of: then.from),
        let to = then.to.counterpart(in: model), to.makesStores(of: then.to), isRead(then)
      else { return nil }
      let now = mappings.step(from: from, to: to, in: model)
      if now.map(isRead) == false { return nil }
      let today = now?.mappingModel ?? ([] as [CustomMappingModel]).resolved(from: from, to: to).mappingModel
      let entities = then.mappingModel.entitiesMappedDifferently(than: today, from: from, to: to)
      // What takes its place, or what is inferred, may come to the same.
      return entities.isEmpty ? nil : FormerMapping(then: then, now: now, entities: entities)
    }
    if lost.isEmpty { return [] }
    let statuses = ReleaseStatuses(of: self, in: base)
    let bySeverity = Dictionary(grouping: lost) { former -> Diagnostic.Severity in
      let to = former.then.to
      let file = base.mappings.places[former.names]
      if base.mappings.areUnread, file?.hasSuffix(".yaml") == true { return .warning }
      return to.counterpart(in: model).flatMap { lock?.entry($0.name) } != nil
        ? .error : statuses.status(of: to, hasLock: lock?.entries.isEmpty == false).severity
    }
    return bySeverity.flatMap { severity, lost -> [Diagnostic] in
      let gone = lost.filter { $0.now == nil }
      return (gone.isEmpty ? [] : [.mappingsGone(gone, severity, self, base)])
        // Until it is released, a mapping model may become another one.
        + (severity < .error ? [] : lost.compactMap { .mappingChanged($0, self, base) })
    }
  }
}

/// A step that had a mapping model at the base.
private struct FormerMapping {
  var then: ProjectMappings.Step
  var now: ProjectMappings.Step?
  /// Those that come out otherwise today.
  var entities: [String]
  var names: [String] { [then.from.name, then.to.name] }
  var words: String { "'\(then.from.name)' → '\(then.to.name)'" }

  /// How it comes back.
  func returning(_ subject: CheckedModel, _ base: BaseModel) -> String? {
    guard let file = base.mappings.places[names] else { return nil }
    guard now == nil, FileManager.default.fileExists(atPath: file)
    else { return "restore it: \(base.restoring(file, of: subject))" }
    let ends = names.reversed().compactMap(subject.model.version)
    if ends.count == 2, !subject.model.isDowngradePath(ends) {
      return ends[0].notation.orderAdvice(names[0], before: names[1])
    }
    let folder = file.parentPath
    let own = join(folder.parentPath, subject.model.name)
    return file.hasSuffix(".yaml")
      ? "give its folder the model's name: `mv \(folder.shellWord) \(own.shellWord)`"
      : "it is for another model or other versions: open it in Xcode, and choose Editor > Refresh Data Models"
  }
}

extension Diagnostic.Code { static let formerMapping = Self("MC7053", level: .path) }

extension Diagnostic {
  fileprivate static func mappingsGone(
    _ lost: [FormerMapping], _ severity: Severity, _ subject: CheckedModel, _ base: BaseModel
  ) -> Self {
    let steps = lost.map(\.words).listed
    let help = lost.compactMap { $0.returning(subject, base) }.unique
    let unread: Note = "no run for this project reads it there: it matters if another one does (`-C Models`)"
    return Self(
      .formerMapping, severity,
      lost.count == 1
        ? "the mapping model \(steps) is missing: \(base.name) has it"
        : "\(lost.count) mapping models are missing: \(base.name) has \(steps)",
      place: versionListPlaces(ofModelAt: subject.path).file.linePlace(1),
      notes: [
        "what \(lost.count == 1 ? "it computes" : "they compute") is lost: stores now reach the same versions by inference",
        affected(Set(lost.flatMap(\.entities)).sortedByCodePoint),
      ] + (base.mappings.areUnread && severity < .error ? [unread] : []), help: Array(help.prefix(3)))
  }

  fileprivate static func mappingChanged(
    _ former: FormerMapping, _ subject: CheckedModel, _ base: BaseModel
  ) -> Self? {
    guard let now = former.now else { return nil }
    let map = now.mappingModels.lazy.compactMap(\.sourceMap).first
    return Self(
      .formerMapping, .warning, "the mapping model \(former.words) differs from the one at \(base.name)",
      subject: ModelSubject(version: now.to.name),
      place: map?[ModelSubject(key: "to")] ?? subject.mappings.places[former.names]?.linePlace(1),
      notes: ["stores that were already migrated keep its results", affected(former.entities)],
      help: [
        "revert it, unless its results were wrong" + (former.returning(subject, base).map { "; \($0)" } ?? "")
      ])
  }

  /// - Returns: nil if this clone has all of them, and none is a git-lfs pointer.
  fileprivate static func mappingsNotCompared(_ base: BaseModel, _ subject: CheckedModel) -> Self? {
    let (lacking, read) = (base.mappings.lacking.first, base.mappings.diagnostics)
    guard let reason = lacking ?? read.first(where: { $0.code == .largeFilePointer }) else { return nil }
    return Self(
      .baseNotCompared, lacking == nil || subject.base?.name != base.name ? .warning : .error,
      "mapping models are not compared with those at \(base.name), which cannot be read",
      place: versionListPlaces(ofModelAt: subject.path).file.linePlace(1),
      notes: [
        Note("there: \(reason.code): \(reason.message)"), "one that is gone or changed would go unnoticed",
      ],
      help: lacking?.help ?? ["keep mapping files in git itself: revisions have only pointers to others"])
  }

  /// - Parameter isOfMappings: whether it has mapping files; no store may migrate without them.
  static func leftOut(_ path: String, isOfMappings: Bool = false) -> Self {
    // From a folder within, git takes the path from there.
    let found = try? GitRepository.holding(path)
    let words = ["-C", found?.repository.top ?? ".", "sparse-checkout", "add", found?.path ?? path]
    let (what, note): (String, Note) =
      !isOfMappings
      ? ("its model is not checked", "data of its stores that a change would lose is not found")
      : path.hasSuffix(".xcmappingmodel")
        ? ("it is not read", "its step would be inferred, and what it computes would be lost")
        : (
          "its mapping files are not read",
          "their steps would be inferred, and what they compute would be lost"
        )
    return Self(
      .lackingGitObject, isOfMappings ? .error : .warning,
      "this sparse checkout leaves out '\(path)': \(what)", notes: [note],
      help: [
        "`git \(words.map(\.shellWord).joined(separator: " "))`; in CI, list it under `sparse-checkout:`"
      ])
  }
}
