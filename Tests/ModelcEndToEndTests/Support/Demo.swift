import Foundation
import TestSupport
import Testing

extension Workplace {
  /// Runs the body beside the demo's project `T` and the store of version V1 that the demo started from:
  /// 1,000 objects of the sample model, among them 40 huts, 13 with a warden, and 25 trails.
  static func withDemo<Result>(_ body: (Workplace, _ store: String) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FolderTemplates.write("demo", to: place.url("T")) { folder in
        expectSuccess(try Modelc.run("demo", ".", in: folder))
      }
      let stores = place.url("stores")
      try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: place.url("T/Diary.sqlite.V1.backup"), to: stores.appending(path: "Diary.sqlite"))
      return try body(place, "stores/Diary.sqlite")
    }
  }
}
