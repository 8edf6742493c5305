import Foundation
import TestSupport
import Testing

/// A genuine model package of the fixtures, and the genuine stores of its versions.
struct GenuineModel: Sendable, CustomTestStringConvertible {
  var package: String
  var stores: [Store] = []

  /// A store and the version that its app wrote it with.
  struct Store: Sendable, CustomTestStringConvertible {
    var package: String
    var path: String
    var version: String

    var testDescription: String { URL(filePath: path).lastPathComponent }
  }

  var testDescription: String { name }
  var name: String { URL(filePath: package).deletingPathExtension().lastPathComponent }

  init(_ package: String, stores: KeyValuePairs<String, String> = [:]) {
    self.package = package
    self.stores = stores.map { Store(package: package, path: $0.value, version: $0.key) }
  }

  static let moody = GenuineModel(
    "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld",
    stores: [
      "Moody": "objcio+core-data/Migrations/MigrationsTests/Moody.moody",
      "Moody 2": "objcio+core-data/Migrations/MigrationsTests/Moody 2.moody",
      "Moody 3": "objcio+core-data/Migrations/MigrationsTests/Moody 3.moody",
      "Moody 4": "objcio+core-data/Migrations/MigrationsTests/Moody 4.moody",
      "Moody 5": "objcio+core-data/Migrations/MigrationsTests/Moody 5.moody",
    ])

  static let sampleModel = GenuineModel(
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld",
    stores: [
      "SampleModel": "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite",
      "SampleModel2": "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite",
    ])

  static let sampleModel3 = GenuineModel(
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld",
    stores: [
      "SampleModel3": "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3_V1.sqlite"
    ])

  static let bookmarks = GenuineModel(
    "duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld",
    stores: [
      "BookmarksModel": "\(bookmarksStores)1.sqlite", "BookmarksModel 2": "\(bookmarksStores)2.sqlite",
      "BookmarksModel 3": "\(bookmarksStores)3.sqlite", "BookmarksModel 4": "\(bookmarksStores)4.sqlite",
      "BookmarksModel 5": "\(bookmarksStores)5.sqlite",
    ])
  private static let bookmarksStores =
    "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V"

  static let syncMetadata = GenuineModel(
    "duckduckgo+BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld",
    stores: [
      "SyncMetadata 3": "duckduckgo+BrowserServicesKit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite"
    ])

  static let loopKit = GenuineModel(
    "LoopKit+LoopKit/LoopKit/Persistence/Model.xcdatamodeld",
    stores: ["Model": "LoopKit+LoopKit/LoopKitHostedTests/TestCoreData/Model.sqlite.v1.original"])

  /// From 2013: no model cache, and a rollback journal.
  static let books = GenuineModel(
    "objcio+issue-4-core-data-migration/BookMigration/Model.xcdatamodeld",
    stores: ["Model1": "objcio+issue-4-core-data-migration/BookMigration/Model1.sqlite"])

  static let withStores = [moody, sampleModel, sampleModel3, bookmarks, syncMetadata, loopKit, books]
  static let stores = withStores.flatMap(\.stores)
}

/// A folder with an adopted model in `T` and, beside it, copies of genuine stores.
struct Workplace {
  var folder: URL

  /// - Parameter packages: adopted, with default options, into the project `T`.
  static func with<Result>(_ packages: String..., body: (Workplace) throws -> Result) throws -> Result {
    try with(packages: packages, body: body)
  }

  static func with<Result>(packages: [String], body: (Workplace) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      for package in packages {
        try FolderTemplates.write(package, to: place.url("T")) { folder in
          expectSuccess(try Modelc.run("adopt", Fixtures.url(package).path, in: folder))
        }
      }
      return try body(place)
    }
  }

  /// The sample with its first three versions, in `P`.
  static func withSample<Result>(_ body: (Workplace) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FolderTemplates.write("sample", to: place.url("P")) { folder in
        expectSuccess(try Modelc.run("init", "--sample", in: folder))
        try cutSample(in: folder)
      }
      return try body(place)
    }
  }

  func modelc(_ arguments: String...) throws -> Modelc.Run { try Modelc.run(arguments, in: folder) }

  /// Copies a store with its log into a folder of its own, writable.
  ///
  /// - Returns: its path from the workplace.
  @discardableResult
  func copyStore(_ path: String, as name: String? = nil, into folderName: String = "stores") throws -> String
  {
    let target = folder.appending(path: folderName)
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let name = name ?? URL(filePath: path).lastPathComponent
    for suffix in ["", "-wal"] {
      let source = Fixtures.url(path).path + suffix
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try Data(contentsOf: URL(filePath: source)).write(to: target.appending(path: name + suffix))
    }
    return "\(folderName)/\(name)"
  }

  func url(_ path: String) -> URL { folder.appending(path: path) }
  func snapshot(_ path: String = "stores") throws -> FolderSnapshot { try FolderSnapshot(url(path)) }

  func write(_ text: String, to path: String) throws {
    let file = url(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func replace(_ old: String, with new: String, in path: String) throws {
    let text = try String(contentsOf: url(path), encoding: .utf8)
    try #require(text.contains(old), "\(path) has no '\(old)'")
    try write(text.replacing(old, with: new), to: path)
  }
}
