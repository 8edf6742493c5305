import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import SwiftDataModels

/// A text file that a command is about to write.
struct ProjectFile: Hashable {
  let path: String
  let text: String

  /// Whether something else stands at its place.
  var wouldOverwrite: Bool {
    // Of 'none/../file' a URL leaves out what is not there, and a look at the path finds nothing.
    [path, URL(filePath: path).standardizedFileURL.path].contains { place in
      FileManager.default.fileExists(atPath: place)
        && (try? Data(contentsOf: URL(filePath: place))) != Data(text.utf8)
    }
  }

  /// Writes the file whole, and its folder where that is absent.
  ///
  /// - Parameter isNamed: whether the user named the file, and it is written where a link leads. A project's own link might
  ///   lead out of it.
  /// - Throws: MC0012 where a store, a part of one, or a file that is not text is at its place.
  func write(isNamed: Bool = false) throws {
    try path.refuseStore()
    // No file takes the place of a pipe or of /dev/null.
    let isDevice = path.hasPrefix("/dev/") || FileFacts(ofFileAt: path)?.isRegular == false
    let url = isNamed && !isDevice ? URL(filePath: path).resolvingSymlinksInPath() : URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // By now the path of a folder that was not there leads somewhere.
    try url.standardizedFileURL.path.refuseStore()
    try Data(text.utf8).write(to: url, options: isDevice ? [] : .atomic)
  }

  /// For scripts.
  func makeExecutable() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }
}

extension ProjectFile {
  /// Swift with a first line by which is known later whether anybody has edited it.
  init(path: String, sealing text: String) {
    let seal = sha256(Data(text.utf8)).prefix(16)
    self.init(
      path: path,
      text:
        "\(String.frozenSeal), and written anew as long as nobody edits it: \(seal)\n\(text)"
    )
  }

  /// Whether what stands at its place is as it was sealed.
  var isSealed: Bool {
    guard let there = try? readFile(URL(filePath: path), shownAs: path),
      let end = there.firstIndex(of: UInt8(ascii: "\n"))
    else { return false }
    let text = String(decoding: there[end...].dropFirst(), as: UTF8.self)
    return there == Data(ProjectFile(path: path, sealing: text).text.utf8)
  }
}

extension Project {
  /// Where a project keeps the schemas of its YAML files.
  ///
  /// Beside the models, so that the path from a model's folder, `../Schemas`, is the same in every project.
  func schemaFolder() -> String { join(modelsFolder, "Schemas") }
}

func schemaFiles(in folder: String) -> [ProjectFile] {
  jsonSchemas().map { ProjectFile(path: join(folder, $0.name), text: $0.text) }
}

extension [ProjectFile] {
  /// Refuses to overwrite them, where there are any.
  ///
  /// - Parameter words: what is known of each.
  func refuse(
    each words: String, notes: [Diagnostic.Note] = ["nothing was written"], help: String
  ) throws(UsageError) {
    if !isEmpty { throw UsageError(.wouldOverwrite(map(\.path), each: words, notes: notes, help: help)) }
  }
}

extension OutputOptions {
  /// Writes files, and says which.
  func write(_ files: [ProjectFile], _ findings: [Diagnostic] = []) throws {
    for file in files { try file.write() }
    print(written: files.map(\.path), files.map(\.path).shownLines, findings)
  }
}

extension Diagnostic.Code { static let wouldOverwrite = Self("MC0012") }

extension Diagnostic {
  /// - Parameters:
  ///   - words: what is known of each.
  ///   - notes: what there is to say of all of them.
  static func wouldOverwrite(
    _ paths: [String], _ noun: String = "file", each words: String,
    notes: [Note] = ["nothing was written"], help: String
  ) -> Self {
    Self(
      .wouldOverwrite, .error, "\(counted(paths.count, noun)) would be overwritten",
      notes: paths.map { Note("'\($0)' \(words)") } + notes, help: [help])
  }
}

extension String {
  /// - Throws: MC0009 where there is no folder for the file that is to be written.
  func requireFolder() throws(UsageError) {
    let folder = URL(filePath: self).deletingLastPathComponent().relativePath
    guard !folder.isExistingFolder else { return }
    throw UsageError(
      .fileUnreadable, "there is no folder '\(folder)' to write '\(self)' into",
      help: ["make the folder, or name another one"])
  }

  /// - Parameter isText: whether a file is refused that is not text: it may be an encrypted store, or a picture.
  /// - Throws: MC0012 where the file that an option names to be written is a store or a part of one, or not a text file.
  func refuseStore(isText: Bool = true) throws(UsageError) {
    func refusal(_ words: String, _ noun: String = "file") -> UsageError {
      let notes: [Diagnostic.Note] = ["nothing was written to it"]
      return UsageError(.wouldOverwrite([self], noun, each: words, notes: notes, help: "name another file"))
    }
    let ends = ["-wal", "-shm", "-journal"]
    let isLog = ends.contains { hasSuffix($0) && String(dropLast($0.count)).isSQLiteFile }
    // A mapping model of Xcode's has the layout of an XML store.
    let isXML = !hasSuffix("/xcmapping.xml") && firstBytes.range(of: Data("<databaseInfo>".utf8)) != nil
    if isSQLiteFile || isXML { throw refusal("has users' data", "store") }
    if isLog || parentPath.hasSuffix("_EXTERNAL_DATA") { throw refusal("belongs to a store") }
    if isText, firstBytes.contains(0) { throw refusal("is not a text file") }
  }
}
