package import Foundation
package import ManagedModel
import ModelArchives

/// Reads an `.xcdatamodeld` with all its versions, or a stand-alone `.xcdatamodel` as a model of one version.
///
/// A version has the name of its folder. Numbered names give the order; else git, identifiers and former names do
/// (``VersionOrder``). `.xccurrentversion` names the current version; without it the last one is current. A version that
/// cannot be read gives its diagnostics, and the others are read.
///
/// - Parameter removed: versions that count as gone.
/// - Returns: no model where no version can be read.
package func readXcodeModelPackage(
  at url: URL, without removed: Set<String> = []
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  let file = url.relativePath
  guard isFolder(url) == true else {
    let message = "there is no '.xcdatamodeld' or '.xcdatamodel' folder at '\(file)'"
    return (nil, [.missing(file, message, help: "name the model's folder as Xcode's project lists it")])
  }
  let name = url.deletingPathExtension().lastPathComponent
  let all = url.pathExtension == "xcdatamodel" ? [url] : versionFolders(in: url)
  let folders = all.filter { !removed.contains($0.deletingPathExtension().lastPathComponent) }
  guard !folders.isEmpty else {
    let help = "an '.xcdatamodeld' contains one '.xcdatamodel' folder per version"
    return (nil, [.missing(file, "'\(file)' contains no '.xcdatamodel'", help: help)])
  }
  var versions: [ModelVersion] = []
  var diagnostics: [Diagnostic] = []
  var unread: [UnreadVersion] = []
  let known: KnownEntities = (NamedCache(), NamedCache())
  for (folder, reading) in zip(folders, concurrentMap(folders, { readVersion($0, sharing: known) })) {
    if let version = reading.version {
      versions.append(version)
    } else {
      unread.append(unreadVersion(in: folder, reading.diagnostics))
    }
    diagnostics += reading.diagnostics
  }
  let order = VersionOrder(of: versions, at: url.path)
  versions = order.versions
  guard let last = versions.last else { return (nil, diagnostics) }
  var current = last.name
  if url.pathExtension != "xcdatamodel" {
    let names = folders.map { $0.deletingPathExtension().lastPathComponent }
    let (recorded, finding) = currentVersionName(of: url, among: names)
    if let finding { diagnostics.append(finding) }
    if let recorded, versions.contains(where: { $0.name == recorded }) {
      current = recorded
    } else if let recorded {
      for place in unread.indices where unread[place].name == recorded { unread[place].isCurrent = true }
      diagnostics.append(
        .badCurrentVersion(
          "\(url.relativePath)/\(currentVersionFile)", .error,
          "the current version '\(recorded)' cannot be read",
          notes: ["'\(current)' is the last one that can be read, but stores are not migrated to it"],
          help: ["fix that version, or choose another one in Xcode's File inspector"]))
    }
  }
  var model = VersionedModel(name: name, versions: versions, currentVersionName: current)
  let record = url.appending(path: currentVersionFile)
  if folders.count > 1, isFolder(record) == nil {
    model.gateFindings = [.unrecordedCurrentVersion(record.relativePath)]
  }
  model.isOrderGuessed = order.isGuess
  model.currentVersionErrors =
    diagnostics.filter { $0.code == .unknownXcodeCurrentVersion && $0.severity == .error }
    + unread.filter(\.isCurrent).flatMap(\.reasons)
  model.unreadVersions = unread
  return (model, diagnostics)
}

func versionFolders(in package: URL) -> [URL] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: package.path)) ?? []
  let suffix = ".xcdatamodel"
  return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
    .map { String($0.dropLast(suffix.count)) }.sortedNaturally
    .map { package.appending(path: $0 + suffix) }.filter { isFolder($0) == true }
}

typealias VersionReading = (version: ModelVersion?, diagnostics: [Diagnostic])

/// What the versions of a package have in common.
private typealias KnownEntities = (entities: NamedCache<XcodeEntity>, hashes: NamedCache<PropertyHashes>)

private func readVersion(_ folder: URL, sharing known: KnownEntities) -> VersionReading {
  let url = folder.appending(path: "contents")
  do throws(DiagnosticsError) {
    let (model, sourceMap, diagnostics) = readXcodeModel(
      contents: try readContents(url, of: folder), file: url.relativePath, sharing: known.entities)
    guard let model else { return (nil, diagnostics) }
    var version = ModelVersion(
      name: folder.deletingPathExtension().lastPathComponent, model: model, origin: .xcode,
      sourceMap: sourceMap, sharing: known.hashes)
    version.notation = .xcode
    return (version, diagnostics)
  } catch {
    return (nil, error.diagnostics)
  }
}

private func unreadVersion(in folder: URL, _ reasons: [Diagnostic]) -> UnreadVersion {
  // From before Xcode 4 a version has `elements`.
  let files = ["contents", "elements"].map { folder.appending(path: $0) }
  let file = files.first {
    FileFacts(ofFileAt: $0.path).map { $0.isRegular && $0.size <= xcodeDocumentSizeLimit } ?? false
  }
  return UnreadVersion(
    name: folder.deletingPathExtension().lastPathComponent,
    digest: file.flatMap { try? Data(contentsOf: $0) }.map(sha256), reasons: reasons)
}

private func readContents(_ url: URL, of folder: URL) throws(DiagnosticsError) -> Data {
  let file = url.relativePath
  guard let facts = FileFacts(ofFileAt: url.path) else {
    let elements = folder.appending(path: "elements")
    guard isFolder(elements) == false else { throw DiagnosticsError(.noContents(folder.relativePath)) }
    let place = SourceRange(startOf: elements.relativePath)
    throw DiagnosticsError(.modelBeforeXcode4(place))
  }
  // A pipe would keep us waiting; a huge file need not be read to be refused.
  guard facts.isRegular else {
    throw DiagnosticsError(facts.isFolder ? .noContents(folder.relativePath) : .unreadableFile(file))
  }
  if facts.size > xcodeDocumentSizeLimit {
    throw DiagnosticsError(.oversizedFile(SourceRange(startOf: file), bytes: facts.size))
  }
  guard let contents = try? Data(contentsOf: url) else { throw DiagnosticsError(.unreadableFile(file)) }
  return contents
}

/// What `.xccurrentversion` says. A package of one version needs none.
func currentVersionName(of package: URL, among names: [String]) -> (String?, Diagnostic?) {
  let url = package.appending(path: ".xccurrentversion")
  guard isFolder(url) == false else { return (nil, nil) }
  let file = url.relativePath
  let data = try? readFile(url, shownAs: file)
  guard let data, let list = data.readPropertyList()?.dictionary else {
    let isMerge = data?.mergeConflict(.unknownXcodeCurrentVersion, file: file) != nil
    return (
      nil,
      .badCurrentVersion(
        file, isMerge ? .error : .warning,
        isMerge ? "there are merge conflict markers in '\(file)'" : "'\(file)' cannot be read",
        help: ["choose the current version in Xcode's File inspector, which rewrites the file"])
    )
  }
  // Xcode writes an empty dictionary where none was ever chosen.
  guard let recorded = list["_XCCurrentVersionName"]?.text else { return (nil, nil) }
  let suffix = ".xcdatamodel"
  let name = recorded.hasSuffix(suffix) ? String(recorded.dropLast(suffix.count)) : recorded
  if names.contains(name) { return (name, nil) }
  return (
    nil,
    .badCurrentVersion(
      file, .warning, "the current version '\(name)' is not in the package",
      help: .didYouMean(name, among: names))
  )
}

/// Says which version of a package is the current one.
let currentVersionFile = ".xccurrentversion"

extension Diagnostic.Code {
  /// There is no model of Xcode's at the path, or a file of it may not be read.
  package static let missingXcodeModel = Self("MC0207", exit: .missingFile)
  /// `.xccurrentversion` cannot be read, or names a version that is not there.
  package static let unknownXcodeCurrentVersion = Self("MC0208")
}

extension Diagnostic {
  fileprivate static func missing(_ file: String, _ message: String, help: String) -> Diagnostic {
    Diagnostic(.missingXcodeModel, .error, message, place: SourceRange(startOf: file), help: [help])
  }

  fileprivate static func noContents(_ file: String) -> Diagnostic {
    missing(file, "'\(file)' has no 'contents'", help: "restore the file from version control")
  }

  fileprivate static func unreadableFile(_ file: String) -> Diagnostic {
    missing(file, "'\(file)' cannot be read", help: "check the file's permissions")
  }

  fileprivate static func unrecordedCurrentVersion(_ file: String) -> Diagnostic {
    badCurrentVersion(
      file, .warning,
      "the package has several versions, and no '\(currentVersionFile)' says which is current",
      help: ["choose the current version in Xcode's File inspector"])
  }

  fileprivate static func badCurrentVersion(
    _ file: String, _ severity: Severity, _ message: String,
    notes: [Note] = ["the last version is used as the current one"], help: [String]
  ) -> Diagnostic {
    Diagnostic(
      .unknownXcodeCurrentVersion, severity, message, place: SourceRange(startOf: file), notes: notes,
      help: help)
  }
}
