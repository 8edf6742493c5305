import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

/// A file of a user's container, as far as it is a store, or looks like one.
struct FolderFile {
  enum Kind: String, CaseIterable {
    case coreData, swiftData, sqlite, atomic, logWithoutStore, notAStore, unreadable
  }

  let path: String
  var kind: Kind
  /// What is known beside the kind, for people.
  var text: String
  var recognition: Recognition?
  var framework: Int?
  var bytes: Int64
  /// When the file or its log was written last.
  var modified: Date
  var isNewest = false
  /// Whether it lies where Core Data or SwiftData put the store of a model that is at hand unless an app says otherwise.
  var isDefaultPlace = false

  fileprivate mutating func take(
    _ metadata: StoreMetadata, _ recognition: Recognition, among models: [VersionedModel]
  ) {
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    (self.recognition, framework) = (recognition, metadata.frameworkVersion)
    // SwiftData writes the three numbers of Schema.Version; Core Data what is typed in Xcode's inspector.
    let isSwiftData =
      !identifiers.isEmpty && identifiers.allSatisfy { $0.wholeMatch(of: /\d+\.\d+\.\d+/) != nil }
    kind = isSwiftData ? .swiftData : .coreData
    let names = recognition.versions.map { "\($0.versionName) of \($0.modelName)" }
    let known =
      names.isEmpty ? (models.isEmpty ? nil : "of no known version") : names.joined(separator: " or ")
    let framework = framework.map { "Core Data \($0)" } ?? "Core Data"
    let name = isSwiftData ? "SwiftData \(identifiers.joined(separator: ", ")) on \(framework)" : framework
    text = [name, known].compactMap(\.self).joined(separator: ", ")
    let isInSupport = path.parentPath.hasSuffix("Library/Application Support")
    let fileName = URL(filePath: path).lastPathComponent
    isDefaultPlace =
      isInSupport
      && (isSwiftData ? fileName == "default.store" : models.contains { fileName == "\($0.name).sqlite" })
  }
}

extension Inspect {
  /// The models of an app, and whether its parts have the same ones.
  func inspectBuild(_ path: String) throws -> (json: JSONValue, hasErrors: Bool) {
    let (reader, build) = (ModelReader(), try AppBuild(path))
    if build.models.isEmpty { throw DiagnosticsError(reader.read(path).diagnostics) }
    var found: [(path: String, model: VersionedModel)] = []
    var diagnostics: [Diagnostic] = []
    for place in build.models {
      let reading = reader.read(place)
      diagnostics += reading.diagnostics
      guard let model = reading.model else { continue }
      found.append((path: place, model: model))
      if !output.writesJSON { output.print(model.summary(ofModelAt: place)) }
    }
    diagnostics += AppBuild.differingCopies(among: found)
    if !output.writesJSON, !build.mappingModels.isEmpty {
      output.print((["mapping models:"] + build.mappingModels.map { "  " + $0 }).shownLines)
    }
    output.report(diagnostics)
    let json = Self.build.json(of: (build, found, diagnostics))
    return (json, diagnostics.hasErrors)
  }

  /// The object of `inspect APP`.
  static let build = JSONObject<
    (build: AppBuild, models: [(String, VersionedModel)], findings: [Diagnostic])
  >("build", "An app with the models inside.").adding([
    "build": .value(\.build.path, "The app as it was named."),
    "models": .list(\.models, of: VersionedModel.result, "Also copies of one model in its extensions."),
    "mappingModels": .value(\.build.mappingModels, "Compiled mapping models, as paths."),
    "diagnostics": .diagnostics(\.findings),
  ])

  /// What the files of a folder are: which are stores, of which version, which was written last.
  func inspectFolder(_ folder: String, among models: [VersionedModel]) throws -> JSONValue {
    var files = filesBelow(folder).compactMap { look(at: $0, among: models) }
    if files.isEmpty {
      throw DiagnosticsError(
        .fileUnreadable, "there is no store in '\(folder)' or below it",
        help: [
          "stores of apps are in the container's 'Library/Application Support', or in that of an app group"
        ])
    }
    let stores = files.indices.filter { [.coreData, .swiftData].contains(files[$0].kind) }
    if let newest = stores.max(by: { files[$0].modified < files[$1].modified }), stores.count > 1 {
      files[newest].isNewest = true
    }
    if !output.writesJSON { output.print(text(files, in: folder)) }
    return Self.folder.json(of: (folder, files))
  }

  private func text(_ files: [FolderFile], in folder: String) -> String {
    let rows = files.map { file in
      let own =
        file.path.hasPrefix(folder) ? String(file.path.dropFirst(folder.count).drop { $0 == "/" }) : file.path
      let time = file.modified.formatted(.iso8601)
      let remarks = [file.isNewest ? "the newest" : nil, file.isDefaultPlace ? "in the default place" : nil]
      return [
        own, ([file.text] + remarks.compactMap(\.self)).joined(separator: ", "), file.bytes.humanSize,
        String(time.prefix(10) + " " + time.dropFirst(11).prefix(5)),
      ]
    }
    var lines = [
      "\(folder): \(counted(files.count, "file")) that \(files.count == 1 ? "is a store or looks" : "are stores or look") like one"
    ]
    lines += TextTable(.left, .left, .right, .left, rows: rows).lines(indent: 2)
    if files.contains(where: { $0.kind == .logWithoutStore }) {
      lines.append(
        "  a log without its store cannot be read: look for the store that it belongs to, and keep both together"
      )
    }
    return lines.shownLines
  }

  static let folder = JSONObject<(folder: String, files: [FolderFile])>(
    "folder", "The files of a folder that are stores, or look like one."
  ).adding(["folder": .value(\.folder, "The folder, as it was named."), "files": .list(\.files, of: file)])

  private static let file = JSONObject<FolderFile>("folderFile", "A file.").adding([
    "path": .value(\.path), "kind": .word(\.kind, "What it is."),
    "versions": .value(
      { $0.recognition?.versions.map(\.versionName) ?? [] }, "The versions that a store fits."),
    "models": .value({ $0.recognition?.versions.map(\.modelName) ?? [] }, "Their models, in the same order."),
    "framework": .optional(\.framework, "The number of the Core Data that wrote the store last."),
    "bytes": .value({ Int($0.bytes) }, "With its log."),
    "modified": .value({ $0.modified.formatted(.iso8601) }, "When it or its log was written last."),
    "isNewest": .value(\.isNewest, "Whether no other store of the folder was written later."),
    "isDefaultPlace": .value(
      \.isDefaultPlace, "Whether apps keep the store of a model at hand there unless they say otherwise."),
  ])
}

/// Regular files, with their paths.
private func filesBelow(_ folder: String) -> [String] {
  var found: [String] = []
  DirectoryEntry.walk(below: folder, limit: 20_000) { path, entry in
    if entry.kind == .file { found.append(path) }
    // A model's own files are not stores, though a mapping model of Xcode's is written by Core Data.
    return ModelSourceKind(entry.name) != .xcodePackage && !entry.name.hasSuffix(".xcmappingmodel")
  }
  return found
}

/// - Returns: nil for what is not a store, and does not look like one.
private func look(at path: String, among models: [VersionedModel]) -> FolderFile? {
  guard let facts = FileFacts(ofFileAt: path) else { return nil }
  var file = FolderFile(
    path: path, kind: .notAStore, text: "", bytes: Int64(facts.size), modified: writeTime(ofFileAt: path))
  let hasStoreName = ["sqlite", "sqlite3", "store", "db", "storedata"].contains(
    (path as NSString).pathExtension.lowercased())
  // A file of the system's that has no size may keep its reader waiting. All of a store may be in its log.
  if facts.size == 0, FileFacts(ofFileAt: path + "-wal")?.size ?? 0 == 0 {
    file.text = "empty"
    return hasStoreName ? file : nil
  }
  for suffix in ["-wal", "-journal"] where path.hasSuffix(suffix) {
    let store = String(path.dropLast(suffix.count))
    if FileFacts(ofFileAt: store) != nil { return nil }
    (file.kind, file.text) = (.logWithoutStore, "log without its store")
    return file
  }
  if let log = FileFacts(ofFileAt: path + "-wal") {
    file.bytes += Int64(log.size)
    if log.size > 0 { file.modified = max(file.modified, writeTime(ofFileAt: path + "-wal")) }
  }
  do {
    try StoreConnection(path: path).read { db in
      let metadata = try db.readStoreMetadata()
      let own = try readStoreModel(db, physical: db.readPhysicalSchema(), metadata: metadata)
      file.take(metadata, recogniseStore(metadata: metadata, among: models, storeModel: own), among: models)
    }
  } catch is AtomicStoreError {
    (file.kind, file.text) = (.atomic, "Core Data, not SQLite (binary or XML)")
  } catch let error as DiagnosticsError {
    switch error.diagnostics.first?.code {
    case .notASQLiteFile?:
      // Only what is named like a store is worth a line.
      guard hasStoreName else { return nil }
      file.text = "not SQLite"
    case .notACoreDataStore?: (file.kind, file.text) = (.sqlite, "SQLite, not Core Data")
    default:
      (file.kind, file.text) = (
        .unreadable, error.diagnostics.first.map { "\($0.code): \($0.message)" } ?? "unreadable"
      )
    }
  } catch {
    (file.kind, file.text) = (.unreadable, systemReason(of: error))
  }
  return file
}

private func writeTime(ofFileAt path: String) -> Date {
  let attributes = try? FileManager.default.attributesOfItem(atPath: path)
  return attributes?[.modificationDate] as? Date ?? .distantPast
}
