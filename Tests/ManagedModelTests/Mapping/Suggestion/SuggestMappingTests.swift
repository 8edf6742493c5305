import ManagedModel
import TestSupport
import Testing

/// Whatever inference refuses, the suggestion is a mapping model that the two versions take.
@Suite("Suggested mappings") struct SuggestMappingTests {
  private static func line(of mapping: CustomEntityMapping) -> String {
    var facts = (mapping.attributeMappings + mapping.relationshipMappings).map {
      "\($0.name): \($0.expression ?? "-")"
    }
    facts +=
      mapping.groupBy.map { "group \($0)" }
      + [mapping.filter.map { "where \($0)" }, mapping.policyName].compactMap(\.self)
    return "\(mapping.name): \(facts.joined(separator: "; "))"
  }

  private static func suggestion(
    _ old: String, _ new: String, rows: [Diagnostic] = [], dateFormats: [String: String] = [:]
  ) -> (lines: [String]?, errors: [String]) {
    let (source, destination) = (versionOf("V1", old), versionOf("V2", new))
    let refusals =
      inferMappingModel(from: source, to: destination).diagnostics.filter { $0.severity == .error } + rows
    guard let found = refusals.suggestedMapping(from: source, to: destination, dateFormats: dateFormats)
    else { return (nil, []) }
    let errors = [found].resolved(from: source, to: destination).diagnostics.filter {
      $0.severity == .error
    }
    return (found.entityMappings.map(line), errors.map { ManagedModelTests.line(of: $0) })
  }

  private static func rows(_ code: Diagnostic.Code, _ entity: String, _ property: String? = nil) -> Diagnostic
  {
    Diagnostic(code, .error, "", subject: ModelSubject(version: "V2", entity: entity, property: property))
  }

  struct Step: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(old) / \(new)" }
    var old: String
    var new: String
    var rows: [Diagnostic] = []
    var lines: [String]?
  }

  static let steps: [Step] = [
    // Every heir is mapped, the abstract parent is not.
    Step(
      old: "P, abstract\n  x: string\nA < P\nB < P", new: "P, abstract\n  x: double\nA < P\nB < P",
      lines: ["AToA: x: parseDouble($source.x)", "BToB: x: parseDouble($source.x)"]),
    Step(
      old: "A\n  x: date", new: "A\n  x: integer64", lines: ["AToA: x: trunc:(CAST($source.x, \"NSNumber\"))"]
    ),
    Step(old: "A\n  x: double", new: "A\n  x: date", lines: ["AToA: x: CAST($source.x, \"NSDate\")"]),
    Step(old: "A\n  x: uuid", new: "A\n  x: string = a", lines: ["AToA: x: CAST($source.x, \"NSString\")"]),
    // Numbers of rows: the range of the smaller type, a value for what has none.
    Step(
      old: "A\n  x: double", new: "A\n  x: integer64", rows: [rows(.numericNarrowing, "A", "x")],
      lines: ["AToA: x: trunc:($source.x)"]),
    Step(
      old: "A\n  x: double", new: "A\n  x: float", rows: [rows(.numericNarrowing, "A", "x")],
      lines: nil),
    Step(
      old: "A", new: "A\n  x: uuid", rows: [rows(.missingAttributeValues, "A", "x")],
      lines: ["AToA: x: uuid()"]),
    Step(
      old: "A\n  x: boolean?", new: "A\n  x: boolean = YES", rows: [rows(.missingAttributeValues, "A", "x")],
      lines: ["AToA: x: coalesce($source.x, TRUE)"]),
    Step(
      old: "A", new: "A\n  x: binary", rows: [rows(.missingAttributeValues, "A", "x")],
      lines: ["AToA: x: -; AMigrationPolicy"]),
    // What fills in keeps to the attribute's own rules.
    Step(
      old: "A\n  x: integer16?", new: "A\n  x: integer16, min 3",
      rows: [rows(.missingAttributeValues, "A", "x")], lines: ["AToA: x: coalesce($source.x, 3)"]),
    Step(
      old: "A\n  x: integer16?", new: "A\n  x: integer16, max 5",
      rows: [rows(.missingAttributeValues, "A", "x")], lines: ["AToA: x: coalesce($source.x, 0)"]),
    Step(
      old: "A", new: "A\n  x: integer16, max -1", rows: [rows(.missingAttributeValues, "A", "x")],
      lines: ["AToA: x: -; AMigrationPolicy"]),
    // Constraints: by the values that were there; a new constant tells nothing apart.
    Step(
      old: "A\n  x: string", new: "A, unique y\n  y: string, was x", rows: [rows(.duplicateValues, "A")],
      lines: ["AToA: group $source.x"]),
    Step(
      old: "A, unique x\n  x: string\n  y: string", new: "A, unique x, unique y\n  x: string\n  y: string",
      rows: [rows(.duplicateValues, "A")],
      lines: ["AToA: group $source.y"]),
    Step(
      old: "A", new: "A, unique x\n  x: string = a", rows: [rows(.duplicateValues, "A")],
      lines: ["AToA: AMigrationPolicy"]),
    // Objects of an entity that becomes abstract, with children and without.
    Step(
      old: "P\nA < P", new: "P, abstract\nA < P", rows: [rows(.abstractEntityWithRows, "P")],
      lines: ["AToA: ", "PToA: "]),
    Step(old: "P", new: "P, abstract", rows: [rows(.abstractEntityWithRows, "P")], lines: nil),
    // Which continues which.
    Step(old: "B, was A", new: "C, was B", lines: ["BToC: "]),
    Step(old: "A", new: "A\nB, was A", lines: ["AToB: "]),
    // Required relationships: those that had one; a policy where there was nothing.
    Step(
      old: "A\n  bs => B\nB", new: "A\n  bs => B!\nB", rows: [rows(.missingRelationshipValues, "A", "bs")],
      lines: ["AToA: where bs.@count > 0"]),
    Step(
      old: "A\nB", new: "A\n  b -> B!\nB", rows: [rows(.missingRelationshipValues, "A", "b")],
      lines: ["AToA: AMigrationPolicy"]),
    // A value goes to a new entity beside it, but to no attribute of another name that this inherits.
    Step(
      old: "A\n  v: double?", new: "A\nN\n  x: double?\n  a -> A", rows: [rows(.droppedData, "A", "v")],
      lines: ["AToA: ", "AToN: x: $source.v; a: destinationInstances(\"AToA\", $source); where v != nil"]),
    Step(
      old: "A\n  v: double?", new: "A\nP, abstract\n  x: double?\nN < P\n  a -> A",
      rows: [rows(.droppedData, "A", "v")], lines: nil),
    // Under another name only to one that has nothing else, inherited or own; under its own to any.
    Step(
      old: "A\n  v: double?", new: "A\nP, abstract\n  y: date?\nN < P\n  x: double?\n  a -> A",
      rows: [rows(.droppedData, "A", "v")], lines: nil),
    Step(
      old: "A\n  v: double?", new: "A\nN\n  x: double?\n  y: date?\n  a -> A",
      rows: [rows(.droppedData, "A", "v")], lines: nil),
    Step(
      old: "A\n  v: double?", new: "A\n  n -> N\nB\nN\n  x: double?\n  b -> B\n  c -> B",
      rows: [rows(.droppedData, "A", "v")], lines: nil),
    Step(
      old: "A\n  v: double?", new: "A\nN\n  v: double?\n  y: date?\n  a -> A",
      rows: [rows(.droppedData, "A", "v")],
      lines: ["AToA: ", "AToN: v: $source.v; a: destinationInstances(\"AToA\", $source); where v != nil"]),
    // Nothing that a mapping helps with.
    Step(old: "A", new: "A\n  x: string?", lines: nil),
    Step(
      old: "A", new: "A", rows: [rows(.pathsDiffer, "A", "x"), rows(.hierarchyMerge, "None")], lines: nil),
  ]

  @Test(arguments: steps)
  func `say what becomes of every object`(step: Step) {
    let found = Self.suggestion(step.old, step.new, rows: step.rows)
    #expect(found.lines == step.lines && found.errors == [])
  }

  @Test func `what a predicate admits is for a policy to say`() {
    var model = modelOf("A\n  x: integer16")
    let rule = ValidationPredicate(predicate: "SELF > 3", warning: "too small")
    model.entities[0].attributes[0].validation.predicates = [rule]
    let (source, destination) = (versionOf("V1", "A"), ModelVersion(name: "V2", model: model))
    let found = [Self.rows(.missingAttributeValues, "A", "x")].suggestedMapping(from: source, to: destination)
    #expect(found?.entityMappings.map(Self.line) == ["AToA: x: -; AMigrationPolicy"])
  }

  @Test func `a date is read as its texts are written`() {
    let found = Self.suggestion(
      "A\n  x: string", "A\n  x: date", dateFormats: ["A.x": "dd.MM.yyyy 'um' \"HH\""])
    #expect(
      found.lines == [#"AToA: x: parseDate($source.x, "dd.MM.yyyy 'um' \"HH\"")"#] && found.errors == [])
  }

  /// Every change of type that inference refuses, with and without a value before and after.
  @Test(arguments: ["?", ""], ["?", ""])
  func `every pair of types has an expression or a policy`(old: String, new: String) {
    let types = AttributeType.allCases.filter { ![.undefined, .objectID, .composite].contains($0) }
    var wrong: [String] = []
    for (from, to) in types.flatMap({ from in types.map { (from, $0) } }) {
      let (lines, errors) = Self.suggestion("A\n  x: \(from.name)\(old)", "A\n  x: \(to.name)\(new)")
      let opaque: Set<AttributeType> = [.binary, .transformable]
      let isRefused = from != to && !from.converts(to: to) && !opaque.isSuperset(of: [from, to])
      // A required value without a default is for the policy to give.
      let isLeft = lines?.first?.hasSuffix("Policy") == true && new.isEmpty
      if (lines != nil) != isRefused || !(errors.isEmpty || isLeft) {
        wrong.append("\(from) \(to): \(lines ?? []) \(errors)")
      }
    }
    #expect(wrong == [])
  }

  static let stated: [(String, String, [String])] = [
    ("A\n  x: string", "A\n  y: string, was x", ["AToA: y: $source.x"]), ("A", "B", ["AddB: ", "RemoveA: "]),
    ("A\n  x: integer16?", "A\n  x: double = 1.5", ["AToA: x: coalesce($source.x, 1.5)"]),
    ("A", "A\n  x: string = it's", ["AToA: x: -"]),
    ("A\n  x: string?", "A\n  x: string = it's", [#"AToA: x: coalesce($source.x, 'it\'s')"#]),
    ("A\n  x: date?", "A\n  x: date = 0", [#"AToA: x: coalesce($source.x, CAST(0.0, "NSDate"))"#]),
    (
      "A\n  x: uuid?", "A\n  x: uuid = E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
      ["AToA: x: coalesce($source.x, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F')"]
    ), ("A\n  x: uri?", "A\n  x: uri = a:b", ["AToA: x: coalesce($source.x, 'a:b')"]),
    ("A\n  x: binary?", "A\n  x: binary = AA==", ["AToA: x: $source.x"]),
    // No mapping gives it a value.
    ("A\n  x: string?", "A\n  x: string?\n  y: string?, derived canonical:(x)", ["AToA: x: $source.x"]),
    // One side of a pair says it for both.
    (
      "A\nB\n  a -> A", "A\n  bs => B.a\nB\n  a -> A.bs",
      ["AToA: ", "BToB: a: FUNCTION($manager, \"\(relationshipLookupSelector)\", \"a\", $source.a)"]
    ),
  ]

  @Test(arguments: stated)
  func `an inferred mapping as a person would write it`(old: String, new: String, lines: [String]) {
    let (source, destination) = (versionOf("V1", old), versionOf("V2", new))
    let inferred = inferMappingModel(from: source, to: destination).mappingModel
    let written = inferred.stated(from: source, to: destination)
    #expect(written.entityMappings.map(Self.line) == lines && !written.infersOthers)
  }

  @Test(arguments: [
    ("keep: first", ["A"]), ("orderBy", ["A"]), ("nullify", ["A"]), ("repoint", [String]()), ("same", []),
    ("bare keys", []),
  ])
  func `which object of a group is kept is a part of what a mapping does`(change: String, found: [String]) {
    let (source, destination) = (
      versionOf("V1", "A\n  x: string\n  y: integer16"), versionOf("V2", "A\n  x: string")
    )
    var group = CustomEntityMapping(
      name: "A", sourceEntityName: "A", destinationEntityName: "A", groupBy: ["$source.x"], keep: .last,
      orderBy: "$source.y")
    func mapping() -> MappingModel {
      let written = CustomMappingModel(
        sourceVersionName: "V1", destinationVersionName: "V2", drops: ["A.y"], entityMappings: [group])
      return [written].resolved(from: source, to: destination).mappingModel
    }
    let before = mapping()
    switch change {
    case "keep: first": group.keep = .first
    case "orderBy": group.orderBy = nil
    case "nullify": group.onDrop = .nullify
    case "repoint": group.onDrop = .repoint
    case "bare keys": (group.groupBy, group.orderBy) = (["x"], "y")
    default: break
    }
    let now = mapping()
    #expect(now.entitiesMappedDifferently(than: before, from: source, to: destination) == found)
    let read = [now.stated(from: source, to: destination)].resolved(from: source, to: destination)
    #expect(read.mappingModel.entityMappings.first?.grouping?.keep == group.keep)
  }

  /// What is written in full and read again is what was inferred, but for defaults that stand in expressions.
  @Test func `written and resolved it is the same mapping`() {
    for seed in 1...60 as ClosedRange<UInt64> {
      var drawing = RandomModel.draw(seed: seed)
      let source = ModelVersion(name: "V1", model: drawing.model)
      drawing.beginVersion()
      for _ in 0..<3 { drawing.editAtRandom() }
      let destination = ModelVersion(name: "V2", model: drawing.model)
      let (inferred, findings) = inferMappingModel(from: source, to: destination)
      guard !findings.hasErrors else { continue }
      let resolved = [inferred.stated(from: source, to: destination)].resolved(from: source, to: destination)
      let found = resolved.mappingModel.entityMappings
      let lost = inferred.entityMappings.flatMap { entity -> [String] in
        let other = found.first {
          $0.sourceEntityName == entity.sourceEntityName
            && $0.destinationEntityName == entity.destinationEntityName
        }
        return entity.attributeMappings.filter { property in
          let value = other?.propertyMapping(named: property.name)?.value
          if case .defaulted = property.value {
            return value?.isComputed != true && !Self.isBytes(property.value)
          }
          return value != property.value
        }.map { "\(entity.name) \(ManagedModelTests.line(of: $0))" }
      }
      #expect(lost == [], "seed \(seed): \(drawing.log)")
    }
  }

  /// No literal says bytes.
  private static func isBytes(_ value: PropertyMappingValue) -> Bool {
    if case .defaulted(_, .binary) = value { true } else { false }
  }
}

extension PropertyMappingValue {
  fileprivate var isComputed: Bool {
    if case .expression = self { true } else { false }
  }
}
