package import ManagedModel

extension VersionFiles {
  /// Files that say a version and that `versions.yaml` does not list, so that nothing sees them (MC2106).
  package var unlistedVersions: [Diagnostic] {
    unlisted.prefix(20).compactMap { name in
      let file = self.folder.shownPath("\(name).yaml")
      guard let data = try? self.folder.data(of: "\(name).yaml"),
        let node = readYAML(data, file: file).node, node["entities"] != nil || node["extends"] != nil
      else { return nil }
      return .unlistedVersion(name, at: SourceRange(startOf: file))
    }
  }
}

extension Diagnostic {
  fileprivate static func unlistedVersion(_ name: String, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .versionOrigin, .warning, "version '\(name.abridged)' is not listed in versions.yaml", place: place,
      notes: ["it is not compiled, and no store is recognised by it"],
      help: ["list it there, or move the file elsewhere"])
  }
}
