import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

/// Xcode keeps no order of versions: what tells of it is asked one after the other.
@Suite struct VersionOrderTests {
  /// - Parameter versions: the body of each version's model, or what else stands between its tags.
  private func write(_ versions: KeyValuePairs<String, String>, to package: URL) throws {
    for (name, body) in versions {
      let folder = package.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let text =
        body.hasPrefix("<model") ? body : "<model userDefinedModelVersionIdentifier=\"\">\(body)</model>"
      try Data(text.utf8).write(to: folder.appending(path: "contents"))
    }
  }

  private func order(_ versions: KeyValuePairs<String, String>) throws -> (names: [String], isGuess: Bool) {
    try withTemporaryFolder { folder in
      let package = folder.appending(path: "App.xcdatamodeld")
      try write(versions, to: package)
      let model = try #require(readXcodeModelPackage(at: package).model)
      return (model.versions.map(\.name), model.isOrderGuessed)
    }
  }

  private func hut(_ attribute: String, former: String? = nil) -> String {
    let identifier = former.map { " elementID=\"\($0)\"" } ?? ""
    return
      "<entity name=\"Hut\"><attribute name=\"\(attribute)\" optional=\"YES\" attributeType=\"String\"\(identifier)/></entity>"
  }

  @Test(arguments: [
    ["App", "App 2", "App 10"], ["INaturalist", "INaturalist2.1", "INaturalist2.9", "INaturalist2.10"],
    ["OctoPod", "OctoPod v2", "OctoPod v10"], ["V1", "V2", "V3"], ["App"], ["Store_v1", "Store_v2"],
  ])
  func `names of one series say it`(_ names: [String]) throws {
    // Identifiers that say otherwise, as copied versions have them, do not.
    try withTemporaryFolder { folder in
      let package = folder.appending(path: "App.xcdatamodeld")
      for (index, name) in names.enumerated() {
        try write(
          [name: "<model userDefinedModelVersionIdentifier=\"\(100 - index)\">\(hut("a\(index)"))</model>"],
          to: package)
      }
      let model = try #require(readXcodeModelPackage(at: package).model)
      #expect(model.versions.map(\.name) == names)
      #expect(!model.isOrderGuessed)
    }
  }

  @Test func `names that are no series are a guess`() throws {
    let order = try order(["Partner 5": hut("b"), "Folio v1.4": hut("a")])
    #expect(order.names == ["Folio v1.4", "Partner 5"])
    #expect(order.isGuess)
  }

  @Test func `identifiers of their own say it, and a shared one says nothing`() throws {
    func model(_ identifier: String, _ body: String) -> String {
      "<model userDefinedModelVersionIdentifier=\"\(identifier)\">\(body)</model>"
    }
    let told = try order([
      "Partner 5": model("1.2", hut("a")), "Folio v1.4": model("1.10", hut("b")),
      "Old": model("1.3", hut("c")),
    ])
    #expect(told.names == ["Partner 5", "Old", "Folio v1.4"])
    #expect(!told.isGuess)
    let shared = try order(["Partner 5": model("1", hut("a")), "Folio v1.4": model("1", hut("b"))])
    #expect(shared.names == ["Folio v1.4", "Partner 5"] && shared.isGuess)
  }

  @Test func `former names put versions behind those that had them, and a circle says nothing`() throws {
    let told = try order(["Partner 5": hut("name"), "Folio v1.4": hut("title", former: "name")])
    #expect(told.names == ["Partner 5", "Folio v1.4"])
    let circle = try order([
      "Alpha": hut("title", former: "name"), "Beta": hut("name", former: "title"),
    ])
    #expect(circle.names == ["Alpha", "Beta"])
    let entity = try order([
      "Alpha": "<entity name=\"Cabin\" elementID=\"Hut\"/>", "Beta": "<entity name=\"Hut\"/>",
    ])
    #expect(entity.names == ["Beta", "Alpha"])
  }

  @Test func `a version that is called otherwise later came when it came`() throws {
    try Repository.with { repository in
      let package = repository.folder.appending(path: "App.xcdatamodeld")
      for (place, name) in ["Partner", "Folio", "Second"].enumerated() {
        try write([name: hut("a\(place)")], to: package)
        try repository.commit("a version")
      }
      for (old, new) in [("Partner", "Zero"), ("Zero", "First")] {
        let place = "App.xcdatamodeld/"
        try repository.git("mv", "\(place)\(old).xcdatamodel", "\(place)\(new).xcdatamodel")
        try repository.commit("another name")
      }
      let model = try #require(readXcodeModelPackage(at: package).model)
      #expect(model.versions.map(\.name) == ["First", "Folio", "Second"] && !model.isOrderGuessed)
    }
  }

  @Test func `the history in git says it before identifiers do`() throws {
    try Repository.with { repository in
      let package = repository.folder.appending(path: "App/Äpp.xcdatamodeld")
      func model(_ identifier: String, _ attribute: String) -> String {
        "<model userDefinedModelVersionIdentifier=\"\(identifier)\">\(hut(attribute))</model>"
      }
      try write(["Partner 5": model("9", "a")], to: package)
      try repository.commit("one")
      try write(["Other": model("8", "b"), "Partner 5": model("9", "a2")], to: package)
      try repository.commit("two")
      try write(["Folio v1.4": model("7", "c")], to: package)
      try repository.commit("three")
      try write(["Alpha": model("1", "d")], to: package)
      let model = try #require(readXcodeModelPackage(at: package).model)
      // What git does not have yet came last.
      #expect(model.versions.map(\.name) == ["Partner 5", "Other", "Folio v1.4", "Alpha"])
      #expect(!model.isOrderGuessed && model.currentVersionName == "Alpha")
      // What was read so goes back without a warning.
      #expect(try model.writeXcodePackage(to: package) == [])
      try repository.git("checkout", "--quiet", "--orphan", "other")
    }
  }

  @Test func `a package that was moved keeps the order of its history`() throws {
    try Repository.with { repository in
      let names = ["Launch", "Winter", "Beta"]
      for (index, name) in names.enumerated() {
        try write([name: hut("a\(index)")], to: repository.folder.appending(path: "App.xcdatamodeld"))
        try repository.commit(name)
      }
      let moved = repository.folder.appending(path: "Sources/Core.xcdatamodeld")
      try FileManager.default.createDirectory(
        at: moved.deletingLastPathComponent(), withIntermediateDirectories: true)
      try repository.git("mv", "App.xcdatamodeld", "Sources/Core.xcdatamodeld")
      func order() throws -> [String] {
        try #require(readXcodeModelPackage(at: moved).model).versions.map(\.name)
      }
      #expect(try order() == names)
      try repository.commit("moved")
      try write(["Autumn": hut("d")], to: moved)
      #expect(try order() == names + ["Autumn"])
      // A clone without the history knows only what came since.
      try repository.commit("autumn")
      try repository.git(
        "clone", "--quiet", "--depth", "1", "file://\(repository.folder.path)", "shallow")
      let cloned = repository.folder.appending(path: "shallow/Sources/Core.xcdatamodeld")
      #expect(try #require(readXcodeModelPackage(at: cloned).model).isOrderGuessed)
    }
  }

  @Test func `a current version that cannot be read is an error`() throws {
    try withTemporaryFolder { folder in
      let package = folder.appending(path: "App.xcdatamodeld")
      try write(["App": hut("a"), "App 2": "<model>"], to: package)
      let list =
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>"
      try Data(list.utf8).write(to: package.appending(path: ".xccurrentversion"))
      let (model, findings) = readXcodeModelPackage(at: package)
      #expect(model?.currentVersionName == "App")
      #expect(findings.map(\.code.description) == ["MC0201", "MC0208"])
      #expect(findings.allSatisfy { $0.severity == .error })
    }
  }
}
