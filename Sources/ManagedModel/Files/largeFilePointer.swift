/// Whether the bytes are what git-lfs leaves where a file was not fetched: three lines that name an object.
package func isLargeFilePointer(_ bytes: some Collection<UInt8>) -> Bool {
  bytes.count < 1024 && bytes.starts(with: "version https://git-lfs".utf8)
}

/// A pointer of git-lfs stands where the file should be.
extension Diagnostic.Code { package static let largeFilePointer = Self("MC0202") }

extension Diagnostic {
  package static func largeFilePointer(_ file: String) -> Diagnostic {
    Diagnostic(
      .largeFilePointer, .error, "'\(file)' is a git-lfs pointer, not the file itself",
      place: SourceRange(startOf: file), help: ["run `git lfs pull` and try again"])
  }
}
