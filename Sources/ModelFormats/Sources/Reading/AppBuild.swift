package import Foundation
package import ManagedModel
import ModelArchives

/// What Xcode built, an app, an extension, a framework, an archive, and the compiled models and mapping models inside.
///
/// It is a folder or an `.ipa`, which is a zip file. Paths in an `.ipa` are written as if it was a folder:
/// `Trails.ipa/Payload/Trails.app/Trails.momd`.
package struct AppBuild {
  package let path: String
  /// `.momd` bundles, and `.mom` files that are in none. The app's own come before those of its extensions and frameworks.
  package private(set) var models: [String] = []
  /// `.cdm` files.
  package private(set) var mappingModels: [String] = []

  /// - Throws: MC2203 where an `.ipa` cannot be read.
  package init(_ path: String) throws(DiagnosticsError) {
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    if let place = UnpackedPath(self.path + "/") {
      let top = place.inside.isEmpty ? "" : place.inside + "/"
      for file in try UnpackedPath.archive(at: place.archive).entries where file.path.hasPrefix(top) {
        add(String(file.path.dropFirst(top.count)))
      }
    } else {
      walk(below: self.path)
    }
    models = Set(models).sorted { ($0.partCount, $0) < ($1.partCount, $1) }
    mappingModels.sort()
  }

  /// One model of each name: an app and its widget have the same one, as a rule.
  package var distinctModels: [String] { models.unique(by: \.modelName) }

  /// The model of this build that another one, or a source, has at a path: of several of a name the one that lies alike,
  /// and of an app's none that another model of today lies at.
  ///
  /// - Parameter paths: of all models of the other build.
  package func counterpart(of path: String, among paths: [String]) -> String? {
    let named = models.filter { $0.modelName == path.modelName }
    guard Self.isInside(path) else { return named.first }
    let taken = Set(paths.map(\.placeInApp))
    return named.first { $0.placeInApp == path.placeInApp } ?? named.first { !taken.contains($0.placeInApp) }
  }

  /// Takes a file of an archive.
  private mutating func add(_ name: String) {
    let parts = name.split(separator: "/")
    if let end = parts.firstIndex(where: { $0.hasSuffix(".momd") }) {
      models.append(join(path, parts[...end].joined(separator: "/")))
    } else if name.hasSuffix(".mom") {
      models.append(join(path, name))
    } else if name.hasSuffix(".cdm") {
      mappingModels.append(join(path, name))
    }
  }

  private mutating func walk(below top: String) {
    DirectoryEntry.walk(below: top, limit: 20_000) { path, entry in
      switch (entry.name as NSString).pathExtension {
      case "momd" where entry.kind == .folder, "mom" where entry.kind == .file: models.append(path)
      case "cdm" where entry.kind == .file: mappingModels.append(path)
      default: return true
      }
      return false
    }
  }

  /// Whether a folder is that of a disk image, an export or an archive: apps lie in it.
  package static func holdsBuilds(_ folder: String) -> Bool {
    directoryEntries(of: folder, limit: 200).contains { ModelSourceKind($0.name) == .build }
  }

  /// Whether a path is that of an app, or leads into one: what is built is not edited, and has no lock.
  package static func isInside(_ path: String) -> Bool {
    path.split(separator: "/").contains { ModelSourceKind(String($0)) == .build }
  }

  /// The path of the only model of the build.
  func onlyModel() throws(DiagnosticsError) -> String {
    let found = distinctModels
    guard found.count == 1 else {
      throw DiagnosticsError(
        .fileUnreadable,
        found.isEmpty ? "'\(path)' contains no compiled model" : "'\(path)' contains \(found.count) models",
        notes: found.prefix(20).map { Diagnostic.Note("\($0)") },
        help: found.isEmpty
          ? ["a model is a `.momd` in the app or in a framework of it; is it in the target's build phases?"]
          : ["name one of them, as \(found[0].shellWord)"])
    }
    return found[0]
  }

  /// Copies of a model that are not the one which comes first: two processes of one app open one store with different models.
  ///
  /// - Parameter models: of one build with their paths, the app's own first.
  package static func differingCopies(among models: [(path: String, model: VersionedModel)]) -> [Diagnostic] {
    Dictionary(grouping: models, by: \.path.modelName).sorted { $0.key < $1.key }.flatMap { _, copies in
      copies.dropFirst().filter {
        $0.model.currentVersion?.versionChecksum != copies[0].model.currentVersion?.versionChecksum
      }.map { .differingCopy($0.path, $0.model, from: copies[0].path, copies[0].model) }
    }
  }

  /// Whether a path leads into an `.ipa`, which no file manager says is there.
  package static func isInArchive(_ path: String) -> Bool { UnpackedPath(path) != nil }

  /// Runs the body with the place of a file or folder, unpacked where it lies in an `.ipa`.
  package static func withFile<Result>(_ path: String, _ body: (URL) throws -> Result) throws -> Result {
    try UnpackedPath(path).map { try $0.read(body) } ?? body(URL(filePath: path))
  }
}

extension String {
  fileprivate var partCount: Int { split(separator: "/").count }
  /// Whatever the app is called, and wherever it lies.
  fileprivate var placeInApp: ArraySlice<String> {
    let parts = pathParts
    let app = parts.firstIndex { $0.hasSuffix(".app") } ?? parts.firstIndex { ModelSourceKind($0) == .build }
    return parts[((app ?? -1) + 1)...]
  }
  fileprivate var modelName: String { URL(filePath: self).deletingPathExtension().lastPathComponent }
}

/// A path in an `.ipa`: where the archive lies, and where in it.
struct UnpackedPath {
  let archive: String
  let inside: String

  /// nil if no part of the path is an archive on disk.
  init?(_ path: String) {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var below: [Substring] = []
    while let part = parts.last {
      let before = parts.joined(separator: "/")
      if !below.isEmpty, part.lowercased().hasSuffix(".ipa"), FileFacts(ofFileAt: before)?.isRegular == true {
        (archive, inside) = (before, below.filter { !$0.isEmpty }.joined(separator: "/"))
        return
      }
      below.insert(parts.removeLast(), at: 0)
    }
    return nil
  }

  static func archive(at path: String) throws(DiagnosticsError) -> ZipArchive {
    do throws(ArchiveFlaw) {
      return try ZipArchive(URL(filePath: path))
    } catch {
      throw DiagnosticsError(.unreadableBuild(path, error.reason))
    }
  }

  /// Runs the body with what the archive has at the path, in a temporary folder that is removed afterwards.
  ///
  /// The URL is relative, so that messages show the path in the archive.
  func read<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let zip = try Self.archive(at: archive)
    let files = zip.entries.filter { $0.path == inside || $0.path.hasPrefix(inside + "/") }
    guard !files.isEmpty else {
      throw DiagnosticsError(
        .fileUnreadable, "'\(archive)' has no '\(inside)'",
        help: ["`modelc inspect \(archive.shellWord)` lists its models"])
    }
    let name = URL(filePath: archive).lastPathComponent
    return try withTemporaryFolder("build") { folder in
      var left = Self.largestModel
      for file in files.prefix(Self.fileLimit) {
        let place = folder.url.appending(path: "\(name)/\(file.path)")
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        do throws(ArchiveFlaw) {
          let data = try zip.read(file, limit: left)
          left -= data.count
          try? data.write(to: place, options: .withoutOverwriting)
        } catch {
          throw DiagnosticsError(.unreadableBuild(archive, error.reason))
        }
      }
      return try body(URL(filePath: "\(name)/\(inside)", relativeTo: folder.url))
    }
  }

  private static let largestModel = 256 << 20
  private static let fileLimit = 10_000
}

extension Diagnostic.Code {
  /// Copies of one model in an app differ.
  package static let differingCopies = Self("MC2207")
}

extension Diagnostic {
  fileprivate static func differingCopy(
    _ path: String, _ model: VersionedModel, from first: String, _ other: VersionedModel
  ) -> Self {
    var changes: [ModelChange] = []
    if let own = model.currentVersion, let former = other.currentVersion, own.name == former.name {
      changes = compareModels(from: former, to: own)
    }
    let name = model.currentVersionName
    return Self(
      .differingCopies, .warning,
      changes.isEmpty
        ? "'\(path)' is at '\(name)', and '\(first)' at '\(other.currentVersionName)'"
        : "'\(name)' of '\(path)' has other hashes than that of '\(first)'",
      notes: changes.prefix(8).map { Note($0.line) } + [
        "if they share a store, the first to open it migrates it; the other then cannot open it, or migrates it with another model"
      ],
      help: ["build both targets with the same model"])
  }

  fileprivate static func unreadableBuild(_ path: String, _ reason: String) -> Self {
    Self(
      .corruptBundle, .error, "'\(path)' cannot be read: \(reason)", place: SourceRange(startOf: path),
      help: ["take the app from another copy, or unpack it and name the '.app'"])
  }
}
