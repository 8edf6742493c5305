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
        // Most tests are about the first three versions, between which everything is inferred.
        try cutSample(in: folder)
        let files = FileManager.default
        try files.removeItem(at: folder.appending(path: "Diary.sqlite"))
        try files.moveItem(
          at: folder.appending(path: "Diary.sqlite.V1.backup"), to: folder.appending(path: "Diary.sqlite"))
        expectSuccess(try Modelc.run("migrate", "Diary.sqlite", in: folder))
        expectSuccess(try Modelc.run("compile", in: folder))
      }
      let stores = place.url("stores")
      try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: place.url("T/Diary.sqlite.V1.backup"), to: stores.appending(path: "Diary.sqlite"))
      return try body(place, "stores/Diary.sqlite")
    }
  }

  /// Leaves a project with the sample its versions V1 to V3.
  static func cutSample(in project: URL) throws {
    let files = FileManager.default
    for name in ["V4", "V5", "V6"] {
      try files.removeItem(at: project.appending(path: "Models/Trails/\(name).yaml"))
    }
    try files.removeItem(at: project.appending(path: "Migrations/Trails"))
    let list = project.appending(path: "Models/Trails/versions.yaml")
    let text = try String(contentsOf: list, encoding: .utf8)
    try Data(
      text.replacing("current: V6", with: "current: V3").replacing("  - V4\n  - V5\n  - V6\n", with: "").utf8
    ).write(to: list)
  }
}
