import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite("Mapping models beside their versions") struct ResolveMappingModelTests {
  private static let old = version(
    "V1",
    """
    entities:
      Place: {abstract: true, attributes: {name: string, code: string?}}
      Hut:
        parent: Place
        attributes: {beds: integer16 = 0, warden: string?, opened: date?, key: uuid?}
        relationships: {visits: {toMany: Visit, inverse: hut}}
      Visit:
        attributes: {date: date, text: string?}
        relationships: {hut: {to: Hut, inverse: visits}}
      Fax: {attributes: {number: string}}
    """)
  private static let new = version(
    "V2",
    """
    entities:
      Place: {abstract: true, attributes: {name: string, code: string?, stars: integer16?}}
      Hut:
        parent: Place
        attributes: {beds: integer32 = 0, region: string, opened: date?, key: uuid?, visitCount: {type: integer64?, derivation: visits.@count}}
        relationships: {visits: {toMany: Visit, inverse: hut}, keeper: {to: Warden, inverse: huts}}
      Summit: {parent: Place, attributes: {height: double?}}
      Visit:
        attributes: {date: date, note: {type: string?, renamingIdentifier: text}}
        relationships: {hut: {to: Hut, inverse: visits, optional: false}}
      Warden:
        attributes: {name: string}
        relationships: {huts: {toMany: Hut, inverse: keeper}}
    """)

  private static func version(_ name: String, _ yaml: String) -> ModelVersion {
    let reading = readModel(yaml: Data(yaml.utf8), file: "\(name).yaml")
    return ModelVersion(
      name: name, model: reading.model ?? ManagedObjectModel(), sourceMap: reading.sourceMap)
  }

  private func resolve(
    _ mappings: String, policies: Set<String>? = nil
  ) -> (mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    let reading = readMappingFile(yaml: Data("from: V1\nto: V2\n\(mappings)".utf8), file: "V1-V2.yaml")
    let (model, found) = reading.mappingModels.resolved(from: Self.old, to: Self.new, policyNames: policies)
    return (model, reading.diagnostics + found)
  }

  /// A mapping of huts that is right, with lines more.
  private func huts(_ lines: String, region: String = "$source.name") -> String {
    "entityMappings:\n  HutToHut:\n    source: Hut\n    destination: Hut\n"
      + "    attributes: {region: \(region)}\n\(lines)"
  }

  @Test func `what is not written is completed`() throws {
    let (model, diagnostics) = resolve(
      """
      entityMappings:
        HutToWarden: {source: Hut, destination: Warden, where: warden != nil, groupBy: $source.warden, attributes: {name: $source.warden}}
        HutToHut:
          source: Hut
          destination: Hut
          attributes:
            region: lookup("regions", $source.code)
          relationships:
            keeper: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "HutToWarden", $source)
      lookups: {regions: {VS: Vallais, TI: Ticino, GR: Grisons}}
      """)
    #expect(diagnostics == [])
    #expect(
      model.entityMappings.map(\.name) == [
        "HutToWarden", "HutToHut", "PlaceToPlace", "IEM_Add_Summit", "VisitToVisit", "IEM_Remove_Fax",
      ])
    let warden = try #require(model.entityMappings.first)
    #expect(warden.onDrop == .repoint && warden.mappingType == .transform)
    #expect(warden.grouping?.keys.map(\.description) == ["$source.warden"])
    let hut = model.entityMappings[1]
    // The inherited attributes, a number of another type, the relationship of the same name.
    #expect(hut.propertyMapping(named: "name")?.value == .source("name"))
    #expect(
      hut.propertyMapping(named: "beds")?.value
        == .converted(.source("beds"), from: .integer16, to: .integer32))
    #expect(hut.propertyMapping(named: "stars")?.value == .constant(nil))
    #expect(hut.propertyMapping(named: "visits")?.value == .source("visits"))
    #expect(hut.propertyMapping(named: "visits")?.reachableEntities == ["Visit"])
    let keeper = try parseExpression(#"destinationInstances("HutToWarden", $source)"#)
    #expect(hut.propertyMapping(named: "keeper")?.value == .expression(keeper))
    let region = try parseExpression(
      """
      lookup:found:($source.code, TERNARY($source.code IN {"GR"}, TERNARY($source.code == "GR", "Grisons", NULL), \
      TERNARY($source.code IN {"TI"}, TERNARY($source.code == "TI", "Ticino", NULL), \
      TERNARY($source.code == "VS", "Vallais", NULL))))
      """)
    #expect(hut.propertyMapping(named: "region")?.value == .expression(region))
    let visit = model.entityMappings[4]
    #expect(visit.propertyMapping(named: "note")?.value == .source("text"))
    #expect(visit.propertyMapping(named: "hut")?.reachableEntities == ["Hut"])
  }

  @Test func `without inference a source without a mapping goes`() {
    let (model, diagnostics) = resolve("inferred: false\n" + huts(""))
    #expect(
      model.entityMappings.map(\.name) == [
        "HutToHut", "IEM_Add_Place", "IEM_Add_Summit", "IEM_Add_Visit", "IEM_Add_Warden", "IEM_Remove_Fax",
        "IEM_Remove_Place", "IEM_Remove_Visit",
      ])
    #expect(Set(diagnostics.map(\.code.description)) == ["MC4103", "MC4104"])
    #expect(!diagnostics.hasErrors)
  }

  @Test func `of one source many can come, each with a part`() throws {
    let (model, diagnostics) = resolve(
      """
      entityMappings:
        Low: {source: Hut, destination: Hut, where: beds < 10, attributes: {region: $source.name}}
        High: {source: Hut, destination: Summit, where: beds >= 10}
        Fax: {source: Fax, drop: true}
      """)
    #expect(diagnostics == [])
    #expect(model.mappings(fromEntity: "Hut").map(\.name) == ["Low", "High"])
    // Only what became a hut is still a visit's hut.
    #expect(
      model.mappings(toEntity: "Visit").first?.propertyMapping(named: "hut")?.reachableEntities == ["Hut"])
    #expect(model.mappings(fromEntity: "Fax").map(\.dropsObjects) == [true])
  }

  /// Mapping file without its two first lines, code, line and column in the file.
  static let wrong: [(String, String, Int, Int)] = [
    ("entityMappings:\n  A: {source: Hutt, destination: Hut}\n", "MC4102", 4, 15),
    ("entityMappings:\n  A: {source: Hut, destination: Hot}\n", "MC4102", 4, 33),
    ("entityMappings:\n  A: {userInfo: {a: b}}\n", "MC4108", 4, 3),
    ("entityMappings:\n  A:\n    source: Fax\n    where: nummer == '1'\n", "MC1601", 6, 12),
    ("entityMappings:\n  A:\n    source: Fax\n    where: number == \n", "MC0101", 6, 21),
    ("entityMappings:\n  A:\n    source: Fax\n    where: $source.number == '1'\n", "MC4205", 6, 12),
    ("entityMappings:\n  A:\n    source: Fax\n    where: lookup('t', number) == '1'\n", "MC4203", 6, 12),
    (
      "lookups: {t: {a: b}}\nentityMappings:\n  A:\n    source: Hut\n    where: lookup('t', beds) == 'b'\n",
      "MC4202", 7, 12
    ),
    (
      "lookups: {r: {a: b}}\nentityMappings:\n  A:\n    source: Fax\n    where: lookup('r', lookup('t', number)) == 'b'\n",
      "MC4203", 7, 12
    ),
    ("entityMappings:\n  A: {source: Hut, where: visits == nil}\n", "MC1602", 4, 27),
    ("entityMappings:\n  A: {source: Fax, onDrop: repoint}\n", "MC4108", 4, 28),
    ("entityMappings:\n  A: {source: Fax, type: add}\n", "MC4108", 4, 26),
    ("entityMappings:\n  A: {source: Fax, type: copy}\n", "MC4108", 4, 26),
    ("entityMappings:\n  A: {source: Fax, groupBy: number}\n", "MC4108", 4, 29),
    ("entityMappings:\n  A: {source: Visit, destination: Visit, drop: true}\n", "MC4108", 4, 48),
    (
      "entityMappings:\n  A: {source: Visit, destination: Visit, groupBy: text, keep: most}\n", "MC0004", 4,
      63
    ),
    (
      "entityMappings:\n  A: {source: Visit, destination: Visit, groupBy: [text, hut.visits]}\n", "MC4202", 4,
      58
    ),
    ("entityMappings:\n  A: {source: Visit, destination: Visit, groupBy: now()}\n", "MC4207", 4, 51),
    ("entityMappings:\n  A: {source: Visit, destination: Visit, policy: VisitPolice}\n", "MC4201", 4, 50),
    ("entityMappings:\n  A: {source: Visit, destination: Visit, type: custom}\n", "MC4108", 4, 48),
    (
      "entityMappings:\n  A: {source: Visit, destination: Visit}\n  B: {source: Visit, destination: Visit}\n",
      "MC4103", 5, 3
    ),
    ("versionHashes: {V1: {Hut: 0123456789abcdef}}\n", "MC4101", 3, 1),
    ("versionHashes: {V9: {Hut: 0123456789abcdef}}\n", "MC4101", 3, 1),
    ("versionHashes: {V1: {Hut: 0123}}\n", "MC0004", 3, 27),
  ]

  @Test(arguments: wrong)
  func `what does not fit is said where it stands`(_ text: String, _ code: String, _ line: Int, _ column: Int)
  {
    let (_, diagnostics) = resolve(text, policies: ["App.VisitPolicy"])
    let places = diagnostics.filter { $0.code.description == code }.map(\.place?.start)
    #expect(places == [SourceLocation(line: line, column: column)], "\(diagnostics)")
    #expect(diagnostics.allSatisfy { $0.code.description == code || $0.severity < .error }, "\(diagnostics)")
  }

  /// The value expression of `Hut.region` in line 7, column 24, and what is wrong with it.
  static let expressions: [(String, String)] = [
    ("$source.nam", "MC1601"), ("$sauce.name", "MC4205"), ("$source.beds", "MC4202"),
    ("$source.visits.text", "MC4202"), ("$source", "MC4202"), ("$source.objectID", "MC4202"),
    ("$source.opened", "MC4202"),
    ("lookup('regions', $source.name)", "MC4203"),
    ("destinationInstances('VisitToVisits', $source.visits)", "MC4203"),
    ("FUNCTION($entityPolicy, 'region:', $source.name)", "MC4204"),
    ("FUNCTION($manager, 'forget:', $source.name)", "MC4204"),
    ("FUNCTION($source.name, 'uppercaseString')", "MC4204"),
    ("CAST(random(), 'NSString')", "MC4207"),
    ("TERNARY($source.visits.text == 'x', 'a', 'b')", "MC1602"),
    ("TERNARY($source.name > 1, 'a', 'b')", "MC1605"),
    ("$destination.nam", "MC1601"), ("uppercase:($source.name", "MC0101"), ("upper:($source.name)", "MC0102"),
    ("uppercase:($source.beds)", "MC1605"), ("trim($source.opened)", "MC1605"),
    ("uppercase:($source.name, 1)", "MC0104"), ("", "MC4106"), ("NULL", ""), ("$source.code", ""),
    ("concat($source.name, ' ', $destination.code)", ""), ("$source.visits[FIRST].text", ""),
  ]

  @Test(arguments: [
    ("$source", "name", "$source.name"), ("$source.beds + 1", "name", "($source.beds + 1).name"),
    ("$source", "any", "$source.#any"),
  ])
  func `a call of key-value coding is refused with the key path that it stands for`(
    _ receiver: String, _ key: String, _ path: String
  ) {
    let (_, found) = resolve(huts("", region: "\"FUNCTION(\(receiver), 'valueForKey:', '\(key)')\""))
    #expect(found.map(\.code.description) == ["MC4204"], "\(found)")
    #expect(found.first?.help.contains("write the key path '\(path)'") == true, "\(found)")
  }

  @Test(arguments: expressions)
  func `expressions are held against both models`(_ text: String, _ code: String) {
    let mapping =
      "entityMappings:\n  HutToHut:\n    source: Hut\n    destination: Hut\n    attributes: {region: \"\(text)\"}\n"
    let (_, diagnostics) = resolve(text.isEmpty ? mapping.replacing("\"\"", with: "") : mapping)
    #expect(Set(diagnostics.map(\.code.description)) == (code.isEmpty ? [] : [code]), "\(diagnostics)")
    #expect(diagnostics.allSatisfy { $0.place?.file == "V1-V2.yaml" && $0.place?.start.line == 7 })
  }

  @Test(arguments: [("$source.beds", true), ("$source.opened", false)])
  func `a text function of a number says how to get its digits`(argument: String, isNumber: Bool) {
    let (_, diagnostics) = resolve(huts("", region: "\"uppercase:(\(argument))\""))
    #expect(Set(diagnostics.map(\.code.description)) == ["MC1605"], "\(diagnostics)")
    #expect(
      Set(diagnostics.flatMap(\.help))
        == (isNumber ? [#"'CAST(number, "NSString")' gives a number's digits"#] : []))
  }

  @Test(arguments: [
    ("stars: 40000", "MC4202", ""), ("stars: 2.5", "MC4202", "trunc"), ("stars: 1 + 2", "", ""),
    ("key: \"'no key'\"", "MC4202", ""), ("opened: 2024-01-01", "MC4202", "parseDate"),
    ("stars: \"$source.visits[FIRST]\"", "MC4202", ""),
    ("stars: \"TERNARY($source.beds > 1, 1, $source.name)\"", "MC4202", "parseInt($source.name)"),
    ("stars: \"coalesce($source.beds, TERNARY($source.beds > 1, $source.code, 1))\"", "MC4202", "parseInt"),
    ("key: \"coalesce($source.key, $source.code)\"", "", ""),
  ])
  func `what no object could take is found in the file`(attribute: String, code: String, help: String) {
    let (_, diagnostics) = resolve(huts("", region: "$source.name, \(attribute)"))
    #expect(diagnostics.map(\.code.description) == (code.isEmpty ? [] : [code]), "\(diagnostics)")
    #expect(diagnostics.flatMap(\.help).joined().contains(help) || help.isEmpty, "\(diagnostics)")
    #expect(!diagnostics.flatMap(\.help).joined().contains("CAST"))
  }

  @Test func `values of a table are texts where they are no numbers, and the help says how to read them`() {
    let (_, diagnostics) = resolve(
      huts(
        "lookups: {t: {VS: 2024-01-31T10:00:00Z}}\n",
        region: "$source.name, opened: \"lookup('t', $source.code)\""))
    #expect(diagnostics.flatMap(\.help) == [#"write 'parseDate(lookup("t", $source.code), "iso8601")'"#])
  }

  static let relationships: [(String, String)] = [
    ("$source.visits", "MC4206"), ("destinationInstances('VisitToVisit', $source.visits)", ""),
    ("destinationInstances('VisitToVisit')", ""), ("destinationInstances('VisitToVisit', $source)", "MC4203"),
    ("destinationInstances('HutToHut', $source)", "MC4202"), ("$source.name", "MC4202"), ("NULL", "MC4108"),
    (
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sorceInstances:', 'VisitToVisit', $source.visits)",
      "MC4203"
    ),
    (
      "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'visits', $source.visits)",
      ""
    ),
    (
      "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'visit', $source.visits)",
      "MC1601"
    ),
  ]

  @Test(arguments: relationships)
  func `a relationship takes what became of objects`(_ text: String, _ code: String) {
    let (_, diagnostics) = resolve(huts("    relationships: {visits: \"\(text)\"}\n"))
    #expect(Set(diagnostics.map(\.code.description)) == (code.isEmpty ? [] : [code]), "\(diagnostics)")
  }

  @Test func `a mistake of the pen is fixed`() {
    let text =
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sorceInstances:', 'VisitToVisit', $source.visits)"
    let (_, diagnostics) = resolve(huts("    relationships: {visits: \"\(text)\"}\n"))
    let fix = diagnostics.first?.fixIts.first
    #expect(fix?.isSafe == true)
    #expect(fix?.replacement.contains("sourceInstances:") == true)
  }

  @Test func `unknown and unstored properties of the destination are refused`() {
    let (_, diagnostics) = resolve(
      huts(
        "    relationships: {keepers: NULL, name: NULL}\n",
        region: "$source.name, bed: 1, visitCount: 1, visits: 1"))
    #expect(
      diagnostics.map { "\($0.code) \($0.place?.start.line ?? 0):\($0.place?.start.column ?? 0)" } == [
        "MC4102 7:40", "MC4102 7:48", "MC4102 7:63", "MC4102 8:21", "MC4102 8:36",
      ])
    #expect(diagnostics[2].help == ["put it under 'relationships'"])
    #expect(diagnostics[3].help == ["did you mean 'keeper'?"])
  }

  @Test func `what is required needs a value, and what is inherited is not forgotten`() {
    let (_, diagnostics) = resolve(
      """
      entityMappings:
        Low: {source: Hut, destination: Hut, where: beds < 10, attributes: {stars: 1}}
        High: {source: Hut, destination: Summit, where: beds >= 10}
      """)
    #expect(diagnostics.map { "\($0.code) \($0.place?.start.line ?? 0)" } == ["MC4106 4", "MC4107 5"])
  }

  @Test(arguments: [("", ["MC4107 4"]), (", inverse: owner", [])])
  func `a lookup that leaves out a sub-entity's objects is told, where nothing else sets the reference`(
    _ inverse: String, _ expected: [String]
  ) throws {
    let versions = ["", ", more: string?"].map { more in
      Self.version(
        "V\(more.isEmpty ? 1 : 2)",
        """
        entities:
          Owner: {attributes: {name: string?\(more)}, relationships: {best: {to: Pet\(inverse)}}}
          Pet: {relationships: {owner: {to: Owner\(inverse.isEmpty ? "" : ", inverse: best")}}}
          Dog: {parent: Pet}
        """)
    }
    let text = """
      from: V1
      to: V2
      entityMappings:
        Owners: {source: Owner, destination: Owner, relationships: {best: 'destinationInstances("Pets", $source.best)'}}
        Pets: {source: Pet, destination: Pet}
        Dogs: {source: Dog, destination: Dog}

      """
    let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
    let (_, found) = reading.mappingModels.resolved(from: versions[0], to: versions[1], policyNames: nil)
    #expect((reading.diagnostics + found).map { "\($0.code) \($0.place?.start.line ?? 0)" } == expected)
  }

  @Test(arguments: [
    ("VisitPolicy", ["App.VisitPolicy"], true), ("App.VisitPolicy", ["VisitPolicy"], true),
    ("App.VisitPolicy", ["Other.VisitPolicy"], false),
    ("VisitPolicy", ["A.VisitPolicy", "B.VisitPolicy"], false),
    ("VisitPolicy", ["visitpolicy"], false), ("VisitPolicy", [], false),
  ])
  func `policies are found with and without their module`(
    _ name: String, _ registered: [String], _ isFound: Bool
  ) {
    #expect((name.matchPolicyName(among: registered) != nil) == isFound)
  }

  @Test func `a file is bound to its versions anew`() throws {
    let text = """
      # of two
      from: V1
      to: V2   # the second
      entityMappings:
        FaxToNothing: {source: Fax, drop: true}   # gone

      """
    let versions = VersionedModel(name: "Trails", versions: [Self.old, Self.new], currentVersionName: "V2")
    let bound = try #require(try rebaseMappingFile(yaml: Data(text.utf8), file: "a.yaml", versions: versions))
    let digits = Self.old.entityVersionHashesByName["Fax"]?.hexadecimal.prefix(16) ?? ""
    let line = "versionHashes:\n  V1: {Fax: \(digits)}\nentityMappings:"
    #expect(String(decoding: bound, as: UTF8.self) == text.replacing("entityMappings:", with: line))
    #expect(try rebaseMappingFile(yaml: bound, file: "a.yaml", versions: versions) == nil)
    let moved = String(decoding: bound, as: UTF8.self).replacing(String(digits), with: "0123456789abcdef")
    #expect(try rebaseMappingFile(yaml: Data(moved.utf8), file: "a.yaml", versions: versions) == bound)
  }

  @Test func `the inferred mapping is written with what is undecided`() {
    let text = Self.old.draftMappingFile(to: Self.new, schema: nil)
    let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
    #expect(reading.diagnostics == [], "\(text)")
    let (_, found) = reading.mappingModels.resolved(from: Self.old, to: Self.new)
    // What only a person can say is an error until it is said.
    #expect(Set(found.map(\.code.description)) == ["MC4106", "MC4111"], "\(text)\n\(found)")
    #expect(
      reading.mappingModels.flatMap(\.undecided) == [
        "the values of 'Hut.warden' are not used: use them in a value, or accept it with 'drops: [Hut.warden]' next to 'entityMappings'",
        "the objects of 'Fax' are dropped; if that is intended: 'Fax: {source: Fax, drop: true}'",
      ])
    let new = text.split(separator: "\n").filter { $0.contains("# new: ") }
    #expect(
      new.map { String($0.trimmingPrefix("  # ")) } == [
        "new: 'stars' starts without a value",
        "new: 'region' is required and has no default; give it a value under 'attributes:'",
        "new: 'keeper' has no value yet",
        "new: 'Summit' starts empty; only a mapping with a source: gives it objects",
        "new: 'Warden' starts empty; only a mapping with a source: gives it objects",
      ])
    #expect(text.contains("      note: $source.text\n"))
  }
}
