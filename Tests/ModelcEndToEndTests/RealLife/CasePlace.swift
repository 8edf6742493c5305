import Foundation
import GRDB
import TestSupport
import Testing

/// A folder with models and a store, in which a case is played.
struct CasePlace {
  let folder: URL

  /// - Parameter versions: of the model `App`, as `V1`, `V2` and so on.
  static func with(
    _ versions: [String], current: String? = nil, _ body: (CasePlace) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let place = CasePlace(folder: folder)
      try place.writeModel("App", versions, current: current)
      try body(place)
    }
  }

  func url(_ path: String) -> URL { folder.appending(path: path) }
  func snapshot() throws -> FolderSnapshot { try FolderSnapshot(folder) }
  func modelc(_ arguments: String...) throws -> Modelc.Run { try Modelc.run(arguments, in: folder) }

  func write(_ text: String, to path: String) throws {
    let file = url(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func writeModel(_ name: String, _ versions: [String], current: String? = nil) throws {
    let names = versions.indices.map { "V\($0 + 1)" }
    for (version, text) in zip(names, versions) { try write(text, to: "Models/\(name)/\(version).yaml") }
    let list = names.joined(separator: ", ")
    try write(
      "current: \(current ?? names.last ?? "")\nversions: [\(list)]\n", to: "Models/\(name)/versions.yaml")
  }

  /// Makes `store.sqlite` anew.
  func makeStore(_ version: String, _ objects: String) throws {
    try removeStore()
    try write(objects, to: "objects.yaml")
    expectSuccess(
      try modelc(
        "fixture", version, "--model", "App", "--objects", "objects.yaml", "-o", "store.sqlite"))
    try FileManager.default.removeItem(at: url("objects.yaml"))
  }

  /// The same, of a model that is not one of the folder's.
  func makeStore(of model: String, _ objects: String) throws {
    try withTemporaryFolder { other in
      let maker = CasePlace(folder: other)
      try maker.writeModel("App", [model])
      try maker.makeStore("V1", objects)
      try removeStore()
      try FileManager.default.copyItem(at: maker.url("store.sqlite"), to: url("store.sqlite"))
    }
  }

  private func removeStore() throws {
    for end in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: url("store.sqlite\(end)").path) {
      try FileManager.default.removeItem(at: url("store.sqlite\(end)"))
    }
  }

  func damage(_ sql: String) throws {
    let queue = try DatabaseQueue(path: url("store.sqlite").path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  func read(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: url("store.sqlite").path)
    defer { try? queue.close() }
    return try queue.read { try String.fetchAll($0, sql: sql) }
  }

  func export(_ store: String = "store.sqlite") throws -> String {
    let run = try modelc("export", store, "--as", "yaml")
    expectSuccess(run)
    return run.stdout.trimmingCharacters(in: .newlines)
  }

  /// The store's metadata as Core Data's log prints them.
  ///
  /// - Parameter isOld: as before 2019, when data were printed whole.
  func log(ofStore store: String, isOld: Bool) throws -> String {
    let queue = try DatabaseQueue(path: url(store).path)
    defer { try? queue.close() }
    let data = try #require(try queue.read { try Data.fetchOne($0, sql: "SELECT Z_PLIST FROM Z_METADATA") })
    let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    let hashes = try #require(list?["NSStoreModelVersionHashes"] as? [String: Data])
    let lines = hashes.sorted { $0.key < $1.key }.map { name, hash in
      let digits = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      func words(_ range: Range<Int>) -> String {
        stride(from: range.lowerBound, to: range.upperBound, by: 4)
          .map { digits[$0..<$0 + 4].joined() }.joined(separator: " ")
      }
      let printed =
        isOld ? "<\(words(0..<32))>" : "{length = 32, bytes = 0x\(words(0..<16)) ... \(words(24..<32)) }"
      return "        \(name) = \(printed);"
    }
    return """
      CoreData: error: The model used to open the store is incompatible with the one used to create the store
          metadata =     {
              NSStoreModelVersionHashes =         {
      \(lines.joined(separator: "\n"))
              };
              NSStoreType = SQLite;
          };
      """
  }
}
