import ManagedModel
import Testing

@Suite struct CompareModelsTests {
  /// `* Hut.beds: now optional [Hut, Lodge]`: the mark where a hash moves, and whose.
  private func lines(from old: ManagedObjectModel, to new: ManagedObjectModel) -> [String] {
    compareModels(from: old, to: new).map { change in
      let moved = change.isHashed ? " [\(change.entitiesWithMovedHash.joined(separator: ", "))]" : ""
      return (change.isHashed ? "* " : "  ") + change.line + moved
    }
  }

  @Test func `a model does not differ from itself, in whatever order it is written`() {
    var shuffled = Sample.model
    shuffled.entities.reverse()
    shuffled.entities[0].attributes.reverse()
    shuffled.configurations[0].entityNames.reverse()
    #expect(compareModels(from: Sample.model, to: Sample.model) == [])
    #expect(compareModels(from: Sample.model, to: shuffled) == [])
  }

  @Test(arguments: Sample.edits)
  func `each difference is one line, marked where it moves hashes`(_ edit: Sample.Edit) {
    var edited = Sample.model
    edit.body(&edited)
    #expect(lines(from: Sample.model, to: edited) == edit.lines)
    #expect(Sample.model.fingerprint != edited.fingerprint)
  }

  /// Whatever the edit: the hashes that differ are those that the changes claim, there and back.
  @Test(arguments: Sample.edits)
  func `the moved hashes are the ones that differ`(_ edit: Sample.Edit) {
    var edited = Sample.model
    edit.body(&edited)
    for (old, new) in [(Sample.model, edited), (edited, Sample.model)] {
      let claimed = Set(compareModels(from: old, to: new).flatMap(\.entitiesWithMovedHash))
      let (before, after) = (old.entityVersionHashesByName, new.entityVersionHashesByName)
      let renamed = Set(
        compareModels(from: old, to: new).filter { $0.kind == .renamed && $0.property == nil }.compactMap(
          \.old))
      let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      #expect(claimed == differing.subtracting(renamed))
    }
  }

  @Test func `a change carries its fact and both values`() throws {
    var edited = Sample.model
    edited.edit("Hut") { $0.attributes[0].defaultValue = "3" }
    let change = try #require(compareModels(from: Sample.model, to: edited).first)
    #expect(change.kind == .changed)
    #expect(change.entity == "Hut")
    #expect(change.property == "beds")
    #expect(change.fact == "default")
    #expect(change.old == "0")
    #expect(change.new == "3")
  }

  @Test func `a swap of two names that leaves the hashes alone moves none`() {
    var edited = Sample.model
    edited.edit("Place") { place in
      place.attributes[0].name = "region"
      place.attributes[0].renamingIdentifier = "name"
      place.attributes[1].name = "name"
      place.attributes[1].renamingIdentifier = "region"
    }
    #expect(
      lines(from: Sample.model, to: edited) == [
        "  Place.name renamed from region", "  Place.region renamed from name",
      ])
  }

  @Test func `what only shows through another change is still found`() {
    var transient = Sample.model
    transient.edit("Hut") { $0.attributes[0].isTransient = true }
    var stored = Sample.model
    stored.edit("Hut") { $0.attributes[0].type = .date }
    stored.edit("Hut") { $0.attributes[0].defaultValue = nil }
    #expect(
      lines(from: transient, to: stored) == [
        "* Hut.beds: type integer16 → date [Hut, Lodge]", "* Hut.beds: no longer transient [Hut, Lodge]",
        "  Hut.beds: default 0 → none",
      ])
  }

  @Test func `a line is one line, however long the value`() throws {
    var edited = Sample.model
    edited.edit("Hut") { $0.userInfo["owner"] = "first\nsecond\r\n" + String(repeating: "x", count: 200) }
    let change = try #require(compareModels(from: Sample.model, to: edited).first)
    #expect(change.line.hasPrefix("Hut: userInfo.owner backend → 'first second xxx"))
    #expect(change.line.hasSuffix("…'"))
    #expect(change.line.count < 130)
    #expect(change.new?.count == 213)
  }
}

/// A model with one of everything, and edits of it with what they come to.
enum Sample {
  struct Edit: Sendable, CustomTestStringConvertible {
    let lines: [String]
    let body: @Sendable (inout ManagedObjectModel) -> Void

    init(_ lines: String..., body: @escaping @Sendable (inout ManagedObjectModel) -> Void) {
      self.lines = lines
      self.body = body
    }

    var testDescription: String { lines.first ?? "" }
  }

  static let model = ManagedObjectModel(
    versionIdentifiers: ["1"],
    entities: [
      EntityDescription(
        name: "Place", isAbstract: true,
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "region", type: .string),
        ]),
      EntityDescription(
        name: "Hut", superentityName: "Place",
        attributes: [
          AttributeDescription(name: "beds", type: .integer16, defaultValue: "0"),
          AttributeDescription(name: "position", type: .composite, compositeName: "Point"),
          AttributeDescription(name: "price", type: .decimal, defaultValue: "1.10"),
        ],
        relationships: [
          RelationshipDescription(
            name: "visits", destinationEntityName: "Visit", inverseName: "hut", maxCount: 0,
            deleteRule: .cascade)
        ],
        fetchedProperties: [
          FetchedPropertyDescription(
            name: "full", fetchRequest: FetchRequestDescription(name: "r", entityName: "Hut"))
        ],
        uniquenessConstraints: [["beds"], ["price"]],
        fetchIndexes: [
          FetchIndexDescription(name: "byBeds", elements: [FetchIndexElement(property: "beds")])
        ],
        userInfo: ["owner": "backend"]),
      EntityDescription(name: "Lodge", superentityName: "Hut"),
      EntityDescription(
        name: "Visit",
        relationships: [
          RelationshipDescription(name: "hut", destinationEntityName: "Hut", inverseName: "visits")
        ]),
    ],
    composites: [
      CompositeDescription(
        name: "Point",
        elements: [
          AttributeDescription(name: "x", type: .double), AttributeDescription(name: "y", type: .double),
        ])
    ],
    configurations: [ConfigurationDescription(name: "Local", entityNames: ["Visit", "Place"])],
    fetchRequestTemplates: [FetchRequestDescription(name: "High", entityName: "Hut", predicate: "beds > 3")],
    localizationDictionary: ["Entity/Hut": "Hütte"], retired: ["Hut.fax"])

  static let edits = entityEdits + attributeEdits + relationshipEdits + otherEdits

  private static let entityEdits: [Edit] = [
    Edit("* Peak added (child of Place, with height) [Peak]") {
      $0.entities.append(
        EntityDescription(
          name: "Peak", superentityName: "Place",
          attributes: [AttributeDescription(name: "height", type: .double)]
        ))
    },
    Edit("* Lodge removed (child of Hut) [Lodge]") { $0.entities.removeAll { $0.name == "Lodge" } },
    Edit("* Inn renamed from Lodge [Inn]") {
      $0.edit("Lodge") {
        $0.name = "Inn"
        $0.renamingIdentifier = "Lodge"
      }
    },
    Edit("  Lodge: renamingIdentifier none → Inn") { $0.edit("Lodge") { $0.renamingIdentifier = "Inn" } },
    Edit("* Lodge: parent Hut → Place [Lodge]") { $0.edit("Lodge") { $0.superentityName = "Place" } },
    Edit("* Place: no longer abstract [Hut, Lodge, Place]") { $0.edit("Place") { $0.isAbstract = false } },
    Edit("* Hut: versionHashModifier none → 2 [Hut, Lodge]") {
      $0.edit("Hut") { $0.versionHashModifier = "2" }
    },
    Edit("  Hut: class none → Hut") { $0.edit("Hut") { $0.managedObjectClassName = "Hut" } },
    Edit("  Hut: class.module none → App", "  Hut: class.codeGeneration none → category") {
      $0.edit("Hut") {
        $0.moduleName = "App"
        $0.codeGenerationType = .category
      }
    },
    Edit("  Hut: spotlightDisplayName none → name") {
      $0.edit("Hut") { $0.coreSpotlightDisplayName = "name" }
    },
    Edit("  Hut: userInfo.owner backend → none", "  Hut: userInfo.team none → ''") {
      $0.edit("Hut") { $0.userInfo = ["team": ""] }
    },
    Edit("* Hut: unique [price] removed [Hut, Lodge]", "* Hut: unique [beds, price] added [Hut, Lodge]") {
      $0.edit("Hut") { $0.uniquenessConstraints = [["beds"], ["beds", "price"]] }
    },
    Edit("  Hut: uniquenessConstraints in another order") {
      $0.edit("Hut") { $0.uniquenessConstraints.reverse() }
    },
    Edit("  Hut: compound index [beds, price] added") {
      $0.edit("Hut") { $0.compoundIndexes = [["beds", "price"]] }
    },
    Edit(
      "  Hut: index byBeds: elements beds → 'beds desc, price rtree'",
      "  Hut: index byBeds: where none → 'beds > 1'"
    ) {
      $0.edit("Hut") {
        $0.fetchIndexes[0].elements = [
          FetchIndexElement(property: "beds", isAscending: false),
          FetchIndexElement(property: "price", collation: .rtree),
        ]
        $0.fetchIndexes[0].partialIndexPredicate = "beds > 1"
      }
    },
    Edit("  Hut: index byBeds removed (beds)", "  Hut: index byPrice added (beds)") {
      $0.edit("Hut") { $0.fetchIndexes[0].name = "byPrice" }
    },
  ]

  private static let attributeEdits: [Edit] = [
    Edit("* Hut.beds removed (integer16, required, default 0) [Hut, Lodge]") {
      $0.edit("Hut") { $0.attributes.removeFirst() }
    },
    Edit("* Hut.note added (string, optional) [Hut, Lodge]") {
      $0.edit("Hut") {
        $0.attributes.append(AttributeDescription(name: "note", type: .string, isOptional: true))
      }
    },
    Edit("  Hut.cached added (string, required, transient)") {
      $0.edit("Hut") {
        $0.attributes.append(AttributeDescription(name: "cached", type: .string, isTransient: true))
      }
    },
    Edit("* Hut.places renamed from beds [Hut, Lodge]") {
      $0.edit("Hut") {
        $0.attributes[0].name = "places"
        $0.attributes[0].renamingIdentifier = "beds"
      }
    },
    Edit(
      "* Hut.beds removed (integer16, required, default 0) [Hut, Lodge]",
      "* Hut.places added (integer16, required, default 0) [Hut, Lodge]"
    ) {
      $0.edit("Hut") { $0.attributes[0].name = "places" }
    },
    Edit(
      "* Hut.region moved down from Place [Hut, Lodge]",
      "* Place.region removed (string, required) [Hut, Lodge, Place]"
    ) { model in
      model.edit("Place") { $0.attributes.removeLast() }
      model.edit("Hut") { $0.attributes.append(AttributeDescription(name: "region", type: .string)) }
    },
    Edit(
      "* Hut.price moved up to Place [Hut, Lodge]", "  Hut.price: default 1.10 → 2",
      "* Place.price added (decimal, required, default 2) [Hut, Lodge, Place]"
    ) { model in
      model.edit("Hut") { $0.attributes.removeLast() }
      model.edit("Place") {
        $0.attributes.append(AttributeDescription(name: "price", type: .decimal, defaultValue: "2"))
      }
    },
    Edit("* Hut.beds: type integer16 → double [Hut, Lodge]") {
      $0.edit("Hut") { $0.attributes[0].type = .double }
    },
    Edit("* Hut.beds: now optional [Hut, Lodge]") { $0.edit("Hut") { $0.attributes[0].isOptional = true } },
    Edit("* Hut.beds: now transient [Hut, Lodge]") { $0.edit("Hut") { $0.attributes[0].isTransient = true } },
    Edit("* Hut.beds: derivation none → visits.@count [Hut, Lodge]") {
      $0.edit("Hut") { $0.attributes[0].derivationExpression = "visits.@count" }
    },
    Edit("  Hut.beds: default 0 → 3") { $0.edit("Hut") { $0.attributes[0].defaultValue = "3" } },
    Edit("  Hut.price: default 1.10 → none") { $0.edit("Hut") { $0.attributes[2].defaultValue = nil } },
    Edit("  Hut.beds: min none → 1", "  Hut.beds: max none → 9") {
      $0.edit("Hut") { $0.attributes[0].validation = AttributeValidation(minimum: "1", maximum: "9") }
    },
    Edit(
      "  Place.name: minLength none → 1", "  Place.name: maxLength none → 9",
      "  Place.name: matching none → [a-z]*"
    ) {
      $0.edit("Place") {
        $0.attributes[0].validation = AttributeValidation(
          minimumLength: 1, maximumLength: 9, regularExpression: "[a-z]*")
      }
    },
    Edit("  Place.name: rules none → 'SELF != nil (empty)'") {
      $0.edit("Place") {
        $0.attributes[0].validation.predicates = [
          ValidationPredicate(predicate: "SELF != nil", warning: "empty")
        ]
      }
    },
    Edit("* Place.name: now in external storage [Hut, Lodge, Place]") {
      $0.edit("Place") { $0.attributes[0].allowsExternalBinaryDataStorage = true }
    },
    Edit("* Place.name: now preserved after deletion [Hut, Lodge, Place]") {
      $0.edit("Place") { $0.attributes[0].preservesValueInHistoryOnDeletion = true }
    },
    Edit(
      "  Place.name: now encrypted in the cloud", "  Place.name: transformer none → T",
      "  Place.name: valueClass none → NSArray", "  Place.name: now scalar",
      "  Place.name: now indexed by Spotlight", "  Place.name: now stored in the external record",
      "  Place.name: now indexed"
    ) {
      $0.edit("Place") {
        $0.attributes[0].allowsCloudEncryption = true
        $0.attributes[0].valueTransformerName = "T"
        $0.attributes[0].attributeValueClassName = "NSArray"
        $0.attributes[0].usesScalarValueType = true
        $0.attributes[0].isIndexedBySpotlight = true
        $0.attributes[0].isStoredInExternalRecord = true
        $0.attributes[0].isIndexed = true
      }
    },
    Edit("* Place.name: versionHashModifier none → jpeg [Hut, Lodge, Place]") {
      $0.edit("Place") { $0.attributes[0].versionHashModifier = "jpeg" }
    },
  ]

  private static let relationshipEdits: [Edit] = [
    Edit("* Visit.hut removed (to-one Hut, inverse visits) [Visit]") {
      $0.edit("Visit") { $0.relationships = [] }
    },
    Edit("* Visit.hut: to Hut → Place [Visit]") {
      $0.edit("Visit") { $0.relationships[0].destinationEntityName = "Place" }
    },
    Edit("* Visit.hut: inverse visits → none [Visit]") {
      $0.edit("Visit") { $0.relationships[0].inverseName = nil }
    },
    Edit("* Visit.hut: no longer optional [Visit]") {
      $0.edit("Visit") { $0.relationships[0].isOptional = false }
    },
    Edit("* Visit.hut: to-one → to-many [Visit]") { $0.edit("Visit") { $0.relationships[0].maxCount = 0 } },
    Edit("* Hut.visits: min 0 → 1 [Hut, Lodge]", "* Hut.visits: max unbounded → 9 [Hut, Lodge]") {
      $0.edit("Hut") {
        $0.relationships[0].minCount = 1
        $0.relationships[0].maxCount = 9
      }
    },
    Edit("* Hut.visits: now ordered [Hut, Lodge]") {
      $0.edit("Hut") { $0.relationships[0].isOrdered = true }
    },
    Edit("  Hut.visits: deleteRule cascade → deny") {
      $0.edit("Hut") { $0.relationships[0].deleteRule = .deny }
    },
    Edit("* Hut.visits: now transient [Hut, Lodge]", "  Hut.visits: now indexed") {
      $0.edit("Hut") {
        $0.relationships[0].isTransient = true
        $0.relationships[0].isIndexed = true
      }
    },
    Edit("* Hut.visits: versionHashModifier none → 1 [Hut, Lodge]", "  Hut.visits: userInfo.a none → b") {
      $0.edit("Hut") {
        $0.relationships[0].versionHashModifier = "1"
        $0.relationships[0].userInfo = ["a": "b"]
      }
    },
  ]

  private static let otherEdits: [Edit] = [
    Edit(
      "  Hut.full: predicate none → 'beds == 0'", "  Hut.full: limit none → 5",
      "  Hut.full: no longer optional"
    ) {
      $0.edit("Hut") {
        $0.fetchedProperties[0].isOptional = false
        $0.fetchedProperties[0].fetchRequest.predicate = "beds == 0"
        $0.fetchedProperties[0].fetchRequest.fetchLimit = 5
      }
    },
    Edit("  Hut.full removed (fetches Hut)") { $0.edit("Hut") { $0.fetchedProperties = [] } },
    Edit("* Hut.position: composite Point → none [Hut, Lodge]") {
      $0.edit("Hut") { $0.attributes[1].compositeName = nil }
    },
    Edit(
      "* composite Point.y removed (double, required) [Hut, Lodge]",
      "* composite Point.z added (double, optional) [Hut, Lodge]"
    ) {
      $0.composites[0].elements[1] = AttributeDescription(name: "z", type: .double, isOptional: true)
    },
    Edit("* composite Point.z renamed from y [Hut, Lodge]") {
      $0.composites[0].elements[1].name = "z"
      $0.composites[0].elements[1].renamingIdentifier = "y"
    },
    Edit("* composite Point.x: type double → float [Hut, Lodge]", "  composite Point.x: default none → 1") {
      $0.composites[0].elements[0].type = .float
      $0.composites[0].elements[0].defaultValue = "1"
    },
    Edit("  composite Point: elements in another order") { $0.composites[0].elements.reverse() },
    Edit("  composite Box added (side)") {
      $0.composites.append(
        CompositeDescription(name: "Box", elements: [AttributeDescription(name: "side", type: .double)]))
    },
    Edit("* composite Point removed (x, y) [Hut, Lodge]") { $0.composites = [] },
    Edit("  configuration Local: Place removed", "  configuration Local: Hut added") {
      $0.configurations[0].entityNames = ["Visit", "Hut"]
    },
    Edit("  configuration Cloud added", "  configuration Local removed (Place, Visit)") {
      $0.configurations = [ConfigurationDescription(name: "Cloud", entityNames: [])]
    },
    Edit(
      "  fetch request High: entity Hut → Lodge", "  fetch request High: predicate 'beds > 3' → none",
      "  fetch request High: sort none → 'beds desc, name'"
    ) {
      $0.fetchRequestTemplates[0] = FetchRequestDescription(
        name: "High", entityName: "Lodge",
        sortDescriptors: [
          SortDescription(keyPath: "beds", isAscending: false), SortDescription(keyPath: "name"),
        ])
    },
    Edit(
      "  fetch request High: batchSize none → 20", "  fetch request High: includesSubentities true → false",
      "  fetch request High: includesPropertyValues true → false",
      "  fetch request High: includesPendingChanges true → false",
      "  fetch request High: distinct false → true",
      "  fetch request High: resultType objects → dictionaries"
    ) {
      $0.fetchRequestTemplates[0].fetchBatchSize = 20
      $0.fetchRequestTemplates[0].includesSubentities = false
      $0.fetchRequestTemplates[0].includesPropertyValues = false
      $0.fetchRequestTemplates[0].includesPendingChanges = false
      $0.fetchRequestTemplates[0].returnsDistinctResults = true
      $0.fetchRequestTemplates[0].resultType = 2
    },
    Edit("  fetch request High removed (fetches Hut where 'beds > 3')") { $0.fetchRequestTemplates = [] },
    Edit(
      "  model: localization.Entity/Hut Hütte → 'la cabane'",
      "  model: localization.Entity/Visit none → Besuch"
    ) {
      $0.localizationDictionary = ["Entity/Hut": "la cabane", "Entity/Visit": "Besuch"]
    },
    Edit("  model: identifiers 1 → '1, 2'") { $0.versionIdentifiers = ["1", "2"] },
    Edit("  retired: Hut.fax removed", "  retired: Hut.warden added") { $0.retired = ["Hut.warden"] },
  ]
}

extension ManagedObjectModel {
  fileprivate mutating func edit(_ entity: String, _ body: (inout EntityDescription) -> Void) {
    guard let index = entities.firstIndex(where: { $0.name == entity }) else { return }
    body(&entities[index])
  }
}
