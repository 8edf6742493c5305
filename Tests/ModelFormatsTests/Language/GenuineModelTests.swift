import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite(.needsFixtures) struct GenuineModelTests {
  static let models = Fixtures.all(withExtension: "xcdatamodel")

  @Test(arguments: models)
  func `every genuine model is the same model in the model language`(_ url: URL) throws {
    let model = try #require(readXcodeModelPackage(at: url).model?.versions.first?.model)
    let text = writeModel(model)
    let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
    #expect(reading.diagnostics == [])
    #expect(reading.model == model)
    #expect(reading.model?.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test(arguments: models)
  func `genuine models keep the rules`(_ url: URL) throws {
    let model = try #require(readXcodeModelPackage(at: url).model?.versions.first?.model)
    let errors = checkModel(model).filter { $0.severity == .error }.map(\.code.description)
    // That one has an empty composite on purpose.
    #expect(errors == (url.path.contains("phimage+MomXML") ? ["MC1220"] : []))
  }
}
