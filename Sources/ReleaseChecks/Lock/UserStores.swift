package import ManagedModel
import ModelFormats
import SwiftDataModels

/// Stores that users of an app may have, and the schema that made them.
///
/// SwiftData finds a store's schema in the plan by its hashes. Without stages it infers one step to the newest schema.
struct UserStores {
  /// Behind "stores of".
  var label: String
  var version: ModelVersion
  /// In front of places then, as git writes it.
  var revision: String?
  var severity: Diagnostic.Severity
  var note: String?
  /// What the tags that made them had, as they code values.
  var codings: [(tag: GitTag, version: ModelVersion)] = []

  /// Where a part stood then.
  func place(_ subject: ModelSubject) -> SourceRange? {
    guard var place = version.sourceMap?.nearestRange(to: subject) else { return nil }
    place.file = file(place.file)
    return place
  }

  /// A file as git writes it, with the revision in front.
  private func file(_ file: String) -> String {
    guard let start = revision.map({ "\($0):" }) else { return file }
    // Below a repository's top, the name of the folder is empty.
    return start + (file.hasPrefix(start) ? file.dropFirst(start.count).drop { $0 == "/" } : file[...])
  }

  /// Says where the part stood, if its source is known.
  func here(_ subject: ModelSubject) -> [Diagnostic.Note] {
    place(subject).map { [Diagnostic.Note("the schema that made them is here", place: $0)] } ?? []
  }

  /// A finding about a step from these stores; of cases that are gone, with the notes of the last tags that had them.
  func noted(_ finding: Diagnostic, to version: ModelVersion) -> Diagnostic {
    guard finding.code == .removedCases, finding.severity < .error else { return adapted(finding) }
    // The same cases give the same finding, whichever tag had them.
    func bare(_ finding: Diagnostic) -> Diagnostic {
      adapted(finding).with { ($0.notes, $0.related, $0.help) = ([], [], []) }
    }
    var shown: [Diagnostic] = []
    for (tag, then) in codings.reversed() where shown.last.map(bare) != bare(finding) {
      let found = VersionStep(from: then, to: version).check()
      guard let own = found.first(where: { $0.code == finding.code && $0.subject == finding.subject }),
        !shown.contains(where: { bare($0) == bare(own) })
      else { continue }
      var stores = self
      stores.revision = tag.name
      shown.append(stores.adapted(own))
    }
    guard let last = shown.first else { return adapted(finding) }
    let places = shown.flatMap { own in
      own.notes.filter { $0.place != nil }
        .map { Diagnostic.Note(shown.count == 1 ? $0.message : own.message, place: $0.place) }
    }
    return adapted(finding).with { $0.notes = places + last.notes.filter { $0.place == nil } }
  }

  /// A finding about a step from these stores, whose notes are about the schema then.
  func adapted(_ finding: Diagnostic) -> Diagnostic {
    finding.with { finding in
      finding.severity = min(finding.severity, severity)
      for index in finding.notes.indices {
        if let file = finding.notes[index].place?.file { finding.notes[index].place?.file = self.file(file) }
      }
    }
  }

  /// The schema of the plan that is most like the one that made the stores, and the first property that differs.
  func mismatch(_ subject: CheckedModel) -> Diagnostic {
    // A schema that other tags' stores have is right as it is.
    let shapes = subject.shipped?.shapes ?? []
    let open = subject.model.versions.filter { today in
      !shapes.contains { today.makesStores(of: $0.version) }
    }
    let compared = (open.isEmpty ? subject.model.versions : open).map { today in
      (today, compareModels(from: version.model, to: today.model).filter(\.isHashed))
    }
    let nearest = compared.min { left, right in
      (left.0.name == version.name ? 0 : 1, left.1.count)
        < (right.0.name == version.name ? 0 : 1, right.1.count)
    }
    // Frozen schemas and their plan are written anew where they stand.
    let frozen = subject.model.versions.compactMap { $0.sourceMap?.file }.first(where: \.isFrozenFile)
    let (today, changes) = (nearest?.0, nearest?.1 ?? [])
    // A struct's optional values are a composite of their own, which the source does not name.
    let change = changes.first
    let (old, new) = (change?.old ?? "", change?.new ?? "")
    let line = change?.line
      .replacingBytes(of: "composite Optional\(new) → \(new)", with: "no longer optional")
      .replacingBytes(of: "composite \(old) → Optional\(old)", with: "now optional")
      .replacingBytes(of: "composite Optional", with: "").replacingBytes(of: "composite ", with: "")
    let place = ModelSubject(
      version: today?.name, entity: change?.entity ?? change?.entitiesWithMovedHash.first,
      property: change?.property)
    let file = (frozen ?? (today?.sourceMap?.file ?? "").frozenFile).shellWord
    let further = changes.count > 1 ? ", and \(counted(changes.count - 1, "further change"))" : ""
    return Diagnostic(
      .storesMatchNoVersion, severity,
      "stores of \(label) match no version of the plan" + (line.map { ": \($0)\(further)" } ?? ""),
      subject: place, place: today?.sourceMap?.nearestRange(to: place),
      notes: here(place) + [
        Diagnostic.Note(note ?? "SwiftData does not open a store whose schema the plan does not list")
      ],
      help: [
        "list a VersionedSchema with its own types, as they were in those stores"
          + (shapes.isEmpty ? "" : ": `modelc release --from-tags '*' --freeze \(file)` writes it")
      ], cocoaCode: 134504)
  }
}

extension Diagnostic.Code {
  /// No schema of the plan has the hashes of stores that users have.
  package static let storesMatchNoVersion = Self("MC2630", level: .hash, identity: .wordsAndNumbers)
}
