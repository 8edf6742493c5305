extension String {
  /// Whether the name can be that of a file in a bundle: it leaves no folder and is not hidden.
  package var isFileName: Bool {
    !isEmpty && utf8.first != UInt8(ascii: ".") && utf8.count <= 250
      && !unicodeScalars.contains { $0 == "/" || $0 == ":" || $0 == "\\" || $0.value < 0x20 }
  }
}

extension VersionedModel {
  /// - Throws: `DiagnosticsError` with MC2107 where version names cannot be file names.
  package func requireFileNames() throws(DiagnosticsError) {
    var names: Set<String> = []
    let flaws = versions.compactMap { version -> Diagnostic? in
      let name = version.name
      guard name.isFileName else {
        return Diagnostic(
          .versionNameNoFileName, .error, "the version name '\(name)' cannot be a file name",
          subject: ModelSubject(version: name),
          help: ["rename the version; a name has no '/', ':' or '\\' and does not begin with a dot"])
      }
      // Two names that differ by case alone are one file on most Macs.
      if names.insert(name.lowercased()).inserted { return nil }
      return Diagnostic(
        .versionNameNoFileName, .error, "the name of version '\(name)' is taken by another one",
        subject: ModelSubject(version: name),
        notes: ["names that differ by case alone are one file on many disks"], help: ["rename one of them"])
    }
    if !flaws.isEmpty { throw DiagnosticsError(flaws) }
  }
}

/// A version's name cannot be the name of its file in a compiled bundle.
extension Diagnostic.Code { package static let versionNameNoFileName = Self("MC2107") }
