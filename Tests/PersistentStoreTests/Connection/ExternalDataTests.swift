import Foundation
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite("External data of a copied store")
struct ExternalDataTests {
  @Test func `files with Core Data's names go along, links and other files do not`() throws {
    try withTemporaryFolder { folder in
      let data = folder.appending(path: ".Diary_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      let name = UUID().uuidString
      try Data("large".utf8).write(to: data.appending(path: name))
      try Data("other".utf8).write(to: data.appending(path: "notes.txt"))
      let made = try copyExternalData(
        ofStoreAt: folder.appending(path: "Diary.sqlite").path,
        toStoreAt: folder.appending(path: "New.sqlite").path,
        workAt: folder.appending(path: ".New.sqlite.modelc-0123abcd").path)
      #expect(made?.path == folder.appending(path: ".New_SUPPORT").path)
      made?.keep()
      let support = folder.appending(path: ".New_SUPPORT").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: support) == ["_EXTERNAL_DATA"])
      let copies = folder.appending(path: ".New_SUPPORT/_EXTERNAL_DATA").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: copies) == [name])
      #expect(throws: DiagnosticsError.self) {
        try copyExternalData(
          ofStoreAt: folder.appending(path: "Diary.sqlite").path,
          toStoreAt: folder.appending(path: "New.sqlite").path,
          workAt: folder.appending(path: ".New.sqlite.modelc-0123abcd").path)
      }
    }
  }

  @Test func `a store without large values has no folder to copy`() throws {
    try withTemporaryFolder { folder in
      let made = try copyExternalData(
        ofStoreAt: folder.appending(path: "A.sqlite").path,
        toStoreAt: folder.appending(path: "B.sqlite").path,
        workAt: folder.appending(path: ".B.sqlite.modelc-0123abcd").path)
      #expect(made == nil)
    }
  }
}
