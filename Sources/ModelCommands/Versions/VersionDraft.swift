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
  private let list: Data

  /// Prepares everything and writes nothing.
  ///
  /// - Throws: `DiagnosticsError` where the name is taken or no version's name, where the version to copy does not
  ///   exist, or where `versions.yaml` cannot be read or edited.
  ///
  /// - Parameters:
  ///   - name: without it that of the other one with the next number.
  ///   - isChange: whether the file says that it extends the other one, instead of copying it.
  init(name: String?, from: String?, isCurrent: Bool, isChange: Bool = false, folder: String) throws {
    let (model, diagnostics) = readVersionedModel(folder: URL(filePath: folder))
    guard let model else { throw DiagnosticsError(diagnostics) }
    let name =
      name ?? nextVersionName(after: from ?? model.currentVersionName, among: model.versions.map(\.name))
    self.name = name
    listFile = join(folder, versionListFileName)
    file = join(folder, "\(name).yaml")
    guard isVersionName(name) else { throw DiagnosticsError(.noVersionName(name)) }
    let before = try readFile(URL(filePath: listFile), shownAs: listFile)
    let versions = readVersionList(yaml: before, file: listFile).list?.versions ?? []
    let names = versions.map(\.name)
    if let taken = names.first(where: { $0.lowercased() == name.lowercased() }) {
      throw DiagnosticsError(
        .versionListedTwice, "'\(listFile)' already lists a version '\(taken)'", help: ["choose another name"]
      )
    }
    if FileManager.default.fileExists(atPath: file) {
      throw UsageError(
        .wouldOverwrite, "'\(file)' already exists", notes: ["it is not listed in versions.yaml"],
        help: ["choose another name, or list that file"])
    }
    origin = from ?? model.currentVersionName
    guard names.contains(origin) else {
      throw DiagnosticsError(
        .noCurrentVersion, "'\(listFile)' lists no version '\(origin)' to copy",
        notes: ["versions: \(names.listed)"],
        help: .didYouMean(origin, among: names, else: ["name one with `--from`"]))
    }
    let originFile = join(folder, "\(origin).yaml")
    let original: Data
    do {
      original = try readFile(URL(filePath: originFile), shownAs: originFile)
    } catch {
      throw DiagnosticsError(.fileUnreadable, "'\(originFile)' cannot be copied: \(systemReason(of: error))")
    }
    content = isChange ? change(of: origin, like: original) : original
    // A version follows the last one of the main line unless it says something else.
    let lastOfMainLine = versions.last { !$0.isBranch }?.name
    let entry = ListedVersion(name: name, origin: origin == lastOfMainLine ? nil : origin)
    guard let edited = entry.added(to: before, isCurrent: isCurrent, file: listFile),
      let read = readVersionList(yaml: edited, file: listFile).list,
      read.versions.map(\.name) == names + [name], read.predecessors[name] == [origin],
      !isCurrent || read.current == name
    else {
      throw DiagnosticsError(
        .wouldOverwrite, "modelc cannot add an entry to '\(listFile)', because of its layout",
        notes: ["nothing was written"], help: ["add the entry yourself: - \(entry.yaml)"])
    }
    let whole = addingCounterparts(of: name, like: origin, to: edited, file: listFile)
    list = keepingLayout(of: before, in: whole, file: listFile)
  }

  /// Writes both files or none.
  func write() throws {
    let url = URL(filePath: file)
    try content.write(to: url, options: .withoutOverwriting)
    do {
      try list.write(to: URL(filePath: listFile).resolvingSymlinksInPath(), options: .atomic)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }

  static let result = JSONObject<Self>("draft", "A version that was started.").adding([
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

/// The name with the next number that is free: V4 after V3, `App 2` after `App`.
func nextVersionName(after name: String, among names: [String]) -> String {
  let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
  let stem = String(name.dropLast(digits)) + (digits == 0 ? " " : "")
  let taken = Set(names.map { $0.lowercased() })
  var number = (Int(name.suffix(digits)) ?? 1).addingReportingOverflow(1).partialValue
  while taken.contains("\(stem)\(number)".lowercased()), number < Int.max { number += 1 }
  return "\(stem)\(number)"
}

/// Whether `<name>.yaml` can be a file of the model's folder, other than the list itself.
func isVersionName(_ name: String) -> Bool {
  !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && name.utf8.count <= 200
    && name.lowercased() != "versions"
    && !name.unicodeScalars.contains {
      "/:\\".unicodeScalars.contains($0) || $0.value < 0x20 || $0.value == 0x7F
    }
}

extension Diagnostic {
  static func noVersionName(_ name: String) -> Self {
    Self(
      .invalidName, .error, "'\(name)' cannot be a version's name",
      help: ["a version's name is its file's name: no '/', ':' or '\\', no dot at the start, not 'versions'"])
  }
}

/// An entry of `versions.yaml`.
struct ListedVersion {
  var name: String
  /// Where a branch leaves.
  var origin: String?

  /// As it stands in a list, in one line.
  var yaml: String { origin.map { "{name: \(name.yamlScalar), from: \($0.yamlScalar)}" } ?? name.yamlScalar }

  /// The list with this entry before one that is there, or at its end; comments, layout and everything else stay.
  ///
  /// - Returns: nil if the list is empty or has no such entry, or its text is not a YAML.
  func added(to list: Data, before next: String? = nil, isCurrent: Bool = false, file: String) -> Data? {
    guard let node = readYAML(list, file: file).node, let entries = node["versions"]?.elements,
      let place = next == nil ? entries.last : entries.first(where: { ($0["name"] ?? $0).text == next })
    else { return nil }
    var edits = [place.adding(yaml, isBefore: next != nil)]
    if isCurrent {
      guard let current = node["current"]?.range else { return nil }
      edits.append(.init("", range: current, replacement: name.yamlScalar))
    }
    return applyFixIts([edits], to: list).data
  }
}

extension VersionList {
  /// The versions without `from:`, in the list's order.
  var mainLine: [String] { versions.filter(\.origins.isEmpty).map(\.name) }
}
