import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite("Warnings about an Xcode package stand where they begin") struct ReportedWhereTheyBeginTests {
  private func version(_ name: String, scalars: [String], origin: ModelOrigin) -> ModelVersion {
    let attributes = scalars.map {
      AttributeDescription(name: $0, type: .integer16, isOptional: true, usesScalarValueType: true)
    }
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Hut", attributes: attributes)])
    return ModelVersion(name: name, model: model, origin: origin)
  }

  private func findings(_ scalars: [[String]], origin: ModelOrigin) -> [String] {
    let versions = scalars.enumerated().map {
      version("V\($0.offset + 1)", scalars: $0.element, origin: origin)
    }
    return checkModels(of: versions, minimum: .warning).filter { $0.code.description == "MC1214" }.map {
      "\($0.subject?.version ?? "") \($0.subject?.property ?? "")"
    }
  }

  @Test func `a version that repeats a fact repeats no warning, one where it comes back tells it`() {
    let scalars = [["beds"], ["beds"], ["beds", "stars"], ["stars"], ["beds", "stars"]]
    #expect(findings(scalars, origin: .xcode) == ["V1 beds", "V3 stars", "V5 beds"])
    #expect(findings([["beds"], ["beds"]], origin: .language) == ["V1 beds", "V2 beds"])
  }

  @Test(.needsFixtures) func `fifteen versions say nothing twice`() throws {
    let package = Fixtures.url("gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld")
    let versions = try #require(readXcodeModelPackage(at: package).model).versions
    let found = checkModels(of: versions, minimum: .warning).filter { $0.severity == .warning }
    let alone = versions.flatMap { checkModel(of: $0, minimum: .warning) }.filter { $0.severity == .warning }
    func facts(_ findings: [Diagnostic]) -> Set<String> {
      Set(findings.map { "\($0.code) \($0.subject?.entity ?? "").\($0.subject?.property ?? "")" })
    }
    #expect(facts(found) == facts(alone))
    #expect(found.count * 3 < alone.count, "\(found.count) of \(alone.count)")
  }
}
