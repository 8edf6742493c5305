import Foundation
import ManagedModel
import ModelFormats
import PersistentStore
import ReleaseChecks

/// What became of one file that was to be formatted.
struct FormattedFile: JSONResult {
  enum State: String, CaseIterable {
    case unchanged
    /// Its layout is another one; it was not written.
    case differs
    case written
    /// Its findings say why it is left unchanged.
    case failed
  }

  let path: String
  var state = State.unchanged
  var diagnostics: [Diagnostic] = []
  /// Where it differs.
  private(set) var edit: ModelFixes.Edit?

  /// Reads and lays out; writes nothing.
  ///
  /// - Returns: nil for a file that nobody named and that is none of the language.
  init?(_ file: FormattedPath, of project: Project) {
    path = file.path
    do throws(DiagnosticsError) {
      let data = try readFile(URL(filePath: path), shownAs: path)
      guard let after = try formatFile(data, file: path, isLenient: !file.isNamed) else { return nil }
      guard after != data else { return }
      try requireOwn(path, in: project)
      (state, edit) = (.differs, ModelFixes.Edit(path: path, before: data, after: after))
    } catch {
      (state, diagnostics) = (.failed, error.diagnostics)
    }
  }

  /// Writes a file that differs.
  mutating func write(_ explain: (any Error) -> [Diagnostic]) {
    guard let edit else { return }
    do {
      try requireWritable(path)
      try [edit].replaceFiles()
      state = .written
    } catch {
      (state, diagnostics) = (.failed, explain(error))
    }
  }

  static let result = JSONObject<Self>("formattedFile", "A file, and what became of it.")
    .adding(["file": .value(\.path, "Its path."), "state": .word(\.state, "Failed: a finding says why.")])
}

/// A link is followed within the project, as `compile --fix` does; what it leads to elsewhere belongs to others.
private func requireOwn(_ path: String, in project: Project) throws(DiagnosticsError) {
  guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil else { return }
  let target = URL(filePath: path).resolvingSymlinksInPath().path
  let top = URL(filePath: project.folder).standardizedFileURL.resolvingSymlinksInPath().path
  guard target.utf8.starts(with: (top.hasSuffix("/") ? top : top + "/").utf8) else {
    throw DiagnosticsError(
      .wouldOverwrite, "'\(path)' is a symbolic link out of the project, to '\(target)'",
      notes: ["it is left unchanged"], help: ["name that file itself, if it is yours to format"])
  }
}

/// A rename would replace what nobody may write, and needs a folder that one may write.
private func requireWritable(_ path: String) throws {
  let place = URL(filePath: path).resolvingSymlinksInPath().path
  let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
  if let mode, mode & 0o222 == 0 {
    throw DiagnosticsError(
      .readOnlyStore, "'\(path)' is read-only", notes: ["it is left unchanged"],
      help: ["make it writable: `chmod u+w \(path.shellWord)`"])
  }
  let folder = place.parentPath
  if !FileManager.default.isWritableFile(atPath: folder) {
    throw DiagnosticsError(
      .readOnlyStore, "'\(path)' cannot be replaced: you may not write to its folder '\(folder)'",
      notes: ["it is left unchanged"])
  }
}
