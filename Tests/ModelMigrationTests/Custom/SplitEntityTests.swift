import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What mapping files say in the place of policies that everybody writes.
@Suite("Objects split, merged, extracted") struct SplitEntityTests {
  @Test func `an entity is split in two, and references find what their object became`() throws {
    let old = """
      entities:
        Hut:
          attributes: {name: string, beds: integer16 = 0}
          relationships: {visits: {toMany: Visit, inverse: hut}}
        Visit:
          attributes: {text: string?}
          relationships: {hut: {to: Hut, inverse: visits}}
      """
    let new = """
      entities:
        Hut:
          attributes: {name: string, beds: integer16 = 0}
          relationships: {visits: {toMany: Visit, inverse: hut}}
        Shelter:
          attributes: {name: string}
          relationships: {guests: {toMany: Visit, inverse: shelter}}
        Visit:
          attributes: {text: string?}
          relationships: {hut: {to: Hut, inverse: visits}, shelter: {to: Shelter, inverse: guests}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          BigHut: {source: Hut, destination: Hut, where: beds > 9}
          SmallHut: {source: Hut, destination: Shelter, where: beds <= 9}
          VisitToVisit:
            source: Visit
            destination: Visit
            relationships:
              hut: destinationInstances("BigHut", $source.hut)
              shelter: destinationInstances("SmallHut", $source.hut)
        """
      ])
    var visits = objects("Visit", ["text": .string("a")], ["text": .string("b")], [:])
    visits[0].toOne["hut"] = objectID("Hut", 1)
    visits[1].toOne["hut"] = objectID("Hut", 2)
    let huts = objects(
      "Hut", ["name": .string("Alp"), "beds": .integer(40)], ["name": .string("Nook"), "beds": .integer(4)])
    let found = try trial.run(huts + visits)
    #expect(found.texts("Hut", "name") == ["Alp"])
    #expect(found.texts("Shelter", "name") == ["Nook"])
    #expect(found.links("Visit", "hut") == ["1>1", "2>", "3>"])
    #expect(found["Visit"].map { $0.toOne["shelter"]?.entityName } == [nil, "Shelter", nil])
    #expect(found.report.mappings.map(\.carried) == [1, 1, 3])
    // The shelter's four beds are dropped, as the filter says: the loss is acknowledged.
    #expect(
      found.plan.losses.map { "\($0.code) \($0.property ?? "") \($0.count) \($0.isAcknowledged)" }
        == ["MC3111 beds 1 true"])
  }

  @Test func `two entities become one, and keys that change are told`() throws {
    let old = """
      entities:
        Author:
          attributes: {name: string}
          relationships: {books: {toMany: Book, inverse: author}}
        Editor:
          attributes: {name: string, office: string?}
          relationships: {books: {toMany: Book, inverse: editor}}
        Book:
          attributes: {title: string}
          relationships: {author: {to: Author, inverse: books}, editor: {to: Editor, inverse: books}}
      """
    let new = """
      entities:
        Person:
          attributes: {name: string, role: string, office: string?}
          relationships: {written: {toMany: Book, inverse: author}, edited: {toMany: Book, inverse: editor}}
        Book:
          attributes: {title: string}
          relationships: {author: {to: Person, inverse: written}, editor: {to: Person, inverse: edited}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          AuthorToPerson: {source: Author, destination: Person, attributes: {role: '"author"'}}
          EditorToPerson: {source: Editor, destination: Person, attributes: {role: '"editor"'}}
        """
      ])
    var books = objects("Book", ["title": .string("One")], ["title": .string("Two")])
    books[0].toOne = ["author": objectID("Author", 1), "editor": objectID("Editor", 1)]
    books[1].toOne = ["author": objectID("Author", 2), "editor": objectID("Editor", 1)]
    let people =
      objects("Author", ["name": .string("Ann")], ["name": .string("Bo")])
      + objects("Editor", ["name": .string("Ed"), "office": .string("7")])
    let found = try trial.run(people + books)
    #expect(found.texts("Person", "name") == ["Ann", "Bo", "Ed"])
    #expect(found.texts("Person", "role") == ["author", "author", "editor"])
    #expect(found.texts("Person", "office") == ["-", "-", "7"])
    #expect(found.links("Book", "author") == ["1>1", "2>2"])
    #expect(found.links("Person", "edited") == ["1>", "2>", "3>1,2"])
    // Editor 1 is Person 3 now.
    #expect(found.codes == ["MC6403"])
    let moved = found.report.diagnostics.first { $0.code == .objectURIsChange }
    #expect(moved?.message == "1 object has a new primary key")
  }

  @Test func `one object becomes several, related to one another`() throws {
    let old = """
      entities:
        Photo: {attributes: {name: string, data: binary?, small: binary?}}
      """
    let new = """
      entities:
        Photo:
          attributes: {name: string, data: binary?}
          relationships: {thumbnail: {to: Thumbnail, inverse: photo}}
        Thumbnail:
          attributes: {data: binary}
          relationships: {photo: {to: Photo, inverse: thumbnail, optional: false}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          PhotoToPhoto: {source: Photo, destination: Photo}
          PhotoToThumbnail:
            source: Photo
            destination: Thumbnail
            where: small != nil
            attributes: {data: $source.small}
            relationships: {photo: 'destinationInstances("PhotoToPhoto", $source)'}
        """
      ])
    let photos = objects(
      "Photo", ["name": .string("a"), "data": .binary(Data([1])), "small": .binary(Data([2]))],
      ["name": .string("b"), "data": .binary(Data([3]))])
    let found = try trial.run(photos)
    #expect(found["Photo"].map { $0.values["data"] } == [.binary(Data([1])), .binary(Data([3]))])
    #expect(found["Thumbnail"].map { $0.values["data"] } == [.binary(Data([2]))])
    #expect(found.links("Photo", "thumbnail") == ["1>1", "2>"])
  }

  static let wardens = """
    entities:
      Hut: {attributes: {name: string, warden: string?, phone: string?, beds: integer16 = 0}}
    """

  @Test func `an attribute becomes objects of its own, one for each value`() throws {
    let new = """
      entities:
        Hut:
          attributes: {name: string, beds: integer16 = 0}
          relationships: {warden: {to: Warden, inverse: huts}}
        Warden:
          attributes: {name: string, phone: string?}
          relationships: {huts: {toMany: Hut, inverse: warden}}
          uniquenessConstraints: [[name]]
      """
    let trial = try CustomTrial(
      [Self.wardens, new],
      mappings: [
        """
        entityMappings:
          HutToWarden:
            source: Hut
            destination: Warden
            where: warden != nil
            groupBy: $source.warden
            keep: merge
            orderBy: $source.name
            attributes: {name: $source.warden, phone: $source.phone}
          HutToHut:
            source: Hut
            destination: Hut
            relationships: {warden: 'destinationInstances("HutToWarden", $source)'}
        """
      ])
    let huts = objects(
      "Hut", ["name": .string("Z"), "warden": .string("Ann"), "phone": .string("1")],
      ["name": .string("Y"), "warden": .string("Bo")], ["name": .string("X"), "warden": .string("Ann")],
      ["name": .string("W"), "warden": .string("ann")], ["name": .string("V")],
      ["name": .string("U"), "warden": .string("Ann"), "phone": .string("2")])
    let found = try trial.run(huts)
    #expect(Set(found.texts("Warden", "name")) == ["Ann", "Bo", "ann"])
    let ann = try #require(found["Warden"].first { $0.values["name"] == .string("Ann") })
    // In the order of names: U has the first phone that is not nil.
    #expect(ann.values["phone"] == .string("2"))
    #expect(ann.toMany["huts"]?.map(\.primaryKey) == [1, 3, 6])
    #expect(found["Hut"].map { $0.toOne["warden"] == nil } == [false, false, false, false, true, false])
    #expect(found["Hut"].map(\.id.primaryKey) == [1, 2, 3, 4, 5, 6])
  }

  private static func families(_ version: Int, _ relationship: String, _ inverse: String) -> String {
    """
    entities:
      Parent: {attributes: {name: string?}, relationships: {\(relationship)}}
      Kid: {attributes: {name: string?, x\(version): string?}, relationships: {parent: {to: Parent\(inverse)}}}
      Baby: {parent: Kid}
    """
  }

  /// A parent with a kid, and one with a baby or the same one.
  private func family(_ relationship: String?, sharing parent: Int64) -> [ManagedObject] {
    var found = objects("Parent", ["name": .string("a")], ["name": .string("b")])
    found += [ManagedObject("Kid", 1), ManagedObject("Baby", 2)]
    found[2].toOne["parent"] = objectID("Parent", 1)
    found[3].toOne["parent"] = objectID("Parent", parent)
    if let relationship {
      found[0].toOne[relationship] = objectID("Kid", 1)
      found[1].toOne[relationship] = objectID("Baby", 2)
    }
    return found
  }

  @Test(arguments: ["", #", relationships: {parent: 'destinationInstances("Parents", $source.parent)'}"#])
  func `objects of a sub-entity that a lookup leaves out get their reference in their own turn`(
    _ parent: String
  ) throws {
    let trial = try CustomTrial(
      (1...2).map { Self.families($0, "kids: {toMany: Kid, inverse: parent}", ", inverse: kids") },
      mappings: [
        """
        entityMappings:
          Parents: {source: Parent, destination: Parent, relationships: {kids: 'destinationInstances("Kids", $source.kids)'}}
          Kids: {source: Kid, destination: Kid\(parent)}
          Babies: {source: Baby, destination: Baby\(parent)}

        """
      ])
    let found = try trial.run(family(nil, sharing: 1))
    #expect(found["Kid"].map { $0.toOne["parent"]?.primaryKey } == [1])
    #expect(found["Baby"].map { $0.toOne["parent"]?.primaryKey } == [1])
    #expect((found["Parent"][0].toMany["kids"] ?? []).map(\.primaryKey).sorted() == [1, 2])
  }

  @Test
  func `a one-to-one of which one side asks a mapping of a sub-entity alone is related object by object`()
    throws
  {
    let trial = try CustomTrial(
      (1...2).map { Self.families($0, "kid: {to: Kid, inverse: parent}", ", inverse: kid") },
      mappings: [
        """
        entityMappings:
          Parents: {source: Parent, destination: Parent, relationships: {kid: 'destinationInstances("Babies", $source.kid)'}}
          Babies: {source: Baby, destination: Baby}
          Kids: {source: Kid, destination: Kid}

        """
      ])
    let found = try trial.run(family("kid", sharing: 2))
    #expect(found["Parent"].map { $0.toOne["kid"]?.primaryKey } == [1, 2])
    #expect((found["Kid"] + found["Baby"]).map { $0.toOne["parent"]?.primaryKey } == [1, 2])
  }
}
