import ManagedModel
import TestSupport
import Testing

@Suite("Written mappings that statements carry out") struct MappingForStatementsTests {
  static let old =
    "Hut\n  name: string\n  beds: integer16\n  photo: binary?\n  visits => Visit.hut\nVisit\n  hut -> Hut.visits"
  static let new =
    "Hut\n  title: string, was name\n  beds: string\n  photo: binary?\n  stars: integer16 = 0\n  visits => Visit.hut\nVisit\n  hut -> Hut.visits"

  private static func reduced(
    _ values: [String: String?], _ new: String = new, from old: String = old,
    relationships: [String: String?] = [:],
    edit: (inout CustomEntityMapping) -> Void = { _ in }
  ) -> [String]? {
    var mapping = CustomEntityMapping(
      name: "A", sourceEntityName: "Hut", destinationEntityName: "Hut",
      attributeMappings: values.sorted { $0.key < $1.key }.map {
        CustomPropertyMapping(name: $0.key, expression: $0.value)
      },
      relationshipMappings: relationships.map { CustomPropertyMapping(name: $0.key, expression: $0.value) })
    edit(&mapping)
    let (source, destination) = (versionOf("V1", old), versionOf("V2", new))
    let written = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2", entityMappings: [mapping])
    let resolved = [written].resolved(from: source, to: destination).mappingModel
    return resolved.mappingForStatements(from: source, to: destination).map(lines)
  }

  static let plain: [String: String?] = ["title": "$source.name", "beds": "CAST($source.beds, 'NSString')"]

  @Test func `moved columns, and whole numbers as text`() {
    #expect(
      Self.reduced(Self.plain) == [
        "transform Hut < Hut: title < name, beds < (beds as string), photo < photo, stars < =0, visits < visits -> Visit",
        "copy Visit < Visit: hut < hut -> Hut",
      ])
  }

  /// Inference, which knows no renaming here, would lose the name.
  @Test func `a value that only the mapping moves`() {
    let unnamed = Self.new.replacing("title: string, was name", with: "title: string?")
    #expect(
      Self.reduced(Self.plain, unnamed)?.first
        == "transform Hut < Hut: title < name, beds < (beds as string), photo < photo, stars < =0, visits < visits -> Visit"
    )
  }

  static let others: [(String, [String: String?], @Sendable (inout CustomEntityMapping) -> Void)] = [
    ("a computed value", plain.merging(["title": "uppercase:($source.name)"]) { $1 }, { _ in }),
    ("a value that goes nowhere", plain.merging(["photo": nil]) { $1 }, { _ in }),
    (
      "a value twice, another nowhere",
      ["title": "CAST($source.beds, 'NSString')", "beds": "CAST($source.beds, 'NSString')"], { _ in }
    ),
    // The other column has a past of its own.
    ("a value from another column", plain.merging(["photo": nil, "stars": "$source.beds"]) { $1 }, { _ in }),
    ("a filter", plain, { $0.filter = "beds > 1" }), ("a policy", plain, { $0.policyName = "P" }),
    ("groups", plain, { $0.groupBy = ["$source.name"] }),
    ("a rule for references", plain, { $0.onDrop = .cascade }),
    (
      "a relationship", plain,
      { $0.relationshipMappings = [CustomPropertyMapping(name: "visits", expression: nil)] }
    ),
    ("another source", plain, { $0.sourceEntityName = "Visit" }),
    ("no source", plain, { $0.sourceEntityName = nil }),
  ]

  @Test(arguments: others.indices)
  func `say more than statements can`(index: Int) {
    let (name, values, edit) = Self.others[index]
    #expect(Self.reduced(values, edit: edit) == nil, "\(name)")
  }

  @Test func `a text that has rules is held against them first`() {
    #expect(Self.reduced(Self.plain, Self.new.replacing("beds: string", with: "beds: string, max 9")) == nil)
  }

  /// Statements would give both the name of one file.
  @Test func `a value that two attributes take may not lie in a file`() {
    let two = "\n  copied: binary?"
    let mapping: [String: String?] = ["photo": "$source.photo", "copied": "$source.photo"]
    func models(_ more: String) -> (String, String) {
      let photo = "photo: binary?"
      return (
        Self.old.replacing(photo, with: photo + more),
        Self.new.replacing(photo, with: photo + more + two + more)
      )
    }
    let (inline, external) = (models(""), models(", external"))
    let values = Self.plain.merging(mapping) { $1 }
    #expect(Self.reduced(values, inline.1, from: inline.0) != nil)
    #expect(Self.reduced(values, external.1, from: external.0) == nil)
    let one = external.1.replacing(two + ", external", with: "")
    #expect(Self.reduced(Self.plain, one, from: external.0) != nil)
  }

  /// Whatever else inference refuses is no matter for statements.
  @Test func `a step that inference refuses for another reason`() {
    #expect(
      Self.reduced(Self.plain, Self.new.replacing("visits => Visit.hut", with: "visits -> Visit.hut")) == nil)
    let bytes = Self.new.replacing("photo: binary?", with: "photo: binary?, external")
    #expect(
      Self.reduced(Self.plain.merging(["photo": "$source.photo"]) { $1 }, bytes)
        == Self.reduced(Self.plain, bytes))
  }
}
