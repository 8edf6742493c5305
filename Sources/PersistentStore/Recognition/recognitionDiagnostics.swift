public import ManagedModel

/// Differences that a diagnosis spells out; the rest is counted.
private let differencesShown = 12

extension Diagnostic.Code {
  public static let storeUnrecognised = Self("MC5102")
  public static let storeOfLaterVersion = Self("MC5104")
}

extension Diagnostic {
  /// The store matches no version at hand.
  ///
  /// - Parameter store: the store's file name as the user wrote it.
  package static func storeUnrecognised(_ store: String, recognition: Recognition) -> Diagnostic {
    Diagnostic(
      .storeUnrecognised, .error, "'\(store)' matches no known version",
      notes: recognition.nearest.first.map(notes) ?? ["there is no version to compare it with"],
      help: [
        "`modelc adopt \(shellWord(store))` adds the store's own model as a version, then `modelc plan`"
      ],
      cocoaCode: 134130)
  }

  /// The store is of a version that stands after the one it was to be migrated to.
  package static func storeOfLaterVersion(_ store: String, version: String, target: String) -> Diagnostic {
    Diagnostic(
      .storeOfLaterVersion, .error, "'\(store)' is '\(version)', which stands after '\(target)'",
      notes: ["a migration never goes backwards: what the later version added would be lost"],
      help: [
        "migrate to '\(version)' or a later version",
        "or restore a backup from before the store was migrated",
      ], cocoaCode: 134506)
  }

  private static func notes(of nearest: NearestVersion) -> [Note] {
    let subject = nearest.total == 1 ? "entity" : "entities"
    var lines = [
      Note("nearest: '\(nearest.versionName)', \(nearest.equal) of \(nearest.total) \(subject) equal")
    ]
    for difference in nearest.differing.prefix(differencesShown) {
      let subject = ([difference.entity] + [difference.property].compactMap(\.self)).joined(separator: ".")
      lines.append(
        Note(
          "'\(subject)'  store: \(difference.store ?? "none")  \(nearest.versionName):"
            + " \(difference.version ?? "none")"))
    }
    let more = nearest.differing.count - differencesShown
    if more > 0 { lines.append(Note("and \(more) more differences")) }
    return lines
  }
}

/// The name as it can stand in a command.
private func shellWord(_ name: String) -> String {
  name.wholeMatch(of: #/[\w.\/+-]+/#) != nil ? name : "'" + name.replacing("'", with: "'\\''") + "'"
}
