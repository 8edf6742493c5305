import ManagedModel
import TestSupport
import Testing

/// Mapping models that were made without a file: what is told of them, and what they become.
@Suite("Written mappings") struct ResolveWrittenMappingTests {
  static let old = versionOf(
    "V1",
    """
    Place, abstract
      name: string
    Hut < Place
      beds: integer16 = 0
      code: string?
      spot: Point?
      visits => Visit.hut
    Visit
      text: string?
      hut -> Hut.visits
    Fax
      number: string
    composite Point
      x: double
      y: double
    """)
  static let new = versionOf(
    "V2",
    """
    Place, abstract
      name: string
      stars: integer16?
    Hut < Place
      beds: integer32 = 0
      code: string?
      at: Point?
      sum: integer64?, derived visits.@count
      cached: string?, transient
      visits => Visit.hut
    Lodge < Place
      beds: integer16?
      keeper -> Keeper!
    Visit
      note: string?, was text
      hut -> Hut.visits
    Keeper
      name: string
    composite Point
      x: double
      y: double = 1
    """)

  private static func mapping(
    _ name: String, _ source: String?, _ destination: String?, _ attributes: [String: String?] = [:],
    relationships: [String: String?] = [:], _ edit: (inout CustomEntityMapping) -> Void = { _ in }
  ) -> CustomEntityMapping {
    func properties(_ values: [String: String?]) -> [CustomPropertyMapping] {
      values.sorted { $0.key < $1.key }.map { CustomPropertyMapping(name: $0.key, expression: $0.value) }
    }
    var mapping = CustomEntityMapping(
      name: name, sourceEntityName: source, destinationEntityName: destination,
      attributeMappings: properties(attributes), relationshipMappings: properties(relationships))
    edit(&mapping)
    return mapping
  }

  private static func resolve(
    _ mappings: [CustomEntityMapping], policies: Set<String>? = nil,
    _ edit: (inout CustomMappingModel) -> Void = { _ in }
  ) -> (lines: [String], findings: [String], model: MappingModel) {
    var model = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2", entityMappings: mappings)
    edit(&model)
    let (resolved, findings) = [model].resolved(from: old, to: new, policyNames: policies)
    return (lines(of: resolved), findings.map(line), resolved)
  }

  private static func resolve(_ mapping: CustomEntityMapping) -> (lines: [String], findings: [String]) {
    let found = resolve([mapping])
    return (found.lines, found.findings)
  }

  struct Flaw: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var mapping: CustomEntityMapping
    var findings: [String]
  }

  static let flaws: [Flaw] = [
    Flaw(
      testDescription: "an unknown source", mapping: mapping("A", "Hutt", "Hut"),
      findings: ["MC4102 error Hut"]),
    Flaw(
      testDescription: "an unknown destination", mapping: mapping("A", "Hut", "Inn"),
      findings: ["MC4102 error Inn", "MC4103 warning Hut"]),
    Flaw(testDescription: "neither", mapping: mapping("A", nil, nil), findings: ["MC4108 error "]),
    Flaw(
      testDescription: "no such attribute", mapping: mapping("A", "Hut", "Hut", ["bed": "1"]),
      findings: ["MC4102 error Hut.bed"]),
    Flaw(
      testDescription: "a derived one", mapping: mapping("A", "Hut", "Hut", ["sum": "1"]),
      findings: ["MC4102 error Hut.sum"]),
    Flaw(
      testDescription: "a transient one", mapping: mapping("A", "Hut", "Hut", ["cached": "'x'"]),
      findings: ["MC4102 error Hut.cached"]),
    Flaw(
      testDescription: "a number for a composite", mapping: mapping("A", "Hut", "Hut", ["at": "1"]),
      findings: ["MC4102 error Hut.at", "MC4202 error Hut.at"]),
    Flaw(
      testDescription: "an attribute for a relationship",
      mapping: mapping("A", "Hut", "Hut", relationships: ["beds": "NULL"]),
      findings: ["MC4102 error Hut.beds"]),
    Flaw(
      testDescription: "broken text", mapping: mapping("A", "Hut", "Hut", ["code": "("]),
      findings: ["MC0101 error Hut.code"]),
    Flaw(
      testDescription: "a required value from nowhere", mapping: mapping("A", "Fax", "Keeper"),
      findings: ["MC4106 error Keeper"]),
    Flaw(
      testDescription: "said to be empty", mapping: mapping("A", "Fax", "Keeper", ["name": nil]),
      findings: ["MC4106 error Keeper.name"]),
    Flaw(
      testDescription: "a required relationship from nowhere", mapping: mapping("A", "Hut", "Lodge"),
      findings: ["MC4103 warning Hut", "MC4106 error Lodge"]),
    Flaw(
      testDescription: "which may be empty", mapping: mapping("A", "Hut", "Lodge") { $0.allowsEmpty = true },
      findings: ["MC4103 warning Hut"]),
    Flaw(
      testDescription: "which a policy gives", mapping: mapping("A", "Hut", "Lodge") { $0.policyName = "P" },
      findings: ["MC4103 warning Hut"]),
    Flaw(
      testDescription: "of a type that needs a policy",
      mapping: mapping("A", "Fax", nil) { $0.mappingType = .custom },
      findings: ["MC4108 error Fax"]),
    Flaw(
      testDescription: "an addition with a source",
      mapping: mapping("A", "Fax", nil) { $0.mappingType = .add }, findings: ["MC4108 error Fax"]),
    Flaw(
      testDescription: "a removal with a destination",
      mapping: mapping("A", "Visit", "Visit") { $0.mappingType = .remove },
      findings: ["MC4108 error Visit"]),
    Flaw(
      testDescription: "a copy of what changed",
      mapping: mapping("A", "Visit", "Visit") { $0.mappingType = .copy }, findings: ["MC4108 error Visit"]),
    Flaw(
      testDescription: "a transformation of one end",
      mapping: mapping("A", nil, "Fax") { $0.mappingType = .transform }, findings: ["MC4102 error Fax"]),
    Flaw(
      testDescription: "no type", mapping: mapping("A", "Visit", "Visit") { $0.mappingType = .undefined },
      findings: []),
    Flaw(
      testDescription: "repoint without groups", mapping: mapping("A", "Fax", nil) { $0.onDrop = .repoint },
      findings: ["MC4108 error Fax"]),
    Flaw(
      testDescription: "groups that become nothing",
      mapping: mapping("A", "Fax", nil) { $0.groupBy = ["$source.number"] },
      findings: ["MC4108 error Fax"]),
    Flaw(
      testDescription: "dropped and kept", mapping: mapping("A", "Visit", "Visit") { $0.dropsObjects = true },
      findings: ["MC4108 error Visit"]),
    Flaw(
      testDescription: "dropped on purpose", mapping: mapping("A", "Fax", nil) { $0.dropsObjects = true },
      findings: []),
    Flaw(
      testDescription: "a filter of another entity",
      mapping: mapping("A", "Fax", nil) { $0.filter = "beds > 1" }, findings: ["MC1601 error Fax"]),
  ]

  @Test(arguments: flaws)
  func `what does not fit is told at what it is about`(flaw: Flaw) {
    #expect(Self.resolve(flaw.mapping).findings == flaw.findings)
  }

  /// A tree of two entities: whichever end is set last has to hold what the other one says.
  @Test(arguments: [
    (["Docs", "Folders"], nil, ["MC4108 error Folder.down"]), (["Folders", "Docs"], nil, []),
    (["Docs", "Folders"], "P", []),
  ])
  func `the two ends of a relationship that hold other objects`(
    names: [String], policy: String?, findings: [String]
  ) {
    let old = versionOf(
      "V1",
      """
      Doc
        folder -> Folder.docs
      Folder
        docs => Doc.folder
        parent -> Folder.subs
        subs => Folder.parent
      """)
    let new = versionOf(
      "V2", "Node, abstract\n  up -> Node.down\n  down => Node.up\nDoc < Node\nFolder < Node")
    let all = [
      Self.mapping(
        "Docs", "Doc", "Doc", relationships: ["up": "destinationInstances('Folders', $source.folder)"]),
      Self.mapping(
        "Folders", "Folder", "Folder",
        relationships: ["down": "destinationInstances('Folders', $source.subs)"]
      ) { $0.policyName = policy },
    ]
    let model = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: names.compactMap { name in all.first { $0.name == name } })
    #expect(
      [model].resolved(from: old, to: new).diagnostics.map(line).filter { $0.contains("error") } == findings)
  }

  /// A one-to-one that the first mapping takes from the source: the other end asks for the objects of a sub-entity alone.
  @Test(arguments: [
    (["Pets", "Dogs", "Owners"], ["MC4108 error Owner.pet"]), (["Dogs", "Owners", "Pets"], []),
  ])
  func `an end that takes the place of the other, which is copied`(names: [String], findings: [String]) {
    let text = "Owner\n  pet -> Pet.owner\nPet\n  owner -> Owner.pet\nDog < Pet"
    let all = [
      Self.mapping("Pets", "Pet", "Pet"), Self.mapping("Dogs", "Dog", "Dog"),
      Self.mapping(
        "Owners", "Owner", "Owner", relationships: ["pet": "destinationInstances('Dogs', $source.pet)"]),
    ]
    let model = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: names.compactMap { name in all.first { $0.name == name } })
    let found = [model].resolved(from: versionOf("V1", text), to: versionOf("V2", text + "\n  x: string?"))
    #expect(found.diagnostics.map(line).filter { $0.contains("error") } == findings)
  }

  /// Both ends are of one entity: what an object's reports say, their own `boss` replaces.
  @Test(arguments: [
    (nil, ["MC4108 error Person.boss"]), ("People", ["MC4108 error Person.boss"]), ("Employees", []),
  ])
  func `the two ends of a relationship within one entity`(reports: String?, findings: [String]) {
    let text = "Person\n  boss -> Person.reports\n  reports => Person.boss\nEmployee < Person"
    var relationships = ["boss": "destinationInstances('Employees', $source.boss)"]
    relationships["reports"] = reports.map { "destinationInstances('\($0)', $source.reports)" }
    let model = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: [
        Self.mapping("People", "Person", "Person", relationships: relationships),
        Self.mapping("Employees", "Employee", "Employee"),
      ])
    let found = [model].resolved(from: versionOf("V1", text), to: versionOf("V2", text + "\n  x: string?"))
    #expect(found.diagnostics.map(line).filter { $0.contains("Person.boss") } == findings)
  }

  /// The later mapping has the last word about both ends, and what nobody wrote comes last.
  @Test(arguments: [
    (["Pets"], nil, ["MC4108 warning Pet.owner"]), (["Pets", "Owners"], nil, ["MC4108 warning Pet.owner"]),
    (["Owners", "Pets"], nil, []), (["Pets", "Owners"], "nil", []),
  ])
  func `nil at one end of a relationship`(names: [String], pets: String?, findings: [String]) {
    let text = "Owner\n  pets => Pet.owner\nPet\n  owner -> Owner.pets"
    let all = [
      Self.mapping("Pets", "Pet", "Pet", relationships: ["owner": "nil"]),
      Self.mapping("Owners", "Owner", "Owner", relationships: pets.map { ["pets": $0] } ?? [:]),
    ]
    let model = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: names.compactMap { name in all.first { $0.name == name } })
    let found = [model].resolved(from: versionOf("V1", text), to: versionOf("V2", text + "\n  x: string?"))
    #expect(found.diagnostics.map(line).filter { $0.contains("MC4108") } == findings)
  }

  @Test(arguments: ["destinationInstances($source.visits)", "destinationInstances(1, $source.visits)"])
  func `a lookup without the name of a mapping`(expression: String) {
    let found = Self.resolve(
      [Self.mapping("A", "Hut", "Hut", relationships: ["visits": expression])]
    ).findings
    #expect(found.contains("MC4203 error Hut.visits"), "\(found)")
  }

  @Test func `what is not written is as inferred, and comes after it`() {
    let found = Self.resolve([Self.mapping("Mine", "Hut", "Hut", ["code": "uppercase:($source.code)"])])
    #expect(
      found.lines == [
        "transform Hut < Hut: name < name, stars < -, beds < (beds as integer32), code < {uppercase:($source.code)}, at.x < -, at.y < =1.0, sum < -, visits < visits -> Visit",
        "add Keeper < -: name < -", "transform Place < Place: name < name, stars < -",
        "add Lodge < -: name < -, stars < -, beds < -, keeper < -",
        "transform Visit < Visit: note < text, hut < hut -> Hut",
        "remove - < Fax",
      ] && found.findings == [], "\(found.lines) \(found.findings)")
    #expect(found.model.entityMappings.map(\.name).prefix(3) == ["Mine", "IEM_Add_Keeper", "PlaceToPlace"])
  }

  static let values: [([String: String?], String)] = [
    (["code": "$source.code"], "code < code"), (["code": nil], "code < -"), (["beds": nil], "beds < =0"),
    (["beds": "$source.beds"], "beds < (beds as integer32)"),
    (["beds": "$source.beds + 1"], "beds < {$source.beds + 1}"), (["code": "$source.name"], "code < name"),
    (["at": "$source.spot"], "at.x < spot.x, at.y < spot.y"), (["at": nil], "at.x < -, at.y < =1"),
    (["at.x": "$source.spot.y"], "at.x < spot.y"),
    (["at": "$source.spot", "at.x": "2"], "at.x < {2}, at.y < spot.y"), (["code": "NULL"], "code < {nil}"),
  ]

  @Test(arguments: values)
  func `a copied value needs no expression`(attributes: [String: String?], expected: String) {
    let found = Self.resolve(Self.mapping("A", "Hut", "Hut", attributes))
    #expect(found.lines[0].contains(expected) && found.findings == [], "\(found)")
  }

  @Test func `a relationship may be followed, computed, or left empty`() {
    let follow = "FUNCTION($manager, \"\(relationshipLookupSelector)\", \"visits\", $source.visits)"
    let lines = [follow, "destinationInstances(\"VisitToVisit\", $source.visits)", nil].map { text in
      Self.resolve(Self.mapping("A", "Hut", "Hut", relationships: ["visits": text])).lines[0].split(
        separator: ", "
      ).last
    }
    #expect(lines == ["visits < visits -> Visit", "$source.visits)}", "visits < -"])
  }

  @Test func `what is said of several mappings`() {
    let low = Self.mapping("Low", "Hut", "Hut", ["stars": "1"]) { $0.filter = "beds < 5" }
    let high = Self.mapping("High", "Hut", "Lodge") { ($0.filter, $0.allowsEmpty) = ("beds >= 5", true) }
    #expect(Self.resolve([low, high]).findings == ["MC4107 warning Lodge"])
    let twice = [Self.mapping("A", "Visit", "Visit"), Self.mapping("B", "Visit", "Visit")]
    #expect(Self.resolve(twice).findings == ["MC4103 error Visit"])
    #expect(Self.resolve([twice[0], Self.mapping("A", "Fax", nil)]).findings == ["MC4103 error Fax"])
    let without = Self.resolve([Self.mapping("A", "Visit", "Visit")]) { $0.infersOthers = false }
    #expect(without.findings == ["MC4103 warning Hut", "MC4104 warning Fax", "MC4104 warning Hut"])
    #expect(
      without.lines.filter { $0.hasPrefix("remove") } == [
        "remove - < Fax", "remove - < Place", "remove - < Hut",
      ])
  }

  static let facts: [(String, [String])] = [
    ("drops Hut.code", []), ("drops Hut.none", ["MC4102 error "]), ("drops Hut", ["MC4102 error "]),
    ("drops .", ["MC4102 error "]),
    ("undecided which one?", ["MC4111 error "]), ("hash V1 Fax", []), ("hash V1 None", ["MC4101 error "]),
    ("hash V3 Fax", ["MC4101 error "]),
  ]

  @Test(arguments: facts)
  func `what the whole says is held against the versions`(fact: String, findings: [String]) {
    let parts = fact.split(separator: " ").map(String.init)
    let hash = Self.old.entityVersionHashesByName["Fax"]?.hexadecimal.prefix(16).uppercased()
    let found = Self.resolve([Self.mapping("A", "Fax", nil)]) { model in
      switch parts[0] {
      case "drops": model.drops = [parts[1]]
      case "undecided": model.undecided = [fact]
      default: model.versionHashes = [parts[1]: [parts[2]: hash ?? ""]]
      }
    }
    #expect(found.findings == findings)
  }

  @Test func `what is dropped on purpose is known of each mapping, inherited or not`() {
    let found = Self.resolve([Self.mapping("A", "Hut", "Hut")]) {
      $0.drops = ["Hut.code", "Place.name", "Fax.number", "Visit"]
    }
    let dropped = found.model.entityMappings.map {
      "\($0.sourceEntityName ?? "-") \(($0.droppedProperties ?? ["all"]).sorted())"
    }
    #expect(
      dropped.contains("Hut [\"code\", \"name\"]") && dropped.contains("Place [\"name\"]")
        && dropped.contains("Fax [\"number\"]"))
    let xcodes = Self.resolve([Self.mapping("A", "Hut", "Hut")]) { $0.infersOthers = false }
    #expect(xcodes.model.entityMappings.map { $0.droppedProperties == nil }.prefix(2) == [true, false])
  }

  @Test(arguments: [
    ("HutPolicy", ["App.HutPolicy"], true), ("HutPolicy", [], false), ("A.HutPolicy", ["B.HutPolicy"], false),
  ])
  func `a policy has to be registered, once anybody asks`(name: String, registered: [String], isKnown: Bool) {
    let mapping = Self.mapping("A", "Hut", "Hut") { $0.policyName = name }
    let found = Self.resolve([mapping], policies: Set(registered))
    #expect(
      found.findings == (isKnown ? [] : ["MC4201 error Hut"])
        && found.model.entityMappings[0].mappingType == .custom)
    #expect(Self.resolve([mapping]).findings == [])
  }

  /// Xcode's mapping models ship with leftovers; in other files such a name is an error.
  @Test func `mappings of entities that are gone are left out with one warning`() {
    let gone = [
      Self.mapping("A", "Hutt", "Hut"), Self.mapping("B", "Visit", "Visitt"), Self.mapping("C", nil, "None"),
      Self.mapping("D", "Visit", "Visit"),
    ]
    let xcodes = Self.resolve(gone) { $0.infersOthers = false }
    #expect(
      xcodes.findings.filter { $0.contains("MC4102") } == ["MC4102 warning "]
        && xcodes.model.entityMappings[0].name == "D")
    #expect(Self.resolve(gone).findings.filter { $0.contains("MC4102") }.count == 3)
    // Those that are not shown are counted.
    var many = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: (0..<22).map { Self.mapping("M\($0)", "Gone\($0)", "Hut") })
    many.infersOthers = false
    let (_, found) = [many].resolved(from: Self.old, to: Self.new, policyNames: nil)
    let notes = found.first { $0.code.description == "MC4102" }?.notes ?? []
    #expect(notes.count == 21 && notes.last?.message == "and 2 more")
  }

  @Test func `a name that is taken gets a number`() {
    var taken: Set = ["A", "A2"]
    let names = (0..<3).map { _ in uniqueName("A", &taken) }
    #expect(names == ["A3", "A4", "A5"] && uniqueName("B", &taken) == "B" && taken.contains("A5"))
  }
}
