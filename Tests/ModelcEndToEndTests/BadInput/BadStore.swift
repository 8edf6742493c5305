import Foundation
import GRDB
import TestSupport
import Testing

/// A file that is not a store to migrate, how it comes to be, and what each command says of it.
struct BadStore: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var code: String
  var exit: Int32
  /// Extra arguments of `plan` and `migrate`.
  var target: [String] = []
  /// Whether `inspect` says no as well.
  var isRefusedByInspect = true
  /// Makes the store in the workplace and gives its path there.
  var make: @Sendable (Workplace) throws -> String

  static let all = [
    BadStore(testDescription: "no file", code: "MC0009", exit: 2) { place in
      try place.write("a bystander", to: "stores/other.txt")
      return "stores/none.sqlite"
    },
    BadStore(testDescription: "a folder", code: "MC0009", exit: 2) { place in
      try place.write("inside", to: "stores/folder.sqlite/file.txt")
      return "stores/folder.sqlite"
    },
    BadStore(testDescription: "an empty file", code: "MC5001", exit: 3) { place in
      try place.write("", to: "stores/empty.sqlite")
      return "stores/empty.sqlite"
    },
    BadStore(testDescription: "a text file", code: "MC5001", exit: 3) { place in
      try place.write(
        String(repeating: "Lorem ipsum dolor sit amet.\n", count: 400), to: "stores/text.sqlite")
      return "stores/text.sqlite"
    },
    BadStore(testDescription: "random bytes", code: "MC5001", exit: 3) { place in
      try place.write("", to: "stores/noise.sqlite")
      try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }).write(
        to: place.url("stores/noise.sqlite"))
      return "stores/noise.sqlite"
    },
    truncated(to: 40_000, "a store cut within its pages"),
    truncated(to: 4096 * 9, "a store cut between two pages"),
    truncated(to: 60, "a store cut within its header"),
    BadStore(testDescription: "SQLite without Core Data", code: "MC5003", exit: 3) { place in
      try place.write("", to: "stores/plain.sqlite")
      let queue = try DatabaseQueue(path: place.url("stores/plain.sqlite").path)
      try queue.write { try $0.execute(sql: "CREATE TABLE note (text); INSERT INTO note VALUES ('a')") }
      try queue.close()
      return "stores/plain.sqlite"
    },
    BadStore(testDescription: "another app's store", code: "MC5102", exit: 3, isRefusedByInspect: false) {
      place in try place.copyStore(GenuineModel.bookmarks.stores[2].path)
    },
    BadStore(
      testDescription: "another app's store without a model cache", code: "MC5102", exit: 3,
      isRefusedByInspect: false
    ) { place in
      try place.copyStore("magicalpanda+MagicalRecord/Samples/iOS/Resources/RecipeData/Recipes.sqlite")
    },
    BadStore(
      testDescription: "a target that there is not", code: "MC2101", exit: 2, target: ["--to", "Moody 7"],
      isRefusedByInspect: false
    ) { place in try place.copyStore(GenuineModel.moody.stores[0].path) },
    BadStore(testDescription: "metadata that is not a property list", code: "MC5004", exit: 3) { place in
      try edited(place, "UPDATE Z_METADATA SET Z_PLIST = x'00112233'")
    },
    BadStore(testDescription: "no metadata", code: "MC5004", exit: 3) { place in
      try edited(place, "DELETE FROM Z_METADATA")
    },
  ]

  private static func truncated(to count: Int, _ description: String) -> BadStore {
    BadStore(testDescription: description, code: "MC5001", exit: 3) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[0].path)
      let whole = try Data(contentsOf: place.url(path))
      try whole.prefix(count).write(to: place.url(path))
      return path
    }
  }

  /// Moody's first store after a statement, in one file.
  private static func edited(_ place: Workplace, _ statement: String) throws -> String {
    let path = try place.copyStore(GenuineModel.moody.stores[0].path)
    let queue = try DatabaseQueue(path: place.url(path).path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: statement)
      _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
    return path
  }
}
