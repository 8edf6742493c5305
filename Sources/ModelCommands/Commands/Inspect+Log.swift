import Foundation
import ManagedModel
import PersistentStore

/// The most of a log that is read.
private let largestLog = 64 << 20

extension Inspect {
  /// What a log says of a store: which versions have the hashes that it prints.
  ///
  /// - Returns: nil where the file is no text, or prints none.
  func inspectLog(_ path: String, among models: [VersionedModel]) throws -> JSONValue? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    guard let data = try handle.read(upToCount: largestLog), !data.prefix(4096).contains(0) else {
      return nil
    }
    let found = findPrintedHashes(in: String(decoding: data, as: UTF8.self))
      .map { recogniseStore(printed: $0, among: models) }
    guard !found.isEmpty else { return nil }
    if !output.writesJSON {
      output.print(
        ([path + ": no store, but a text that prints the version hashes of one"]
          + found.flatMap { text(of: $0, hasModels: !models.isEmpty) }).shownLines)
    }
    return ["log": .string(path), "stores": .array(found.map(\.json))]
  }

  private func text(of found: PrintedRecognition, hasModels: Bool) -> [String] {
    let entities = counted(found.entityCount, "entity", plural: "entities")
    let hashes = found.isWhole ? "all their digits" : "the digits that it prints"
    guard found.versions.isEmpty else {
      let names = found.versions.map { "\($0.versionName) of \($0.modelName)" }
      return ["  \(entities): \(names.joined(separator: " or ")), by \(hashes)"]
    }
    guard let nearest = found.nearest else {
      return [
        "  \(entities): \(hasModels ? "of no known version" : "there is no model here to compare it with")"
      ]
    }
    let differing = nearest.differing.prefix(6).joined(separator: ", ")
    let more = nearest.differing.count > 6 ? " and \(nearest.differing.count - 6) more" : ""
    return [
      "  \(entities): of no known version",
      "  nearest: \(nearest.versionName) of \(nearest.modelName), \(nearest.equal) equal; different: \(differing)\(more)",
    ]
  }
}

extension PrintedRecognition {
  fileprivate var json: JSONValue {
    [
      "entities": .integer(Int64(entityCount)), "whole": .boolean(isWhole),
      "versions": .array(
        versions.map { ["model": .string($0.modelName), "version": .string($0.versionName)] }),
      "nearest": nearest.map {
        [
          "model": .string($0.modelName), "version": .string($0.versionName),
          "equal": .integer(Int64($0.equal)), "differing": .array($0.differing.map(JSONValue.string)),
        ]
      } ?? .null,
    ]
  }
}
