extension [Diagnostic] {
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
