import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

/// What versions repeat is read and hashed once; nothing shows it.
@Suite struct SharedEntityTests {
  private static let same = """
    <entity name="Hut"><attribute name="beds" attributeType="Integer 16"/></entity>
    <entity name="Old"><attribute name="beds" attributeType="Integer 16" compressed="YES"/></entity>
    <entity name="Spot"><attribute name="at" attributeType="Composite" composite="Place"/></entity>
    <entity name="B"><relationship name="friend" maxCount="1" destinationEntity="A" inverseName="friend"/></entity>
    """

  /// Entities that stay word for word, while what they lead to changes.
  private static let versions = [
    same
      + #"<entity name="A"><relationship name="friend" maxCount="1" destinationEntity="A" inverseName="friend"/></entity>"#
      + #"<composite name="Place"><attribute name="x" attributeType="Double"/></composite>"#,
    same
      + #"<entity name="A"><relationship name="friend" destinationEntity="A" inverseName="friend"/></entity>"#
      + #"<composite name="Place"><attribute name="x" attributeType="Float"/></composite>"#,
  ]

  @Test func `versions read together are what each is alone`() throws {
    try withTemporaryFolder { folder in
      let package = folder.appending(path: "App.xcdatamodeld")
      for (number, text) in Self.versions.enumerated() {
        let version = package.appending(path: "V\(number + 1).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data("<model>\(text)</model>".utf8).write(to: version.appending(path: "contents"))
      }
      let (model, findings) = readXcodeModelPackage(at: package)
      let read = try #require(model).versions
      // Each version says it, though the text is the same.
      #expect(findings.map(\.code) == [.unknownInXcodeModel, .unknownInXcodeModel])
      #expect(read.map(\.model) == Self.versions.map { alone($0) })
      #expect(read.map(\.entityVersionHashesByName) == read.map(\.model.entityVersionHashesByName))
      for name in ["Spot", "B"] {
        #expect(Set(read.map { $0.entityVersionHashesByName[name] }).count == 2, "\(name)")
      }
    }
  }

  private func alone(_ text: String) -> ManagedObjectModel? {
    readXcodeModel(contents: Data("<model>\(text)</model>".utf8), file: "contents").model
  }
}
