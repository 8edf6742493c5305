import Foundation
import TestSupport
import Testing

@Suite("XML and binary stores are named and refused", .needsFixtures)
struct AtomicStoreTests {
  /// Mapping models are stores of Core Data's XML type, written by Xcode.
  static let genuine =
    "objcio+issue-4-core-data-migration/BookMigration/Model1_to_Model2.xcmappingmodel/xcmapping.xml"

  /// The commands that meet such a file.
  private func expectRefusals(_ place: Workplace, _ path: String, _ words: [String]) throws {
    let before = try place.snapshot()
    for arguments in [
      ["inspect"], ["verify"], ["plan"], ["migrate"], ["migrate", "-o", "stores/new.sqlite"],
    ] {
      let run = try Modelc.run(arguments + [path, "-C", "T"], in: place.folder)
      expectRefusal(run, "MC5005", exit: 3)
      #expect(run.stderr.contains("Core Data: 134000"), "\(run)")
      #expect(!run.stderr.contains("not a SQLite file"))
      for word in words { #expect(run.stderr.contains(word), "\(run)") }
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `a genuine XML store`() throws {
    try Workplace.with(GenuineModel.books.package) { place in
      let path = try place.copyStore(Self.genuine)
      try expectRefusals(
        place, path, ["an XML store", "5 entities, written by Core Data 481", "it matches no known version"])
    }
  }

  @Test(arguments: ["XML", "Binary"])
  func `a store of a version at hand is named by it`(_ type: String) throws {
    try Workplace.with(GenuineModel.books.package) { place in
      let hashes = try versionHashes(of: Fixtures.url(GenuineModel.books.stores[0].path))
      let metadata: [String: Any] = [
        "NSStoreType": type, "NSStoreModelVersionHashes": hashes, "NSPersistenceFrameworkVersion": 419,
      ]
      let format: PropertyListSerialization.PropertyListFormat = type == "XML" ? .xml : .binary
      let list = try PropertyListSerialization.data(fromPropertyList: metadata, format: format, options: 0)
      let bytes = type == "XML" ? try xmlStore(list) : binaryStore(list)
      try place.write("", to: "stores/library.store")
      try bytes.write(to: place.url("stores/library.store"))
      let words = [
        type == "XML" ? "an XML store" : "a binary store", "it is 'Model1' of 'Model'", "Core Data 419",
      ]
      try expectRefusals(place, "stores/library.store", words)
      printCase(
        42, "a store of type \(type)", "every command", "MC5005 names its version and the way to SQLite")
    }
  }

  @Test func `one whose metadata cannot be read is recognised all the same`() throws {
    try Workplace.with(GenuineModel.books.package) { place in
      try place.write("", to: "stores/library.store")
      try Data("CoreData".utf8 + Array(repeating: 0xFF, count: 80)).write(
        to: place.url("stores/library.store"))
      try expectRefusals(place, "stores/library.store", ["a binary store", "its metadata cannot be read"])
    }
  }

  private func xmlStore(_ list: Data) throws -> Data {
    let text = String(decoding: list, as: UTF8.self)
    let plist = try #require(text.firstRange(of: "<plist")).lowerBound
    return Data(
      """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>7D98AAB8-73B4-4089-86E8-0A4600AC80FE</UUID>
              <nextObjectID>101</nextObjectID>
              <metadata>
                  \(text[plist...])
              </metadata>
          </databaseInfo>
          <object type="BOOK" id="z101"></object>
      </database>
      """.utf8)
  }

  /// A header of 64 bytes, objects, metadata.
  private func binaryStore(_ list: Data) -> Data {
    func bigEndian(_ number: Int) -> Data {
      Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }
    let objects = Data("bplist00".utf8)
    return Data("CoreData".utf8) + bigEndian(1) + bigEndian(64 + objects.count) + bigEndian(list.count)
      + bigEndian(64) + bigEndian(objects.count) + bigEndian(101) + bigEndian(0) + objects + list
  }
}
