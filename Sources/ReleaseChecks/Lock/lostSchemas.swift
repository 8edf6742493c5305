import ManagedModel
import SwiftDataModels

extension BaseModel {
  /// Older schemas that its plan lists and the plan of today does not have any more: who has not updated since has stores of
  /// them. Without stages a step is inferred from whatever schema a store has.
  ///
  /// What the tags and the lock list is judged already; of the others, what is no older than the tags has made no stores.
  func lostSchemas(_ subject: CheckedModel) -> [Diagnostic] {
    let (then, today, lock) = (ancestor ?? model, subject.model, subject.lock)
    guard isWhole, !subject.isInferred, today.unreadVersions.isEmpty,
      !subject.diagnostics.contains(where: \.isUnread), let newest = then.currentVersion
    else { return [] }
    let shapes = subject.shipped?.shapes ?? []
    let judged = ((lock?.entries ?? []) + (lock?.retired ?? [])).map(\.checksum)
    // What a schema with types of the app's was by then, its claim does not tell (MC2611).
    let live = (diagnostics + subject.diagnostics).filter { $0.code == .liveType }.compactMap(
      \.subject?.version)
    let lost = then.versions.filter { old in
      !old.makesStores(of: newest) && !today.versions.contains { $0.makesStores(of: old) }
        && !shapes.contains { $0.version.makesStores(of: old) } && !judged.contains(old.versionChecksum)
        && !live.contains(old.name)
    }
    let revision = commit == nil ? nil : name
    // Where tags began late, they show nothing of the stores that stages begin with.
    let early = (then.stages.isEmpty ? nil : subject.shipped?.versions(before: then).map(\.name)) ?? []
    let stores = lost.map {
      let mayBeUsers = shapes.isEmpty || early.contains($0.name)
      return UserStores(
        label: "'\($0.name)' of '\(name)'", version: $0, revision: revision,
        severity: mayBeUsers ? .error : .warning, note: mayBeUsers ? nil : ReleaseStatus.unreleased("").note)
    }
    let gone = stores.filter { today.version(named: $0.version.name) == nil }
    let changed = stores.filter { today.version(named: $0.version.name) != nil }.map { $0.mismatch(subject) }
    guard let first = gone.first else { return changed }
    let names = gone.map(\.version.name)
    let it = names.count == 1 ? "it" : "them"
    let finding = Diagnostic(
      .storesMatchNoVersion, first.severity,
      "the plan no longer lists \(names.map { "'\($0)'" }.listed), unlike '\(name)': stores of \(it) match no "
        + "version",
      subject: ModelSubject(version: names[0]), related: names.map { ModelSubject(version: $0) },
      place: today.currentVersion?.sourceMap?.nearestRange(to: ModelSubject()),
      notes: gone.compactMap { $0.here(ModelSubject()).first } + [
        Diagnostic.Note(first.note ?? "SwiftData does not open a store whose schema the plan does not list")
      ],
      help: [
        "list \(it) again, with the stages that begin there, for users who have not updated since",
        "if no user has such a store, write into a modelc.yaml next to the source, with your reason: "
          + "`allow: [{code: MC2630, version: \(names[0]), reason: reviewed}]`",
      ], cocoaCode: 134504)
    return [finding] + changed
  }
}
