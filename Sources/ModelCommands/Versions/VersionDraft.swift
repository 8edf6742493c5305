import Foundation
import ManagedModel
import ModelFormats

/// A new version that is about to be written: a copy of another one's file, and its entry in `versions.yaml`.
struct VersionDraft: JSONResult {
  let name: String
  /// The version that it copies, and follows.
  let origin: String
  /// The path of its file, as the user would write it.
  let file: String
  private let content: Data
  private let listFile: String
  private let list: String

  /// Prepares everything and writes nothing.
  ///
  /// - Throws: `DiagnosticsError` where the name is taken or no version's name, where the version to copy does not
  ///   exist, or where `versions.yaml` cannot be read or edited.
  ///
  /// - Parameter isChange: whether the file says that it extends the other one, instead of copying it.
  init(name: String, from: String?, isCurrent: Bool, isChange: Bool = false, folder: String) throws {
    let (model, diagnostics) = readVersionedModel(folder: URL(filePath: folder))
    guard let model else { throw DiagnosticsError(diagnostics) }
    self.name = name
    listFile = join(folder, versionListFileName)
    file = join(folder, "\(name).yaml")
    guard isVersionName(name) else { throw DiagnosticsError(.noVersionName(name)) }
    let text = try readText(listFile)
    let names = text.listedVersions(file: listFile)
    if let taken = names.first(where: { $0.lowercased() == name.lowercased() }) {
      throw DiagnosticsError(.versionTaken(taken, in: listFile))
    }
    if FileManager.default.fileExists(atPath: file) { throw DiagnosticsError(.fileTaken(file)) }
    origin = from ?? model.currentVersionName
    guard names.contains(origin) else { throw DiagnosticsError(.noOrigin(origin, known: names, listFile)) }
    let originFile = join(folder, "\(origin).yaml")
    let original: Data
    do {
      original = try readFile(URL(filePath: originFile), shownAs: originFile)
    } catch {
      throw DiagnosticsError(.uncopied(originFile, error))
    }
    content = isChange ? change(of: origin, like: original) : original
    // A version follows the last one of the main line unless it says something else.
    let lastOfMainLine = mainLine(text, file: listFile).last
    let entry = ListedVersion(name: name, origin: origin == lastOfMainLine ? nil : origin)
    guard let edited = adding(entry, to: text, isCurrent: isCurrent, file: listFile),
      try lists(edited, names + [name], predecessor: origin, current: isCurrent ? name : nil)
    else { throw DiagnosticsError(.listNotEdited(listFile, entry)) }
    let whole = addingCounterparts(of: name, like: origin, to: Data(edited.utf8), file: listFile)
    list = String(decoding: keepingLayout(of: Data(text.utf8), in: whole, file: listFile), as: UTF8.self)
  }

  /// Writes both files or none.
  func write() throws {
    let url = URL(filePath: file)
    try content.write(to: url, options: .withoutOverwriting)
    do {
      try Data(list.utf8).write(to: URL(filePath: listFile).resolvingSymlinksInPath(), options: .atomic)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }

  static let result = JSONObject<Self>(
    "draft", "A version that was begun.",
    [
      "version": .value(\.name, "Its name."), "from": .value(\.origin, "The version that it follows."),
      "file": .value(\.file), "diagnostics": .diagnostics { _ in [] },
    ])
}

/// A version that changes nothing yet, with the first line of the other one where that names its schema.
private func change(of origin: String, like original: Data) -> Data {
  let first = String(decoding: original.prefix(500), as: UTF8.self).split(whereSeparator: \.isNewline).first
  let schema = first.map { $0.hasPrefix(schemaComment(path: "")) ? "\($0)\n" : "" } ?? ""
  return Data(
    """
    \(schema)# Only what changes: what is new or other as in a whole version, what goes under 'remove:'.
    extends: \(origin.yamlScalar)

    """.utf8)
}

private func readText(_ path: String) throws -> String {
  guard let text = String(data: try readFile(URL(filePath: path), shownAs: path), encoding: .utf8) else {
    throw DiagnosticsError(.listNotUTF8(path))
  }
  return text
}

/// Whether `<name>.yaml` can be a file of the model's folder, other than the list itself.
func isVersionName(_ name: String) -> Bool {
  !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && name.utf8.count <= 200
    && name.lowercased() != "versions"
    && !name.unicodeScalars.contains {
      "/:\\".unicodeScalars.contains($0) || $0.value < 0x20 || $0.value == 0x7F
    }
}

/// Reads the edited list back, with empty versions, and checks that it has the new entry and all old ones.
private func lists(
  _ text: String, _ names: [String], predecessor: String, current: String?
) throws -> Bool {
  let temporary = try TemporaryFolder("version")
  defer { temporary.remove() }
  let folder = temporary.url
  for name in names { try Data("entities: {}\n".utf8).write(to: folder.appending(path: "\(name).yaml")) }
  try Data(text.utf8).write(to: folder.appending(path: versionListFileName))
  guard let model = readVersionedModel(folder: folder).model else { return false }
  return model.versions.map(\.name) == names && model.versions.last?.predecessorName == predecessor
    && (current == nil || model.currentVersionName == current)
}

extension Diagnostic {
  static func noVersionName(_ name: String) -> Self {
    Self(
      .invalidName, .error, "'\(name)' cannot be a version's name",
      help: ["a version's name is its file's name: no '/', ':' or '\\', no point in front, not 'versions'"])
  }

  fileprivate static func versionTaken(_ name: String, in file: String) -> Self {
    Self(
      .versionListedTwice, .error, "'\(file)' lists a version '\(name)' already",
      help: ["choose another name"])
  }

  fileprivate static func fileTaken(_ file: String) -> Self {
    Self(
      .wouldOverwrite, .error, "'\(file)' exists already", notes: ["it is not listed in versions.yaml"],
      help: ["choose another name, or list that file"])
  }

  fileprivate static func noOrigin(_ name: String, known: [String], _ file: String) -> Self {
    Self(
      .noCurrentVersion, .error, "'\(file)' lists no version '\(name)' to copy",
      notes: [Note("versions: \(known.listed)")],
      help: nearestName(to: name, among: known).map { ["did you mean '\($0)'?"] } ?? [
        "name one with `--from`"
      ])
  }

  fileprivate static func uncopied(_ file: String, _ error: any Error) -> Self {
    Self(.fileUnreadable, .error, "'\(file)' cannot be copied: \(systemReason(of: error))")
  }

  fileprivate static func listNotUTF8(_ file: String) -> Self {
    Self(.notUTF8, .error, "'\(file)' is not UTF-8 text")
  }

  fileprivate static func listNotEdited(_ file: String, _ entry: ListedVersion) -> Self {
    Self(
      .wouldOverwrite, .error, "'\(file)' is laid out in a way that cannot be added to",
      notes: ["nothing was written"],
      help: ["add the entry yourself: - \(entry.yaml)"])
  }
}
