package import ManagedModel

/// Differences that a diagnosis spells out; the rest is counted.
private let differencesShown = 12

extension Diagnostic.Code {
  package static let storeUnrecognised = Self("MC5102")
  package static let storeOfLaterVersion = Self("MC5104")
}

extension StoreDatabase {
  /// That the store matches no version at hand, with what differs, and what its own model is good for.
  package func unrecognised(
    _ store: String, _ metadata: StoreMetadata, among models: [VersionedModel]
  ) throws -> Diagnostic {
    let cached = try examineModelCache(metadata: metadata)
    let own: ManagedObjectModel? = if case .trusted(let model) = cached { model } else { nil }
    let recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
    return .storeUnrecognised(store, recognition: recognition, cached: cached)
  }
}

extension Diagnostic {
  /// The store matches no version at hand.
  ///
  /// - Parameters:
  ///   - store: the store's file name as the user wrote it.
  ///   - cached: its own model.
  package static func storeUnrecognised(
    _ store: String, recognition: Recognition, cached: CachedModel
  ) -> Diagnostic {
    let flaw: String? =
      switch cached {
      case .trusted: nil
      case .absent: "it contains no model"
      case .unreadable(let reason): "the model that it contains is damaged (\(reason))"
      case .untrusted: "the model that it contains has other version hashes than its metadata"
      }
    return Diagnostic(
      .storeUnrecognised, .error, "'\(store)' matches no known version",
      notes: recognition.released.map { [$0.note] + notes(of: recognition) } ?? notes(of: recognition),
      help: (recognition.releasedHelp.map { [$0] } ?? []) + [
        "name the models of the app that wrote it, with `models:`",
        flaw.map {
          "\($0), so only the app's model can read it: look in version control and in builds of the app (.momd)"
        } ?? "if they are lost: \(recognition.adoptionAdvice(for: store))",
      ],
      cocoaCode: 134130)
  }

  /// The store is of a version that stands after the one it was to be migrated to.
  package static func storeOfLaterVersion(_ store: String, version: String, target: String) -> Diagnostic {
    Diagnostic(
      .storeOfLaterVersion, .error, "'\(store)' is '\(version)', which comes after '\(target)'",
      notes: ["modelc downgrades only on request: '\(target)' may have no place for what '\(version)' added"],
      help: [
        "`modelc plan \(store.shellWord) --to \(target.shellWord)` shows what a downgrade would lose",
        "or use a backup from before the store was migrated",
      ], cocoaCode: 134506)
  }

  private static func notes(of recognition: Recognition) -> [Note] {
    if !recognition.mergedFrom.isEmpty {
      let parts = recognition.mergedFrom.map { "'\($0.versionName)' of '\($0.modelName)'" }
      return [
        Note(
          "it holds \(parts.joined(separator: " and ")), merged; a version of one model must have them all")
      ]
    }
    return recognition.nearest.first.map(notes) ?? ["there is no version to compare it with"]
  }

  private static func notes(of nearest: NearestVersion) -> [Note] {
    guard nearest.isOfSameApp else {
      return ["it shares no entity with '\(nearest.versionName)' or any other version: another app's store"]
    }
    let subject = nearest.total == 1 ? "entity" : "entities"
    var lines = [
      Note("nearest: '\(nearest.versionName)', \(nearest.equal) of \(nearest.total) \(subject) equal")
    ]
    let shown = nearest.differing.prefix(differencesShown).map { difference in
      [
        difference.entity + (difference.property.map { ".\($0)" } ?? ""),
        "store: \(difference.store ?? "none")", "\(nearest.versionName): \(difference.version ?? "none")",
      ]
    }
    let widths = [0, 1].map { column in shown.map { $0[column].count }.max() ?? 0 }
    lines += shown.map { Note("  \(padded($0[0], widths[0]))  \(padded($0[1], widths[1]))  \($0[2])") }
    let more = nearest.differing.count - differencesShown
    if more > 0 { lines.append(Note("and \(more) more differences")) }
    return lines
  }
}

extension Recognition {
  /// The command that brings in the model that a store carries: into the model that it is most like.
  package func adoptionAdvice(for store: String) -> String {
    let word = store.shellWord
    guard let nearest = nearest.first, nearest.isOfSameApp else {
      return "`modelc adopt \(word)` creates a model from the one that the store contains"
    }
    let name = nearest.modelName.shellWord
    switch nearest.notation {
    case .language:
      return
        "`modelc adopt \(word) --into \(name) --before \(nearest.versionName.shellWord)` adds the model that the store contains as another version"
    case .xcode:
      let package = nearest.packagePath.map(\.shellWord) ?? "\(name).xcdatamodeld"
      return
        "`modelc export \(word) --as xcdatamodeld -o \(package)` adds the model that the store contains as another version; "
        + "list it before '\(nearest.versionName)' under `versions:` of a modelc.yaml next to the package"
    case .swiftData:
      return
        "`modelc export \(word) --as swiftdata -o .` writes the model that the store contains as a VersionedSchema; list it in the plan"
    }
  }

  /// What to do about a store of a version that was edited since.
  package var releasedHelp: String? {
    guard nearest.first?.notation == .swiftData else { return released?.help }
    return released == nil
      ? nil
      : "an app without stages infers the step; an app with stages lists a VersionedSchema with the types as they were: `modelc release --from-tags --freeze ShippedSchemas.swift` writes it from git's tags"
  }
}

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

extension ReleasedVersion {
  package var note: Diagnostic.Note {
    if isRetired { return "it is '\(name)', which was removed from the model" }
    return Diagnostic.Note(
      "it is '\(name)' as released on \(date): the version "
        + (isMissing ? "is no longer among those of the model" : "has been edited since"))
  }
  fileprivate var help: String? {
    if isRetired { return nil }
    return isMissing
      ? "bring that version back, as `modelc check` says"
      : "revert that edit, as `modelc check` says, and make it in a new version: `modelc version new`, or Editor > Add Model Version… in Xcode"
  }
}
