import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite struct WriteXcodeModelPackageTests {
  private func version(_ name: String, after predecessor: String? = nil, entity: String = "E") -> ModelVersion
  {
    ModelVersion(
      name: name, model: ManagedObjectModel(entities: [EntityDescription(name: entity)]),
      predecessorNames: [predecessor].compactMap(\.self))
  }

  private func model(_ versions: ModelVersion..., current: String? = nil) -> VersionedModel {
    VersionedModel(
      name: "App", versions: versions, currentVersionName: current ?? versions.last?.name ?? "")
  }

  private func files(_ url: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: url.path).filter {
      !URL(filePath: $0).lastPathComponent.hasSuffix(".xcdatamodel")
    }.sorted()
  }

  @Test func `a package has all versions and the current one`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "App.xcdatamodeld")
      let whole = model(version("App"), version("App 2"), version("App 10"), current: "App 2")
      let findings = try whole.writeXcodePackage(to: url)
      #expect(findings == [])
      #expect(
        try files(url) == [
          ".xccurrentversion", "App 10.xcdatamodel/contents", "App 2.xcdatamodel/contents",
          "App.xcdatamodel/contents",
        ])
      let (read, diagnostics) = readXcodeModelPackage(at: url)
      #expect(diagnostics == [])
      #expect(read?.versions.map(\.name) == ["App", "App 2", "App 10"])
      #expect(read?.currentVersionName == "App 2")
      // Nothing is left beside it.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["App.xcdatamodeld"])
    }
  }

  @Test func `a single version needs no current one, and may be an xcdatamodel`() throws {
    try withTemporaryFolder { folder in
      for name in ["App.xcdatamodeld", "App.xcdatamodel"] {
        let url = folder.appending(path: name)
        let findings = try model(version("App")).writeXcodePackage(to: url)
        #expect(findings == [])
        #expect(readXcodeModelPackage(at: url).model?.versions.map(\.name) == ["App"])
      }
      #expect(try files(folder.appending(path: "App.xcdatamodeld")) == ["App.xcdatamodel/contents"])
      #expect(try files(folder.appending(path: "App.xcdatamodel")) == ["contents"])
    }
  }

  @Test func `a package keeps versions that the model does not have, readable or not`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "App.xcdatamodeld")
      _ = try model(version("A"), version("B"), current: "A").writeXcodePackage(to: url)
      _ = try model(version("C")).writeXcodePackage(to: url, keepsOthers: true)
      #expect(readXcodeModelPackage(at: url).model?.versions.map(\.name) == ["A", "B", "C"])
      #expect(readXcodeModelPackage(at: url).model?.currentVersionName == "A")
      let contents = url.appending(path: "B.xcdatamodel/contents")
      try Data("<<<<<<< HEAD\n".utf8).write(to: contents)
      let before = try files(url)
      let error = #expect(throws: DiagnosticsError.self) {
        try model(version("C")).writeXcodePackage(to: url)
      }
      #expect(error?.diagnostics.map(\.code.description) == ["MC2205"])
      // Stores of A are recognised as C's, whose hashes are the same.
      #expect(error?.diagnostics.first?.message.contains("has 1 version that 'App' does not") == true)
      #expect(try files(url) == before)
    }
  }

  @Test func `the only version of a package stays the current one beside another`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "App.xcdatamodeld")
      _ = try model(version("App")).writeXcodePackage(to: url)
      _ = try model(version("App")).writeXcodePackage(to: url, keepsOthers: true)
      #expect(try files(url) == ["App.xcdatamodel/contents"])
      _ = try model(version("Old")).writeXcodePackage(to: url, keepsOthers: true)
      let (read, diagnostics) = readXcodeModelPackage(at: url)
      #expect(read?.currentVersionName == "App" && read?.gateFindings == [] && diagnostics == [])
    }
  }

  @Test func `over a file of Xcode's, its form and its diagram stay`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "App.xcdatamodel")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model userDefinedModelVersionIdentifier="" type="com.apple.IDECoreDataModeler.DataModel" \
        documentVersion="1.0" lastSavedToolsVersion="8195" systemVersion="15A282b" \
        minimumToolsVersion="Xcode 7.0">
            <entity name="E" syncable="YES"/>
            <elements>
                <element name="E" positionX="-63" positionY="9" width="128" height="75"/>
            </elements>
        </model>
        """
      try Data(text.utf8).write(to: url.appending(path: "contents"))
      for name in ["elements", "layout"] { try Data("bplist00".utf8).write(to: url.appending(path: name)) }
      _ = try model(version("App")).writeXcodePackage(to: url)
      // Nothing was edited; nor were they there when the version was made.
      #expect(try files(url) == ["contents", "elements", "layout"])
      #expect(try String(contentsOf: url.appending(path: "contents"), encoding: .utf8) == text)
      try FileManager.default.removeItem(at: url.appending(path: "contents"))
      _ = try model(version("App")).writeXcodePackage(to: url)
      #expect(try files(url) == ["contents"])
    }
  }

  @Test func `an order or a branch that names do not give is a warning`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "App.xcdatamodeld")
      let unordered = try model(version("B"), version("A")).writeXcodePackage(to: url)
      #expect(unordered.map(\.code) == [.notInXcodeModel])
      let branch = model(version("A"), version("B", after: "A"), version("C", after: "A"))
      #expect(
        try branch.writeXcodePackage(to: url).map(\.message) == [
          "an '.xcdatamodeld' cannot express that 'C' follows 'A'"
        ])
    }
  }

  @Test func `what is retired is a warning until it stands beside the package`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "App.xcdatamodeld")
      var whole = model(version("A"), version("B"))
      whole.versions[0].retired = ["E.x"]
      whole.versions[1].retired = ["E.x", "F"]
      let findings = try whole.writeXcodePackage(to: url)
      #expect(findings.map(\.code) == [.notInXcodeModel])
      #expect(findings.first?.help.first?.contains("`retired: [E.x, F]`") == true)
      try Data("retired: [E.x, F]\n".utf8).write(to: folder.appending(path: "modelc.yaml"))
      #expect(try whole.writeXcodePackage(to: url) == [])
    }
  }

  @Test func `what is no place for a package is refused, and nothing is touched`() throws {
    try withTemporaryFolder { folder in
      let one = model(version("App"))
      func code(_ name: String, _ model: VersionedModel) -> [String] {
        do {
          _ = try model.writeXcodePackage(to: folder.appending(path: name))
          return []
        } catch {
          return (error as? DiagnosticsError)?.diagnostics.map(\.code.description) ?? ["\(error)"]
        }
      }
      #expect(code("App.yaml", one) == ["MC2205"])
      #expect(code("App.xcdatamodel", model(version("A"), version("B"))) == ["MC2205"])
      #expect(code("App.xcdatamodeld", model(version("A/B"))) == ["MC2107"])
      #expect(code("App.xcdatamodeld", model(version("a"), version("A"))) == ["MC2107"])
      #expect(code("App.xcdatamodeld", model(version("A", entity: "\u{1}"))) == ["MC0209"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      try Data().write(to: folder.appending(path: "F.xcdatamodeld"))
      #expect(code("F.xcdatamodeld", one) == ["MC2205"])
      #expect(code("F.xcdatamodeld/App.xcdatamodeld", one) == ["MC2206"])
      let notes = folder.appending(path: "N.xcdatamodeld")
      try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: notes.appending(path: "notes.txt"))
      #expect(code("N.xcdatamodeld", one) == ["MC2205"])
      #expect(try files(notes) == ["notes.txt"])
    }
  }
}
