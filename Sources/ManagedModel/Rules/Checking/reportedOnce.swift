extension [Diagnostic] {
  /// Findings in a file that other versions extend are reported once, for that file's own version if it has them.
  ///
  /// What only the extending version has (it removes the destination of a relationship, say) gets a note that names it.
  package func reportedOnce(of versions: [ModelVersion]) -> [Diagnostic] {
    guard contains(where: \.isInherited) else { return self }
    var reported = Set(filter { !$0.isInherited }.map(\.gist))
    return compactMap { finding in
      guard finding.isInherited else { return finding }
      guard reported.insert(finding.gist).inserted else { return nil }
      var finding = finding
      let version = versions.first { $0.name == finding.subject?.version }
      let name = version?.name ?? ""
      finding.notes.append(
        Diagnostic.Note(
          "in version '\(name.abridged)', which extends this one",
          place: version?.sourceMap?[ModelSubject(key: "extends")]))
      return finding
    }
  }

  /// A warning about something that several versions of an Xcode package have is reported once, at the version that began it:
  /// a package of fifteen versions would repeat it fifteen times, and old versions cannot be edited.
  ///
  /// - Parameter versions: oldest first.
  func reportedWhereTheyBegin(of versions: [ModelVersion]) -> [Diagnostic] {
    let lenient = Set(versions.filter { $0.origin == .xcode }.map(\.name))
    guard lenient.count > 1 else { return self }
    let places = Dictionary(firstOf: versions.enumerated().map { ($0.element.name, $0.offset) })
    var facts: Set<ReportedFact> = []
    for finding in self { if let fact = ReportedFact(finding, places) { facts.insert(fact) } }
    return filter { finding in
      guard finding.severity < .error, var fact = ReportedFact(finding, places),
        lenient.contains(finding.subject?.version ?? "")
      else { return true }
      fact.place -= 1
      return !facts.contains(fact)
    }
  }
}

/// The identity of a finding about a version, by the version's place.
private struct ReportedFact: Hashable {
  var place: Int
  let key: Diagnostic.Key
  let message: String

  init?(_ finding: Diagnostic, _ places: [String: Int]) {
    guard let place = finding.subject?.version.flatMap({ places[$0] }) else { return nil }
    (self.place, key, message) = (place, finding.key, finding.message)
  }
}

extension Diagnostic {
  /// Whether its place is in another version's file, which its own version extends.
  package var isInherited: Bool {
    guard let version = subject?.version, let file = place?.file, file.hasSuffix(".yaml") else {
      return false
    }
    return file != "\(version).yaml" && !file.hasSuffix("/\(version).yaml")
      && !file.hasSuffix("/versions.yaml")
  }

  /// What it says and where, whatever the version.
  fileprivate var gist: Diagnostic { Diagnostic(code, severity, message, place: place) }
}
