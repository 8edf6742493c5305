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
}

extension Diagnostic {
  /// Whether its place is in another version's file.
  fileprivate var isInherited: Bool {
    guard let version = subject?.version, let file = place?.file, file.hasSuffix(".yaml") else {
      return false
    }
    return file != "\(version).yaml" && !file.hasSuffix("/\(version).yaml")
      && !file.hasSuffix("/versions.yaml")
  }

  /// What it says and where, whatever the version.
  fileprivate var gist: Diagnostic { Diagnostic(code, severity, message, place: place) }
}
