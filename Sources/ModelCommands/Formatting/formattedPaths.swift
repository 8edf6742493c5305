import Foundation
import ManagedModel
import ModelFormats
import PersistentStore
import ReleaseChecks

/// A file that `format` looks at, and whether the user named it: then it has to be of the language.
typealias FormattedPath = (path: String, isNamed: Bool)

extension Project {
  /// The files that the arguments name, each once; of a folder those below it. Without arguments the project's.
  func formattedPaths(_ arguments: [String]) throws(DiagnosticsError) -> [FormattedPath] {
    var found: [FormattedPath] = []
    for argument in arguments {
      if FileFacts(ofFileAt: argument)?.isFolder == true {
        found += languageFiles(below: argument).map { ($0, false) }
      } else {
        found.append((argument, true))
      }
    }
    if arguments.isEmpty { found = try ownLanguageFiles().map { ($0, false) } }
    return found.unique { URL(filePath: $0.path).standardizedFileURL.path }
  }

  /// The version files and lists of the models, the mapping files and what stands beside packages.
  private func ownLanguageFiles() throws(DiagnosticsError) -> [String] {
    var folders: [String] = []
    var missing: DiagnosticsError?
    do {
      folders = try modelPaths(onlyFolders: true)
    } catch {
      missing = error
    }
    let names = modelName.map { [URL(filePath: $0).lastPathComponent] } ?? subfolders(of: migrationsFolder)
    folders += names.map { join(migrationsFolder, $0) }
    let packages = (try? modelPaths().filter { ModelSourceKind($0) == .xcodePackage }) ?? []
    let settings = ([folder, modelsFolder] + packages.map { $0.parentPath })
      .map { join($0, packageSettingsFileName) }.filter { FileManager.default.fileExists(atPath: $0) }
    let files = folders.flatMap { folder in yamlFiles(in: folder).map { join(folder, $0) } } + settings
    if files.isEmpty { throw missing ?? DiagnosticsError(noModel()) }
    return files
  }
}

/// Those of models, below `Migrations`, beside packages, and those that name one of our schemas.
private func languageFiles(below folder: String) -> [String] {
  var found: [String] = []
  var level = [folder]
  var left = XcodeFiles.folderLimit
  while !level.isEmpty, left > 0 {
    for folder in level.prefix(left) {
      let names = yamlFiles(in: folder)
      let parent = URL(filePath: folder).standardizedFileURL.path.parentPath
      let isOurs = names.contains(versionListFileName) || parent.pathParts.last == "Migrations"
      found += names.filter { isOurs || $0 == packageSettingsFileName || namesSchema(join(folder, $0)) }
        .map { join(folder, $0) }
    }
    left -= level.count
    level = level.flatMap { folder in
      subfolders(of: folder).filter { !XcodeFiles.isOpaque($0) }.map { join(folder, $0) }
    }
  }
  return found
}

private func yamlFiles(in folder: String) -> [String] {
  directoryEntries(of: folder).filter { $0.kind != .folder && $0.name.hasSuffix(".yaml") }.map(\.name)
}

/// A link could lead anywhere, and round.
private func subfolders(of folder: String) -> [String] {
  directoryEntries(of: folder).filter { $0.kind == .folder }.map(\.name)
}

private func namesSchema(_ path: String) -> Bool {
  guard FileFacts(ofFileAt: path)?.isRegular == true, let file = FileHandle(forReadingAtPath: path) else {
    return false
  }
  defer { try? file.close() }
  let start = (try? file.read(upToCount: 500)) ?? Data()
  return LanguageFileKind(schemaIn: String(decoding: start, as: UTF8.self)) != nil
}

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
