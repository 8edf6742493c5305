import ManagedModel
import Testing

@Suite struct CheckVersionDifferencesTests {
  private func version(
    _ name: String, after predecessor: String? = nil, _ edit: (inout EntityDescription) -> Void = { _ in }
  ) -> ModelVersion {
    var hut = EntityDescription(
      name: "Hut", attributes: [AttributeDescription(name: "beds", type: .integer16, defaultValue: "0")])
    edit(&hut)
    let lodge = EntityDescription(name: "Lodge", superentityName: "Hut")
    return ModelVersion(
      name: name, model: ManagedObjectModel(entities: [hut, lodge]),
      predecessorNames: [predecessor].compactMap(\.self))
  }

  private func findings(_ versions: [ModelVersion], current: String) -> [String] {
    let model = VersionedModel(name: "Trails", versions: versions, currentVersionName: current)
    return model.checkVersionDifferences().map { "\($0.severity) \($0.code) \($0.message)" }
  }

  @Test func `versions with other hashes need no word`() {
    let versions = [version("V1"), version("V2") { $0.attributes[0].isOptional = true }]
    #expect(findings(versions, current: "V2") == [])
  }

  @Test func `equal hashes with other facts are MC2103, against the nearest version before`() throws {
    let versions = [
      version("V1"), version("V2") { $0.attributes[0].type = .date },
      version("V3") { $0.attributes[0].defaultValue = "3" },
      version("V4") {
        $0.attributes[0].defaultValue = "4"
        $0.managedObjectClassName = "Hut"
      },
    ]
    #expect(
      findings(versions, current: "V4") == [
        "warning MC2103 'V3' has the version hashes of 'V1', but 1 detail differs",
        "warning MC2103 'V4' has the version hashes of 'V3', but 2 details differ",
      ])
    let model = VersionedModel(name: "T", versions: versions, currentVersionName: "V4")
    let last = try #require(model.checkVersionDifferences().last)
    #expect(last.subject == ModelSubject(version: "V4", entity: "Hut", key: "class"))
    #expect(last.notes.map(\.message).prefix(2) == ["Hut: class none → Hut", "Hut.beds: default 3 → 4"])
  }

  @Test func `a derived attribute with another name is an error, for stores have no such column`() {
    let versions = ["count", "cOUNT", "total"].enumerated().map { index, name in
      version("V\(index + 1)") {
        $0.attributes.append(
          AttributeDescription(name: name, type: .integer64, isOptional: true, derivationExpression: "beds"))
      }
    }
    #expect(
      findings(versions, current: "V3").map { $0.prefix { $0 != "," } } == [
        "warning MC2103 'V2' has the version hashes of 'V1'",
        "error MC2103 'V3' has the version hashes of 'V2'",
      ])
  }

  @Test func `the same version twice is MC2105 and never MC2103 too; a draft is a remark`() {
    #expect(
      findings([version("V1"), version("V2")], current: "V2") == [
        "warning MC2105 'V2' is identical to 'V1'"
      ])
    #expect(
      findings([version("V1"), version("V2")], current: "V1") == [
        "information MC2105 'V2' is identical to 'V1'"
      ])
  }

  @Test func `a hash modifier alone is MC2104, at the entity or property that has it`() throws {
    let entity = [version("V1"), version("V2") { $0.versionHashModifier = "2" }]
    #expect(
      findings(entity, current: "V2") == [
        "information MC2104 'Hut' differs from 'V1' only in its hash modifier"
      ])
    let attribute = [version("V1"), version("V2") { $0.attributes[0].versionHashModifier = "2" }]
    #expect(
      findings(attribute, current: "V2") == [
        "information MC2104 'Hut.beds' differs from 'V1' only in its hash modifier"
      ])
    let model = VersionedModel(name: "T", versions: entity, currentVersionName: "V2")
    let note = try #require(model.checkVersionDifferences().first?.notes.first?.message)
    #expect(note.hasSuffix("the rows of Hut, Lodge"))
  }

  @Test func `a hash modifier beside a change of the structure needs no word`() {
    let versions = [
      version("V1"),
      version("V2") {
        $0.versionHashModifier = "2"
        $0.attributes[0].isOptional = true
      },
    ]
    #expect(findings(versions, current: "V2") == [])
  }

  @Test func `a branch is held against the version that it leaves`() {
    let versions = [
      version("V1"), version("V2") { $0.attributes[0].isOptional = true },
      version("fix", after: "V1") { $0.versionHashModifier = "fix" },
    ]
    #expect(
      findings(versions, current: "V2") == [
        "information MC2104 'Hut' differs from 'V1' only in its hash modifier"
      ])
  }

  @Test func `versions without entities are no stores to tell apart`() {
    let versions = ["V1", "V2"].map { ModelVersion(name: $0, model: ManagedObjectModel()) }
    #expect(findings(versions, current: "V2") == [])
  }
}
