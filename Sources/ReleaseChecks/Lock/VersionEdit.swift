import Foundation
package import ManagedModel

/// What was done to a version that others have.
struct VersionEdit {
  let version: ModelVersion
  /// Those that decide: what moves a hash, else what stores or the objects in them depend on. Others need no word.
  let changes: [ModelChange]
  let movesHashes: Bool
  /// Derived attributes that the version's stores have no column for.
  fileprivate let missingColumns: [String]
  /// What stores depend on, as it is now.
  private let content: String
  let standing: ReleaseStatus
  /// What brings the version back as it was; nil if nothing is known that does.
  var restoring: String?

  /// - Parameter checksum: the version's, as others have it.
  init(
    from old: ManagedObjectModel?, _ checksum: String, to version: ModelVersion, _ standing: ReleaseStatus
  ) {
    movesHashes = checksum != version.versionChecksum
    let changes = old.map { compareModels(from: $0, to: version.model) } ?? []
    let moving = changes.filter(\.isHashed)
    let missing = old.map { version.model.derivedAttributes(missingFrom: $0) } ?? []
    let stored = changes.filter { $0.concernsStores || !missing.isEmpty && $0.fact == nil }
    let lines = stored.map { "\($0.line)\t\($0.old ?? "")\t\($0.new ?? "")" }
    content = version.versionChecksum + (lines.isEmpty ? version.model.fingerprint : lines.joined())
    self.changes = movesHashes && !moving.isEmpty ? moving : stored
    (self.version, self.standing, missingColumns) = (version, standing, missing)
  }

  /// One cause: the same edit, of however many versions.
  var key: [String] { ["\(movesHashes) \(standing.severity)"] + changes.map(\.line) }

  /// Of the same edit, of one version or several; see ``Diagnostic/editDigest``.
  static func digest(_ alike: [VersionEdit]) -> String {
    String(sha256(Data(alike.map { "\($0.version.name)\t\($0.content)" }.joined().utf8)).prefix(16))
  }

  /// The first change in words, and how many there are.
  var line: String {
    guard let first = changes.first else { return "" }
    return ": \(first.line)"
      + (changes.count > 1 ? ", and \(counted(changes.count - 1, "further change"))" : "")
  }

  /// What was changed beside the first.
  var others: [Diagnostic.Note] {
    let names = changes.map(\.part).unique.dropFirst()
    return names.isEmpty ? [] : ["also changed: \(names.joined(atMost: 6, ", and "))"]
  }

  var subject: ModelSubject { changes.first.map(subject) ?? ModelSubject(version: version.name) }
  var related: [ModelSubject] { changes.dropFirst().map(subject) }
  var place: SourceRange? { version.sourceMap?.nearestRange(to: subject) }

  private func subject(_ change: ModelChange) -> ModelSubject {
    ModelSubject(version: version.name, entity: change.entity, property: change.property, key: change.fact)
  }
}

extension Diagnostic.Code {
  package static let unhashedFactChanged = Self("MC7028", level: .path, identity: .edits)
}

extension Diagnostic {
  static func sameIn(_ others: [VersionEdit]) -> [Note] {
    if others.isEmpty { return [] }
    let names = others.map(\.version.name).listed
    return [Note("the same edit was made in \(counted(others.count, "other version")): \(names)")]
  }

  /// Facts of a version that others have, which no hash holds.
  ///
  /// - Returns: nil if no store depends on them.
  static func factsChanged(_ edit: VersionEdit, others: [VersionEdit] = []) -> Self? {
    guard let first = edit.changes.first else { return nil }
    let version = edit.version
    // An index that stores lack makes them slower, no more.
    let affectsStores = edit.standing.severity == .error && !edit.changes.allSatisfy(\.isOfIndex)
    let movesEntities = edit.changes.contains(where: \.isOfConfiguration)
    let missing = edit.missingColumns.map { Note("stores have no column for '\($0)': each fetch fails") }
    let isGrave = movesEntities || !missing.isEmpty
    let effect: Note =
      movesEntities
      ? "Core Data recognizes a store that is opened with a configuration by the hashes of the configuration's entities: such stores no longer match any version"
      : Note("no store is migrated: \(first.consequence)")
    return Self(
      .unhashedFactChanged, affectsStores ? isGrave ? .error : .warning : .information,
      "'\(version.name)' \(edit.standing.words), and \(edit.changes.count == 1 ? "a detail" : "\(edit.changes.count) details") "
        + "outside its hashes changed\(edit.line)",
      subject: edit.subject, related: edit.related, place: edit.place,
      notes: missing + [effect] + edit.others + sameIn(others),
      help: ["if users' data must change too, revert the change and make it in a new version"]
    ).with { $0.editDigest = VersionEdit.digest([edit] + others) }
  }
}

extension ModelChange {
  /// `Entity.property`, or what else it is about.
  fileprivate var part: String {
    let names = [entity, property].compactMap(\.self)
    return names.isEmpty ? fact ?? line : names.joined(separator: ".")
  }

  private var section: String { fact.map { String($0.prefix { $0 != "." }) } ?? "" }

  fileprivate var isOfIndex: Bool { ["fetchIndexes", "compoundIndexes", "indexed"].contains(section) }

  /// Whether stores, or what becomes of the objects in them, depend on it. Classes, generated code, fetch requests and
  /// Spotlight are the app's own affair.
  var concernsStores: Bool {
    if isHashed || kind == .renamed { return true }
    // Without a hash it has no column.
    if property != nil, fact == nil { return false }
    let own: Set = [
      "class", "scalar", "spotlight", "spotlightDisplayName", "externalRecord", "userInfo", "localization",
      "fetchRequests", "identifiers", "retired", "entity", "predicate", "sort", "limit", "batchSize",
      "includesSubentities", "includesPropertyValues", "includesPendingChanges", "distinct",
      "returnsObjectsAsFaults", "resultType", "requestName",
    ]
    return !own.contains(section)
  }

  /// What becomes of the data that is there, where a fact is another that no hash holds.
  fileprivate var consequence: String {
    let key = fact.map { $0.split(separator: ".").last.map(String.init) ?? $0 } ?? ""
    switch key {
    case "default": return "existing objects keep their value; new ones start with the new default"
    case "transformer", "valueClass":
      return "existing values were written by the former transformer, and will be passed to the new one"
    case "min", "max", "minLength", "maxLength", "matching", "rules":
      return "existing values may not satisfy it: they fail when their objects are saved"
    case "deleteRule": return "deleting an object now has a different effect on the objects linked to it"
    default:
      return isOfIndex ? "existing stores keep their indexes" : "released apps keep using the old definition"
    }
  }
}
