import Foundation
import GRDB
import TestSupport
import Testing

/// Numbers of a store that are as large, as small or as wrong as a cell can hold.
private let edits: [String] = {
  let numbers = ["9223372036854775807", "-9223372036854775808", "1e300", "x'00ff'"]
  return numbers.flatMap { number in
    var edits = [
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(number); UPDATE ZTRAIL SET Z_OPT = \(number)",
      "UPDATE ZPHOTO SET Z_FOK_VISIT = \(number); UPDATE ZSTAGE SET ZTRAIL = \(number), ZASCENT = \(number)",
      "UPDATE ZHUT SET Z_ENT = \(number), ZELEVATION = \(number); UPDATE ZVISIT SET ZDATE = \(number)",
    ]
    if Int64(number) != nil {
      let tables = ["ZHUT", "ZPHOTO", "ZSTAGE", "ZTRAIL", "ZVISIT"]
      edits.append(tables.map { "UPDATE \($0) SET Z_PK = \(number) WHERE Z_PK = 3" }.joined(separator: ";"))
    }
    return edits
  }
}()

private let commands = [
  ["inspect"], ["verify"], ["plan"], ["export", "--as", "yaml"], ["migrate"], ["migrate", "--to", "V3"],
  ["migrate", "--to", "V3", "--route", "in-place"], ["migrate", "--to", "V3", "--compact"],
  ["migrate", "-o", "out/Diary.sqlite"], ["recover"],
]

@Suite("Numbers at the end of their range end no command by a signal")
struct ExtremeNumberTests {
  @Test(arguments: edits)
  func `every command succeeds, or refuses and leaves nothing`(_ sql: String) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FolderTemplates.write("trails", to: place.url("T")) { folder in
        expectSuccess(try Modelc.run("demo", ".", in: folder))
      }
      let hostile = place.url("Hostile.sqlite")
      try FileManager.default.copyItem(at: place.url("T/Diary.sqlite.V1.backup"), to: hostile)
      try edit(hostile) { try $0.execute(sql: sql) }
      let canary = try Canary(beside: place.url("stores"))
      for command in commands {
        let (stores, store) = (place.url("stores"), place.url("stores/Diary.sqlite"))
        try? FileManager.default.removeItem(at: stores)
        try FileManager.default.createDirectory(
          at: stores.appending(path: "out"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: hostile, to: store)
        let run = try Modelc.run(
          [command[0], store.path] + command.dropFirst() + ["-C", place.url("T").path], in: stores)
        #expect([0, 1, 3, 4].contains(run.code), "\(run)")
        if run.code >= 3 {
          #expect(!run.errors.isEmpty, "\(run)")
          #expect(try Data(contentsOf: store) == Data(contentsOf: hostile))
          #expect(
            try FileManager.default.subpathsOfDirectory(atPath: stores.path).sorted() == [
              "Diary.sqlite", "out",
            ])
        }
        #expect(canary.isUntouched)
      }
    }
  }
}
