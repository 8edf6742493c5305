import TestSupport
import Testing

@testable import ManagedModel

@Suite("Members of composites") struct StoredLeavesTests {
  static let model = modelOf(
    """
    Hut
      name: string
      spot: Point?, was place
      cached: Point, transient
      odd: Missing
    Lodge < Hut
      zone: string?
    composite Point
      y: double?
      x: double, was easting
      kept: integer16, transient
      frame: Frame
    composite Frame
      code: string
    composite Loop
      again: Loop
      end: integer64
    """)
  let hierarchy = EntityHierarchy(model)

  /// `key path canonical name`, with `?` where an object may have none.
  private func members(_ entity: String) -> [String] {
    hierarchy.members(of: entity).map { "\($0.name)\($0.isOptional ? "?" : "") \($0.canonicalName)" }
  }

  @Test func `members stand in the place of their composite, in its order, inherited ones first`() {
    let hut = [
      "name name", "spot.y? place.y", "spot.x? place.easting", "spot.frame.code? place.frame.code", "odd odd",
    ]
    #expect(members("Hut") == hut)
    #expect(members("Lodge") == hut + ["zone? zone"])
    #expect(members("Nobody") == [])
  }

  @Test
  func
    `leaves are by name and in the order of their composite, and one of a composite that contains itself ends there`()
  {
    let attribute = AttributeDescription(name: "loop", type: .composite, compositeName: "Loop")
    let leaves = [attribute].storedLeaves(composites: Self.model.composites)
    #expect(leaves.map(\.keyPath) == ["loop.end"] && leaves.map(\.isOptional) == [false])
    let all = Self.model.entities[0].attributes.storedLeaves(composites: Self.model.composites)
    #expect(
      all.map(\.path) == [["name"], ["odd"], ["spot", "y"], ["spot", "x"], ["spot", "frame", "code"]])
  }

  static let paths: [(String, String?)] = [
    ("spot.x", "spot.x easting"), ("spot.frame.code", "spot.frame.code string"),
    ("spot.frame", "spot.frame composite"),
    ("spot.z", nil), ("spot.x.y", nil), ("name.x", nil), ("odd.x", nil), ("spot.", "spot composite"),
    (".x", nil),
    ("spot.kept", "spot.kept integer16"),
  ]

  @Test(arguments: paths)
  func `a key path leads to a member, or nowhere`(path: String, expected: String?) {
    let found = hierarchy.attribute(named: path, of: "Lodge")
    let words = found.map { member in
      path == "spot.x"
        ? "\(member.name) \(member.canonicalName.split(separator: ".").last ?? "")"
        : "\(member.name) \(member.type.name)"
    }
    #expect(words == expected)
  }

  @Test func `a member belongs to the entity that declares its composite`() {
    #expect(hierarchy.declaringEntityName(of: "spot.x", seenFrom: "Lodge") == "Hut")
    #expect(hierarchy.declaringEntityName(of: "zone", seenFrom: "Lodge") == "Lodge")
    #expect(hierarchy.declaringEntityName(of: "none.x", seenFrom: "Lodge") == nil)
  }
}
