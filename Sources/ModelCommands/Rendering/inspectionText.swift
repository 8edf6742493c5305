import Foundation
import PersistentStore

extension StoreInspection {
  /// What a store is, as a person reads it.
  func text(path: String, hasModels: Bool) -> String {
    var lines = ["\(path): \(versionText(recognition, hasModels: hasModels))"]
    let framework = metadata.frameworkVersion.map { ", Core Data \($0) (\(era(ofFramework: $0)))" } ?? ""
    lines.append(
      "  \(Int64(byteCount).humanSize) in pages of \(pageSize), journal "
        + "\(journalMode.printable)\(framework)")
    lines.append("  UUID \(metadata.uuid.printable)")
    if let history = self.history {
      lines.append(
        "  has persistent history: \(countText(history.transactions, "transaction")), "
          + countText(history.changes, "change"))
    }
    if hasCloudKitTables {
      lines.append("  mirrors to CloudKit: \(counted(cloudKitTableNames.count, "table"))")
    }
    if let files = externalFiles {
      lines.append("  \(counted(files.count, "external file")), \(files.byteCount.humanSize)")
    }
    lines += [""] + entityLines(self)
    if !isCounted { lines.append("  (not counted: the store is large; `--count` reads all of it)") }
    if !indexes.isEmpty { lines += ["", "  indexes:"] + indexLines(self) }
    let keys = metadata.applicationValues.keys.sorted().map(\.printable)
    if !keys.isEmpty { lines += ["", "  the app's own metadata: \(keys.joined(separator: ", "))"] }
    if let near = recognition.nearest.first { lines += [""] + nearestLines(near) }
    return lines.shownLines
  }
}

/// Each entity with its objects; the bytes of a table stand at its first entity.
private func entityLines(_ inspection: StoreInspection) -> [String] {
  var listed: Set<String> = []
  let rows = inspection.entities.map { entity in
    let name = entity.tableName ?? ""
    let bytes = listed.insert(name).inserted ? inspection.tableByteCounts[name].map(\.humanSize) : nil
    return [
      entity.name, entity.tableName ?? "no table",
      entity.tableName == nil ? "" : countText(entity.count, "object"), bytes ?? "",
    ]
  }
  return TextTable(.left, .left, .right, .right, rows: rows).lines(indent: 2)
}

private func indexLines(_ inspection: StoreInspection) -> [String] {
  let rows = inspection.indexes.map { index in
    let columns = index.columnNames.isEmpty ? "an expression" : index.columnNames.joined(separator: ", ")
    return [index.name, "\(index.tableName) (\(columns))\(index.isUnique ? ", unique" : "")"]
  }
  return TextTable(.left, .left, rows: rows).lines(indent: 4)
}

private func countText(_ count: StoreInspection.RowCount, _ noun: String) -> String {
  switch count {
  case .exact(let rows): counted(rows, noun)
  case .atMost(let rows): "at most \(counted(Int(clamping: rows), noun))"
  }
}

/// By what a framework of this number writes (store-format.md 13); the systems' names are from memory.
private func era(ofFramework version: Int) -> String {
  switch version {
  case ...519: "iOS 8 or earlier"
  case ...754: "iOS 9 or 10"
  case ...976: "iOS 11 or 12"
  case ...1332: "iOS 13 to 16"
  default: "iOS 17 or later"
  }
}

private func nearestLines(_ near: NearestVersion) -> [String] {
  // No entity of the one has its name in the other.
  if near.equal == 0,
    near.differing.allSatisfy({ $0.property == nil && ($0.store == nil || $0.version == nil) })
  {
    return ["  no known version has an entity of one of these names"]
  }
  let equal = "\(near.equal) of \(near.total) \(near.total == 1 ? "entity" : "entities") equal"
  return ["  nearest: \(near.versionName) of \(near.modelName), \(equal)"]
    + near.differing.lines(besides: near.versionName, indent: 4)
}

extension [Difference] {
  /// What a store and a version say differently, side by side.
  func lines(besides version: String, indent: Int) -> [String] {
    let rows = map { difference in
      [
        difference.property.map { "\(difference.entity).\($0)" } ?? difference.entity,
        "store: \(difference.store ?? "none")", "\(version): \(difference.version ?? "none")",
      ]
    }
    return TextTable(.left, .left, .left, rows: rows).lines(indent: indent)
  }
}

private func versionText(_ recognition: Recognition, hasModels: Bool) -> String {
  if !recognition.mergedFrom.isEmpty {
    return recognition.mergedFrom.map { "\($0.versionName) of \($0.modelName)" }.joined(separator: " and ")
      + ", merged"
  }
  let names = recognition.versions.map { match in
    "\(match.versionName) of \(match.modelName)" + (match.configuration.map { ", configuration \($0)" } ?? "")
  }
  switch names.count {
  case 0: return hasModels ? "of no known version" : "a store; there is no model here to compare it with"
  case 1: return names[0] + basisText(recognition.recognisedBy)
  default:
    let alike = recognition.recognisedBy == .structure ? "tables" : "hashes"
    return names.joined(separator: " or ") + " (their \(alike) are equal)"
  }
}

/// The best evidence, computed hashes, is not mentioned.
private func basisText(_ basis: Recognition.Basis) -> String {
  switch basis {
  case .hashes, .none: ""
  case .recorded: ", by the hashes that Core Data recorded for it"
  case .modelCache: ", by the model that it contains; not all hashes agree"
  case .structure: ", by its tables; its hashes cannot be compared"
  }
}

extension FetchExplanation: JSONResult {
  /// A fetch request's SQL and SQLite's plan for it.
  func text(path: String) -> String {
    var lines = ["\(path.printable): fetch request '\(name.printable)'", ""]
    lines.append("  \(fetch.sql.printable)")
    let parameters = fetch.parameters.map { ":" + $0 }
    if !parameters.isEmpty { lines.append("  the caller binds \(parameters.joined(separator: ", "))") }
    lines += ["", "  plan:"] + plan.map { "    \($0.printable)" }
    return lines.shownLines
  }

  static let result = JSONObject<Self>("fetch", "How SQLite runs it.").adding([
    "name": .value(\.name), "entity": .value(\.entityName), "sql": .value(\.fetch.sql),
    "parameters": .value(\.fetch.parameters, "What the caller binds."),
    "plan": .value(\.plan, "SQLite's plan, a line each."),
  ])

  /// The object of `inspect STORE --fetch`.
  static let ofStore = JSONObject<(store: String, fetch: Self)>(
    "fetchResult", "A fetch request of a store's model."
  ).adding(["store": .store(\.store), "fetch": .value(\.fetch)])
}
