package import ManagedModel

/// Whether this program can read Swift; the package's trait `SwiftData` decides.
package var parsesSwift: Bool {
  #if SwiftData
    true
  #else
    false
  #endif
}

extension String {
  /// Reads what a Swift file declares.
  ///
  /// - Parameters:
  ///   - path: the path that places name.
  /// - Returns: with errors among the diagnostics (MC2601) what could be read. Without the package's trait `SwiftData`
  ///   nothing, with MC2600.
  package func parseSwiftFile(path: String, platform: SwiftPlatform) -> (
    file: SwiftFile, diagnostics: [Diagnostic]
  ) {
    #if SwiftData
      let lines = SourceLines(Array(utf8), file: path)
      if lines.isTooDeep {
        let finding = Diagnostic(
          .notSwift, .error, "'\(path.visible)' is nested too deeply to be read",
          place: SourceRange(startOf: path),
          notes: ["hundreds of nested brackets, or thousands of calls in one chain"],
          help: ["keep models in files of their own, without generated text"])
        return (SwiftFile(path: path), [finding])
      }
      let (file, mistakes) = declarations(of: self, lines, platform)
      let findings = mistakes.map { mistake in
        Diagnostic(
          .notSwift, .error, mistake.message.visible, place: lines.range(mistake.offset, mistake.offset),
          help: ["fix the source: no Swift compiler accepts it"])
      }
      return (file, findings)
    #else
      return (SwiftFile(path: path), [.withoutSwift(path)])
    #endif
  }
}

extension Diagnostic.Code {
  /// This program was built without the part that reads Swift.
  package static let withoutSwift = Self("MC2600", exit: .usage)
  /// The text is not a Swift.
  package static let notSwift = Self("MC2601")
}

extension Diagnostic {
  /// What a program says that cannot read Swift.
  package static func withoutSwift(_ path: String) -> Diagnostic {
    Diagnostic(
      .withoutSwift, .error,
      "'\(path.visible)' is Swift source, and this modelc was built without SwiftData",
      place: SourceRange(startOf: path),
      help: ["build it with the trait: `swift build -c release --product modelc --traits SwiftData`"])
  }
}
