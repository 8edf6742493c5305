import Foundation
import TestSupport
import Testing

/// The numbers are those of `shared/design/cases.md`. Cases that need another program, a killed run, a full disk or files
/// beside the store have suites of their own.
@Suite("Cases from real life") struct RealLifeCasesTests {
  @Test(arguments: simpleCases + reshapingCases + referenceCases + valueCases)
  func `it is told, the cure works as printed, and nothing else is lost`(_ item: RealLifeCase) throws {
    try withTemporaryFolder { folder in
      try item.play(in: folder)
    }
  }

  /// One entity `Hut` with these attributes.
  private static func hut(_ attributes: String, _ more: String = "") -> String {
    "entities:\n  Hut:\n    attributes: {\(attributes)}\n\(more)"
  }

  static let simpleCases: [RealLifeCase] = [
    RealLifeCase(
      number: 1, title: "a new required attribute without a default",
      versions: [hut("name: string?"), hut("name: string?, beds: integer16")],
      objects: "Hut:\n  p1: {name: a}", refusals: ["MC3101"], cure: .proposal,
      after: "Hut:\n  p1:\n    name: a\n    beds: 0"),
    RealLifeCase(
      number: 2, title: "a composite gains, loses, renames and retypes members",
      versions: [
        hut("at: {type: composite, composite: Spot}")
          + "composites:\n  Spot: {street: string?, zip: integer16 = 0, fax: string?}",
        hut("at: {type: composite, composite: Spot}")
          + "composites:\n  Spot: {road: {type: string?, renamingIdentifier: street}, zip: integer32 = 0, land: string = CH}",
      ],
      objects: "Hut:\n  p1: {at: {street: Elm, zip: 7, fax: \"1\"}}\n  p2: {at: {zip: 8}}",
      refusals: ["MC3111"], cure: .options(["--allow-loss", "MC3111"]), losses: ["Hut.at.fax 1"],
      after: """
        Hut:
          p1:
            at.road: Elm
            at.zip: 7
            at.land: CH
          p2:
            at.zip: 8
            at.land: CH
        """),
    RealLifeCase(
      number: 3, title: "duplicates under a new uniqueness constraint",
      versions: [
        hut("name: string?, color: string?"),
        hut("name: string?, color: string?", "    uniquenessConstraints: [[name]]\n"),
      ],
      objects: "Hut:\n  p1: {name: a, color: red}\n  p2: {name: a, color: blue}\n  p3: {name: b}",
      refusals: ["MC3105"], cure: .proposal, losses: ["Hut.color 1"],
      after: "Hut:\n  p1:\n    name: a\n    color: red\n  p3:\n    name: b"),
    RealLifeCase(
      number: 5, title: "a text becomes a date",
      versions: [hut("opened: string?"), hut("opened: date?")],
      objects: "Hut:\n  p1: {opened: \"2024-05-01\"}\n  p2: {opened: \"2023-12-31\"}\n  p3: {}",
      refusals: ["MC3103"], cure: .proposal,
      after:
        "Hut:\n  p1:\n    opened: 2024-05-01T00:00:00Z\n  p2:\n    opened: 2023-12-31T00:00:00Z\n  p3: {}"),
    RealLifeCase(
      number: 8, title: "a version with the same hashes",
      versions: [hut("beds: integer16 = 0"), hut("beds: integer16 = 4")],
      objects: "Hut:\n  p1: {beds: 2}", after: "Hut:\n  p1:\n    beds: 2"),
    RealLifeCase(
      number: 10, title: "users skip versions",
      versions: [
        hut("name: string?"), hut("title: {type: string?, renamingIdentifier: name}"),
        hut("title: {type: string?, renamingIdentifier: name}, beds: integer16 = 3"),
      ],
      objects: "Hut:\n  p1: {name: a}", after: "Hut:\n  p1:\n    title: a\n    beds: 3"),
    RealLifeCase(
      number: 21, title: "Z_MAX is too low",
      versions: [hut("name: string?"), hut("name: string?, beds: integer16 = 3")],
      objects: "Hut:\n  p1: {name: a}\n  p7: {name: b}", damage: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
      after: "Hut:\n  p1:\n    name: a\n    beds: 3\n  p7:\n    name: b\n    beds: 3"),
    RealLifeCase(
      number: 31, title: "optional becomes required, and rows are nil",
      versions: [hut("name: string?"), hut("name: string")],
      objects: "Hut:\n  p1: {name: a}\n  p2: {}", refusals: ["MC3101"], cure: .proposal,
      after: "Hut:\n  p1:\n    name: a\n  p2:\n    name: \"\""),
    RealLifeCase(
      number: 32, title: "a text becomes a number, and some are none",
      versions: [hut("price: string?"), hut("price: double?")],
      objects: "Hut:\n  p1: {price: \"12.5\"}\n  p2: {price: \"1,299.00\"}", refusals: ["MC3103"],
      cure: .mapping(
        """
        entityMappings:
          HutToHut:
            source: Hut
            destination: Hut
            attributes: {price: "coalesce(parseDouble($source.price), -1)"}
        """),
      after: "Hut:\n  p1:\n    price: 12.5\n  p2:\n    price: -1.0"),
    RealLifeCase(
      number: 43, title: "an empty store",
      versions: [hut("name: string?"), hut("name: string, beds: integer16")], objects: "Hut: {}",
      after: ""),
  ]

  private static let owners = """
    entities:
      Hut:
        attributes: {name: string?}
        relationships: {owner: {to: Person, inverse: huts}}
      Person:
        attributes: {name: string?}
        relationships: {huts: {toMany: Hut, inverse: owner}}
    """

  static let reshapingCases: [RealLifeCase] = [
    RealLifeCase(
      number: 28, title: "an entity gets another parent",
      versions: [
        "entities:\n  Vehicle: {attributes: {name: string?}}\n  Boat: {attributes: {name: string?}}",
        "entities:\n  Vehicle: {attributes: {name: string?}}\n  Boat: {parent: Vehicle}",
      ],
      objects: "Vehicle:\n  p1: {name: v}\nBoat:\n  p1: {name: b}", refusals: ["MC3107"], cure: .proposal,
      after: "Vehicle:\n  p1:\n    name: v\nBoat:\n  p2:\n    name: b"),
    RealLifeCase(
      number: 29, title: "an attribute is renamed and moves to a new parent",
      versions: [
        hut("name: string?"),
        """
        entities:
          Place:
            abstract: true
            attributes: {title: {type: string?, renamingIdentifier: name}}
          Lodge: {parent: Place, renamingIdentifier: Hut}
        """,
      ],
      objects: "Hut:\n  p1: {name: a}", after: "Lodge:\n  p1:\n    title: a"),
    RealLifeCase(
      number: 30, title: "a to-one becomes a to-many",
      versions: [owners, owners.replacing("{to: Person", with: "{toMany: Person")],
      objects: "Hut:\n  p1: {name: a, owner: Person/p1}\n  p2: {name: b}\nPerson:\n  p1: {name: x}",
      after: """
        Hut:
          p1:
            name: a
            owner: [Person/p1]
          p2:
            name: b
        Person:
          p1:
            name: x
            huts: [Hut/p1]
        """),
    RealLifeCase(
      number: 30, title: "a to-many becomes a to-one",
      versions: [owners.replacing("{to: Person", with: "{toMany: Person"), owners],
      objects: """
        Hut:
          p1: {name: a, owner: [Person/p2]}
          p2: {name: b}
        Person:
          p1: {name: x}
          p2: {name: y}
        """, refusals: ["MC3108"], cure: .proposal,
      after: """
        Hut:
          p1:
            name: a
            owner: Person/p2
          p2:
            name: b
        Person:
          p1:
            name: x
          p2:
            name: y
            huts: [Hut/p1]
        """),
    RealLifeCase(
      number: 33, title: "a text becomes an entity of its own",
      versions: [
        hut("name: string?, owner: string?"),
        owners.replacing(
          "Person:\n    attributes: {name: string?}", with: "Person:\n    attributes: {name: string}"),
      ],
      objects: "Hut:\n  p1: {name: a, owner: Ann}\n  p2: {name: b}\n  p3: {name: c, owner: Ann}",
      refusals: ["MC3111"],
      cure: .mapping(
        """
        entityMappings:
          HutToPerson:
            source: Hut
            destination: Person
            where: owner != nil
            groupBy: $source.owner
            attributes: {name: $source.owner}
          HutToHut:
            source: Hut
            destination: Hut
            relationships: {owner: 'destinationInstances("HutToPerson", $source)'}
        """),
      after: """
        Hut:
          p1:
            name: a
            owner: Person/p1
          p2:
            name: b
          p3:
            name: c
            owner: Person/p1
        Person:
          p1:
            name: Ann
            huts: [Hut/p1, Hut/p3]
        """),
    RealLifeCase(
      number: 34, title: "two entities become one",
      versions: [
        "entities:\n  Person: {attributes: {name: string?}}\n  Member: {attributes: {name: string?, since: integer16?}}",
        "entities:\n  Person: {attributes: {name: string?, since: integer16?}}",
      ],
      objects: "Person:\n  p1: {name: a}\nMember:\n  p1: {name: b, since: 3}", refusals: ["MC3111"],
      cure: .mapping(
        """
        entityMappings:
          PersonToPerson: {source: Person, destination: Person}
          MemberToPerson: {source: Member, destination: Person}
        """),
      after: "Person:\n  p1:\n    name: a\n  p2:\n    name: b\n    since: 3"),
  ]

  private static let ordered = """
    entities:
      Hut:
        attributes: {name: string?}
        relationships: {trails: {toMany: Trail, inverse: huts, ordered: true}}
      Trail:
        attributes: {name: string?}
        relationships: {huts: {toMany: Hut, inverse: trails, ordered: true}}
    """

  static let referenceCases: [RealLifeCase] = [
    RealLifeCase(
      number: 27, title: "an ordered many-to-many",
      versions: [
        ordered,
        ordered.replacing(
          "Trail:\n    attributes: {name", with: "Trail:\n    attributes: {rank: integer16 = 1, name"),
      ],
      objects: """
        Hut:
          p1: {name: a, trails: [Trail/p2, Trail/p1]}
          p2: {name: b, trails: [Trail/p1]}
        Trail:
          p1: {name: x, huts: [Hut/p2, Hut/p1]}
          p2: {name: y, huts: [Hut/p1]}
        """,
      after: """
        Hut:
          p1:
            name: a
            trails: [Trail/p2, Trail/p1]
          p2:
            name: b
            trails: [Trail/p1]
        Trail:
          p1:
            rank: 1
            name: x
            huts: [Hut/p2, Hut/p1]
          p2:
            rank: 1
            name: y
            huts: [Hut/p1]
        """),
    RealLifeCase(
      number: 35, title: "duplicates become one object",
      versions: [
        owners,
        owners.replacing(
          "attributes: {name: string?}\n    relationships: {huts",
          with: "attributes: {name: string?, title: string?}\n    relationships: {huts"),
      ],
      objects: """
        Hut:
          p1: {name: a, owner: Person/p1}
          p2: {name: b, owner: Person/p2}
        Person:
          p1: {name: x}
          p2: {name: x}
          p3: {name: z}
        """,
      cure: .mapping(
        """
        entityMappings:
          PersonToPerson:
            source: Person
            destination: Person
            groupBy: $source.name
            keep: first
        """),
      after: """
        Hut:
          p1:
            name: a
            owner: Person/p1
          p2:
            name: b
            owner: Person/p1
        Person:
          p1:
            name: x
            huts: [Hut/p1, Hut/p2]
          p3:
            name: z
        """),
  ]

  static let valueCases: [RealLifeCase] = [
    RealLifeCase(
      number: 25, title: "a derived attribute is added",
      versions: [
        owners,
        owners.replacing(
          "attributes: {name: string?}\n    relationships: {huts",
          with:
            "attributes: {name: string?, count: {type: integer64?, derivation: huts.@count}}\n    relationships: {huts"
        ),
      ],
      objects: "Hut:\n  p1: {owner: Person/p1}\nPerson:\n  p1: {name: x}\n  p2: {name: y}",
      after: """
        Hut:
          p1:
            owner: Person/p1
        Person:
          p1:
            name: x
            count: 1
            huts: [Hut/p1]
          p2:
            name: y
            count: 0
        """),
    RealLifeCase(
      number: 36, title: "extremes of every type",
      versions: [
        hut("i: integer64?, d: double?, m: decimal?, s: string?, b: binary?, at: date?"),
        hut("i: integer64?, d: double?, m: decimal?, s: string?, b: binary?, at: date?, more: string?"),
      ],
      objects: """
        Hut:
          p1: {i: -9223372036854775808, d: -2.5e-308, m: 1234567890123.25, s: "\\0é\\U0001F600", b: AP8=, at: 0001-01-01T00:00:00Z}
          p2: {i: 9223372036854775807, d: 1.7976931348623157e308, m: -0.00000000000000000000000000000000000001, s: ""}
        """,
      after: """
        Hut:
          p1:
            i: -9223372036854775808
            d: -2.5e-308
            m: 1234567890123.25
            s: "\\x00é😀"
            b: AP8=
            at: 0001-01-01T00:00:00Z
          p2:
            i: 9223372036854775807
            d: 1.7976931348623157e+308
            m: -0.00000000000000000000000000000000000001
            s: ""
        """),
    RealLifeCase(
      number: 43, title: "300 entities, one of them with 1,900 columns",
      versions: ["string?", "string?, z: string?"].map { last in
        let columns = (1...1_900).map { "a\($0): integer16?" }.joined(separator: ", ")
        let others = (1...299).map { "  E\($0): {attributes: {name: string?}}" }.joined(separator: "\n")
        return hut("\(columns), name: \(last)", others)
      },
      objects: "Hut:\n  p1: {name: a, a1900: 7}\nE299:\n  p1: {name: b}",
      after: "E299:\n  p1:\n    name: b\nHut:\n  p1:\n    a1900: 7\n    name: a"),
  ]
}
