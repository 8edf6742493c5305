import ManagedModel
import TestSupport
import Testing

@Suite("Mapping models as values") struct MappingModelTests {
  @Test func `a value's source is what it reads, however deep`() {
    let source = PropertyMappingValue.source("x")
    let values: [PropertyMappingValue] = [
      source, .converted(source, from: .integer16, to: .double),
      .defaulted(.converted(source, from: .integer16, to: .double), .double(1)),
      .constant(nil), .constant(.string("x")), .defaulted(.constant(nil), .string("a")),
      .expression(.constant(.null)),
    ]
    #expect(values.map(\.sourceName) == ["x", "x", "x", nil, nil, nil, nil])
  }

  @Test func `references are carried from either side`() {
    let old = "A\n  bs => B.a\n  c -> A\nB\n  a -> A.bs"
    let mapping = inferMappingModel(
      from: versionOf("V1", old), to: versionOf("V2", "A\n  bs => B.x\nB\n  x -> A.bs")
    ).mappingModel
    let pairs = [("A", "bs"), ("B", "a")].map { PropertyReference(entity: $0.0, property: $0.1) }
    #expect(mapping.carriedRelationships == [pairs[0]: ["B"]])
    let taken = inferMappingModel(
      from: versionOf("V1", old), to: versionOf("V2", "A\n  x => B.a\nB\n  a -> A.x")
    ).mappingModel
    #expect(
      taken.carriedRelationships == [pairs[1]: ["A"]]
        && taken.mappings(toEntity: "A")[0].propertyMapping(named: "x")?.hasSource == true)
    #expect(
      taken.mappings(fromEntity: "B")[0].carries(sourceProperty: "a")
        && !taken.mappings(fromEntity: "A")[0].carries(sourceProperty: "bs"))
  }

  @Test func `types and keep rules have their numbers and words`() {
    #expect(
      MappingType.allCases.map { "\($0.rawValue) \($0)" } == [
        "0 undefined", "1 custom", "2 add", "3 remove", "4 copy", "5 transform",
      ])
    #expect(
      GroupingRule(keys: []).keep == .first && !GroupingRule(keys: []).statesKeep
        && GroupingRule(keys: [], keep: .first).statesKeep)
  }

  private static let written = CustomMappingModel(
    sourceVersionName: "V1", destinationVersionName: "V2", versionHashes: ["V1": ["A": "00"]],
    entityMappings: [CustomEntityMapping(name: "AToA", sourceEntityName: "A", destinationEntityName: "A")])

  @Test func `two written ones are equal that say the same, wherever they stand`() {
    var elsewhere = Self.written
    elsewhere.sourceMap = SourceMap(file: "a.yaml")
    #expect(elsewhere == Self.written && Set([elsewhere, Self.written]).count == 1)
    let edits: [(inout CustomMappingModel) -> Void] = [
      { $0.sourceVersionName = "V0" }, { $0.destinationVersionName = "V0" }, { $0.infersOthers = false },
      { $0.versionHashes = [:] },
      { $0.lookupTables = ["t": [:]] }, { $0.drops = ["A.x"] }, { $0.undecided = ["?"] },
      { $0.entityMappings[0].allowsEmpty = true },
      { $0.setReverse(Self.written) },
    ]
    let same = edits.indices.filter { index in
      var edited = Self.written
      edits[index](&edited)
      return edited == Self.written
    }
    #expect(same == [])
  }

  @Test func `the way back lies between the same versions, bound to the same hashes`() {
    var both = Self.written
    both.setReverse(CustomMappingModel(sourceVersionName: "X", destinationVersionName: "Y", drops: ["A.x"]))
    both.setReverse(CustomMappingModel(sourceVersionName: "X", destinationVersionName: "Y", drops: ["A.y"]))
    let ways = both.bothDirections.map {
      "\($0.sourceVersionName) \($0.destinationVersionName) \($0.drops) \($0.versionHashes)"
    }
    #expect(ways == ["V1 V2 [] [\"V1\": [\"A\": \"00\"]]", "V2 V1 [\"A.y\"] [\"V1\": [\"A\": \"00\"]]"])
  }
}
