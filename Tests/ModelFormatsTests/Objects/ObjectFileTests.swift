import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite("Files of objects") struct ObjectFileTests {
  private let model: ManagedObjectModel = {
    let text = """
      entities:
        Place: {abstract: true, attributes: {name: {type: string, minLength: 2, maxLength: 5}}}
        Hut:
          parent: Place
          attributes:
            beds: integer16? = 12
            stars: {type: integer16?, min: 0, max: 5}
            code: {type: string?, matching: "[A-Z]{2}"}
            position: {type: composite?, composite: Point}
            note: string?
          relationships:
            visits: {toMany: Visit, inverse: hut, ordered: true}
            trails: {toMany: Trail, inverse: huts, max: 2}
          uniquenessConstraints: [[code]]
        Summit: {parent: Place}
        Visit:
          attributes: {date: date?, price: decimal?, id: uuid?, photo: binary?, size: float?}
          relationships: {hut: {to: Hut, inverse: visits}, next: {to: Visit}}
        Trail:
          relationships: {huts: {toMany: Hut, inverse: trails, optional: false}}
      composites: {Point: {x: double, y: double}}
      """
    return readModel(yaml: Data(text.utf8), file: "V1.yaml").model ?? ManagedObjectModel()
  }()

  private func read(_ text: String) -> (objects: [ManagedObject], diagnostics: [Diagnostic]) {
    readObjectFile(yaml: Data(text.utf8), file: "o.yaml", model: model)
  }

  @Test func `a required to-many leads somewhere if it has a minimum`() throws {
    var model = model
    let trail = try #require(model.entities.firstIndex { $0.name == "Trail" })
    for minimum in [0, 1] {
      model.entities[trail].relationships[0].minCount = minimum
      let found = readObjectFile(yaml: Data("Trail:\n  p1: {}\n".utf8), file: "o.yaml", model: model)
        .diagnostics
      #expect(found.isEmpty == (minimum == 0), "\(found)")
    }
  }

  @Test func `where an object has the greatest key, none is left for others`() {
    let (_, diagnostics) = read("Summit:\n  p9223372036854775807: {name: Top}\n  other: {name: Low}\n")
    #expect(diagnostics.map(\.code) == [.duplicateKey] && diagnostics.first?.place?.start.line == 3)
  }

  @Test func `a key that another entity of the table has is named`() {
    let (_, diagnostics) = read("Hut:\n  p7: {name: Low}\nSummit:\n  p7: {name: Top}\n")
    #expect(diagnostics.map(\.message) == ["primary key 7 is taken in this table"])
  }

  @Test func `names, defaults, nil and references from one end`() {
    let (objects, diagnostics) = read(
      """
      Hut:
        alp: {name: Alp, position.x: 1.5, visits: [first, Visit/p7]}
        p4: {name: "null", beds: null, position: {x: 1, y: -2}, code: AB}
      Summit: {top: {name: Top}}
      Visit:
        p7: {date: 1999-12-31T23:59:59Z, price: 10.11, id: 0F5E3C1A-7C0B-4D57-9E43-3B1D0A9C5E11}
        first: {photo: AQI=, next: p7, size: .inf}
      """)
    #expect(diagnostics == [])
    #expect(
      objects.map { $0.id.description } == ["Hut/p5", "Hut/p4", "Summit/p6", "Visit/p7", "Visit/p8"])
    #expect(objects[0].values["beds"] == .integer(12))
    #expect(objects[0].toMany["visits"] == [objects[4].id, objects[3].id])
    #expect(objects[1].values["name"] == .string("null"))
    #expect(objects[1].values["beds"] == nil)
    #expect(objects[1].values["position.y"] == .double(-2))
    #expect(objects[3].values["date"] == .date(-31_622_401))
    #expect(objects[4].toOne["next"] == objects[3].id)
    #expect(objects[4].values["size"] == .double(.infinity))
  }

  @Test func `a list is an array of Swift's`() {
    let attributes =
      "{tags: {type: transformable, valueClass: Array<String>}, days: {type: transformable?, valueClass: Array<Int>}}"
    let text = "entities: {Trip: {attributes: \(attributes)}}"
    let model = readModel(yaml: Data(text.utf8), file: "V1.yaml").model ?? ManagedObjectModel()
    func read(_ properties: String) -> (objects: [ManagedObject], diagnostics: [Diagnostic]) {
      readObjectFile(yaml: Data("Trip: {p1: {\(properties)}}".utf8), file: "o.yaml", model: model)
    }
    for properties in ["tags: []", "tags: [a, b]", "tags: [a, \"null\"]", "tags: [], days: [1, 2]"] {
      let (objects, diagnostics) = read(properties)
      #expect(diagnostics == [] && objects.first?.values["tags"] != nil, "\(diagnostics)")
    }
    #expect(read("tags: [], days: [one]").diagnostics.map(\.code) == [.wrongKind])
    #expect(read("tags: [a, null]").diagnostics.map(\.code) == [.wrongKind])
  }

  @Test(arguments: [
    ("1️⃣Hutt: {}", ["1️⃣ MC0003 Hutt"]),
    ("1️⃣Place: {p1: {name: Alp}}", ["1️⃣ MC0004 Place"]),
    ("Hut: {p1: {name: Alp, 1️⃣bedz: 3}}", ["1️⃣ MC0003 bedz"]),
    ("Hut: {p1: {name: Alp, position: {1️⃣z: 3}}}", ["1️⃣ MC0003 z"]),
    ("Hut: {p1: {name: Alp, beds: 1️⃣many}}", ["1️⃣ MC0004 many"]),
    ("Hut: {p1: {name: Alp, beds: 1️⃣40000}}", ["1️⃣ MC0004 40000"]),
    ("Hut: {p1: {name: Alp, beds: 1️⃣[1]}}", ["1️⃣ MC0004 [1]"]),
    (
      "Visit: {p1: {date: 1️⃣yesterday, id: 2️⃣12, photo: 3️⃣a.b}}",
      ["1️⃣ MC0004 yesterday", "2️⃣ MC0004 12", "3️⃣ MC0004 a.b"]
    ),
    ("Hut: {1️⃣p1: {}}", ["1️⃣ MC0005 p1"]),
    ("Hut: {p1: {name: 1️⃣null}}", ["1️⃣ MC0005 null"]),
    ("Trail: {p1: {}}", []),
    ("Hut: {p1: {name: Alp}, 1️⃣p1: {name: Alp}}", ["1️⃣ MC0002 p1"]),
    ("Hut: {p1: {name: Alp}}\nSummit: {1️⃣p1: {name: Top}}", ["1️⃣ MC0002 p1"]),
    ("Visit: {p1: {hut: 1️⃣Hut/p9}}", ["1️⃣ MC0301 Hut/p9"]),
    ("Visit: {p1: {hut: 1️⃣Hutt/p9}}", ["1️⃣ MC0301 Hutt/p9"]),
    ("Visit: {p1: {hut: 1️⃣Visit/p1}}", ["1️⃣ MC0301 Visit/p1"]),
    ("Hut: {p1: {name: Alp, visits: [v, 1️⃣Visit/v]}}\nVisit: {v: {}}", ["1️⃣ MC0301 Visit/v"]),
    ("Hut: {p1: {name: Alp, visits: 1️⃣v}}\nVisit: {v: {}}", ["1️⃣ MC0004 v"]),
    ("Hut: {p1: {name: 1️⃣A}}", ["1️⃣ MC0302 A"]),
    ("Hut: {p1: {name: 1️⃣Alphut}}", ["1️⃣ MC0302 Alphut"]),
    ("Hut: {p1: {name: Alp, stars: 1️⃣6, code: 2️⃣Abc}}", ["1️⃣ MC0302 6", "2️⃣ MC0302 Abc"]),
    ("Hut: {p1: {name: Alp, code: AB}, p2: {name: Top, code: 1️⃣AB}}", ["1️⃣ MC0302 AB"]),
    ("Hut: {h: {name: Alp, trails: 1️⃣[a, b, c]}}\nTrail: {a: {}, b: {}, c: {}}", ["1️⃣ MC0302 [a, b, c]"]),
    ("Hut: {h: {name: Alp, visits: 1️⃣[v]}}\nVisit: {v: {hut: null}}", ["1️⃣ MC0303 [v]"]),
    ("Hut: {h: {name: Alp, visits: []}}\nVisit: {v: {hut: 1️⃣h}}", ["1️⃣ MC0303 h"]),
    ("Hut: 1️⃣[h]", ["1️⃣ MC0004 [h]"]),
    ("Hut: {h: 1️⃣{name: Alp\n", ["1️⃣ MC0001 {"]),
  ])
  func `a mistake is reported at its place, and nothing else is`(text: String, expected: [String]) {
    let source = MarkedSource(text)
    let (_, diagnostics) = read(source.text)
    #expect(diagnostics.map(source.describe) == expected)
  }

  @Test func `texts that SQLite tells apart are not the same`() throws {
    let entity = "entities: {Hut: {attributes: {name: string?}, uniquenessConstraints: [[name]]}}"
    let model = try #require(readModel(yaml: Data(entity.utf8), file: "V1.yaml").model)
    for (name, isSame) in [("E\u{301}", false), ("\u{C9}", true)] {
      let text = "Hut: {p1: {name: \u{C9}}, p2: {name: \(name)}}"
      let found = readObjectFile(yaml: Data(text.utf8), file: "o.yaml", model: model).diagnostics
      #expect(found.map(\.code.description) == (isSame ? ["MC0302"] : []))
    }
  }

  /// Dates of apps have fractions of a second.
  @Test(arguments: [
    (464_441_952.529884, "2015-09-20T11:39:12.529884Z"), (0.25, "2001-01-01T00:00:00.25Z"),
    (0.1234567, "0.1234567"), (-.infinity, "-.inf"), (1e18, "1e+18"),
  ])
  func `a date is written as ISO 8601 unless that loses digits`(seconds: Double, text: String) {
    #expect(AttributeValue.date(seconds).objectText == text)
  }

  @Test func `what is written is read back`() {
    let hierarchy = EntityHierarchy(model)
    let visit = ManagedObject(
      "Visit", 3,
      values: [
        "date": .date(0.25), "price": .decimal(Decimal(string: "-0.01") ?? 0),
        "photo": .binary(Data("žluť".utf8)),
        "size": .double(-.infinity), "id": .uuid(UUID()),
      ])
    let hut = ManagedObject(
      "Hut", 1, values: ["name": .string("~" + "1"), "note": .string("no: \"x\"\u{0}\u{200D}\n")],
      toMany: ["visits": [visit.id]])
    let trail = ManagedObject("Trail", 1, toMany: ["huts": [hut.id]])
    var text = ""
    for object in [hut, visit, trail] {
      text += object.id.entityName.entityYAML
      text += object.yaml(ObjectShape(object.id.entityName, hierarchy: hierarchy))
    }
    let (objects, diagnostics) = read(text)
    #expect(diagnostics == [], "\(text)")
    #expect(objects == [hut, visit, trail])
    #expect(text.contains("beds: null"))
  }

  @Test(
    arguments: [
      ("SELF > 3", 4, true), ("SELF > 3", 3, false), ("SELF BETWEEN {1, 2}", 2, true),
      ("SELF IN {1, -5}", -5, true),
      ("NOT SELF == 1 OR SELF == 1", 1, true), ("SELF >= 0 AND SELF != 7", 7, false),
    ] as [(String, Int64, Bool)])
  func `rules of the API's own kind are judged`(_ predicate: String, _ number: Int64, _ isKept: Bool) {
    var attribute = AttributeDescription(name: "a", type: .integer64)
    attribute.validation.predicates = [ValidationPredicate(predicate: predicate, warning: "w")]
    let rules = ValidationRules(attribute)
    #expect(rules.unjudged == [])
    #expect((rules.brokenRule(by: .integer(number)) == nil) == isKept)
  }

  @Test(
    arguments: [
      (0.5, true), (1, true), (0.3333, true), (0.25, false), (.leastNonzeroMagnitude, false),
      (-.greatestFiniteMagnitude, false),
    ] as [(Double, Bool)])
  func `a double is one of those listed, or not, also beyond all decimals`(_ number: Double, _ isKept: Bool) {
    var attribute = AttributeDescription(name: "a", type: .double)
    attribute.validation.predicates = [
      ValidationPredicate(predicate: "SELF IN {0.5, 1, 0.3333}", warning: "w")
    ]
    #expect((ValidationRules(attribute).brokenRule(by: .double(number)) == nil) == isKept)
  }

  @Test func `rules over texts and rules that nobody judges`() {
    var attribute = AttributeDescription(name: "a", type: .string)
    attribute.validation.predicates = ["length > 2", "SELF MATCHES \"a+\"", "SELF BEGINSWITH[c] \"A\""].map {
      ValidationPredicate(predicate: $0, warning: "w")
    }
    let rules = ValidationRules(attribute)
    #expect(rules.unjudged == ["SELF BEGINSWITH[c] \"A\""])
    #expect(rules.brokenRule(by: .string("aaa")) == nil)
    #expect(rules.brokenRule(by: .string("aa")) == "length > 2")
    #expect(rules.brokenRule(by: .string("aaab")) == "SELF MATCHES \"a+\"")
    #expect(rules.matchedPattern == "a+")
  }
}
