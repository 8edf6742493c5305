import Foundation
import ManagedModel
import PersistentStore

extension Inspect {
  /// What a store's persistent history tells.
  func showHistory(of path: String, among models: [VersionedModel]) throws -> JSONValue {
    let history = try openStore(path, among: models).read { db in try StoreHistory(db) }
    guard let history else {
      throw UsageError(
        .fileUnreadable, "'\(path)' keeps no persistent history",
        help: ["an app turns it on with NSPersistentHistoryTrackingKey"])
    }
    if !output.writesJSON { output.print(text(history, of: path)) }
    return StoreHistory.result.json(of: (path, history))
  }

  private func text(_ history: StoreHistory, of path: String) -> String {
    var lines = [
      "\(path): \(counted(history.transactions, "transaction")), \(counted(history.changes, "change")), \(history.bytes.humanSize)"
    ]
    guard let first = history.first, let last = history.last else { return lines.shownLines }
    let days = max(last.timeIntervalSince(first) / 86_400, 1)
    lines.append("  from \(first.formatted(.iso8601)) to \(last.formatted(.iso8601))")
    lines.append("  \(Int64(Double(history.bytes) / days).humanSize) a day")
    let writers = history.writers.map { writer in
      [
        writer.author ?? "no author", writer.bundle ?? "", counted(writer.transactions, "transaction"),
        counted(writer.changes, "change"), "until \(writer.last.formatted(.iso8601))",
      ]
    }
    lines += ["", "  who saved:"]
    lines += TextTable(.left, .left, .right, .right, .left, rows: writers).lines(indent: 4)
    let entities = history.entities.map {
      [$0.entity, "\($0.inserted) inserted", "\($0.updated) updated", "\($0.deleted) deleted"]
    }
    lines += ["", "  of what:"] + TextTable(.left, .right, .right, .right, rows: entities).lines(indent: 4)
    let saves = history.days.prefix(10).map {
      [$0.day, counted($0.transactions, "transaction"), counted($0.changes, "change")]
    }
    lines +=
      ["", "  the last days with saves:"] + TextTable(.left, .right, .right, rows: saves).lines(indent: 4)
    if history.isMirrored {
      lines += ["", "  CloudKit mirroring reads the history: what it has not exported yet must stay"]
    } else if days > 60 {
      let day = last.addingTimeInterval(-30 * 86_400).formatted(.iso8601.year().month().day())
      let command = "`modelc repair --purge-before \(day) \(path.shellWord)`"
      lines += ["", "  what dropping all but its last 30 days would give back: \(command)".runnable]
    }
    return lines.shownLines
  }
}

extension StoreHistory {
  /// The object of `inspect STORE --history`.
  static let result = JSONObject<(store: String, history: Self)>(
    "storeHistory", "What persistent history shows."
  ).adding([
    "store": .store(\.store), "transactions": .value(\.history.transactions),
    "changes": .value(\.history.changes),
    "bytes": .value({ Int($0.history.bytes) }, "Of its tables and indexes."),
    "isMirrored": .value(\.history.isMirrored, "Whether CloudKit mirroring reads it."),
    "writers": .list(\.history.writers, of: writer, "Who saved, the most transactions first."),
    "entities": .list(\.history.entities, of: changedObjects, "What was changed, the most first."),
    "days": .list(\.history.days, of: day, "The last thirty days with saves, in UTC, the latest first."),
  ])

  private static let writer = JSONObject<Writer>("historyWriter", "An author in a program.").adding([
    "author": .optional(\.author, "As the app has set it."),
    "bundle": .optional(\.bundle, "The program's identifier."),
    "transactions": .value(\.transactions), "changes": .value(\.changes),
    "first": .value({ $0.first.formatted(.iso8601) }, "Of its transactions."),
    "last": .value({ $0.last.formatted(.iso8601) }),
  ])
  private static let changedObjects = JSONObject<Changes>(
    "historyChanges", "How often objects of an entity were changed."
  ).adding([
    "entity": .value(\.entity), "inserted": .value(\.inserted), "updated": .value(\.updated),
    "deleted": .value(\.deleted),
  ])
  private static let day = JSONObject<Day>("historyDay", "A day.")
    .adding(["day": .value(\.day), "transactions": .value(\.transactions), "changes": .value(\.changes)])
}
