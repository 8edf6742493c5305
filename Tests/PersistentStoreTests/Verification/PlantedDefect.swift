import Foundation
import ManagedModel
import Testing

/// A statement that spoils a sound store, and what verification is to say of it.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var sql: String
  /// Every finding: code, severity, count and first primary keys, as `MC5203 error 1 [4]`.
  var findings: [String]

  init(_ description: String, _ sql: String, _ findings: String...) {
    testDescription = description
    self.sql = sql
    self.findings = findings
  }
}

/// Defects of a store of ``SampleModels/hiking`` with the objects of ``Hike``.
enum HikeDefects {
  static var all: [PlantedDefect] { schema + numbers + references + orders + values }

  static let schema = [
    PlantedDefect("a column is gone", "ALTER TABLE ZPLACE DROP COLUMN ZHEIGHT", "MC5105 error"),
    PlantedDefect("a table is gone", "DROP TABLE ZMARK", "MC5105 error"),
    PlantedDefect("a join table is gone", "DROP TABLE Z_4TRAILS", "MC5105 error"),
    PlantedDefect("a table too many", "CREATE TABLE SEARCH (text)", "MC5107 warning"),
    PlantedDefect("a column too many", "ALTER TABLE ZMARK ADD COLUMN ZSIZE", "MC5107 warning"),
    PlantedDefect("a view", "CREATE VIEW ZALL AS SELECT * FROM ZPLACE", "MC5107 warning"),
    PlantedDefect(
      "a column of another type",
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'ZCOLOUR VARCHAR', 'ZCOLOUR BLOB') WHERE name = 'ZMARK';
      PRAGMA writable_schema = RESET
      """, "MC5105 warning"),
    PlantedDefect("an index is gone", "DROP INDEX Z_Hut_byBeds", "MC5105 warning"),
    PlantedDefect("nothing keeps names apart", "DROP INDEX Z_Place_UNIQUE_name", "MC5105 error"),
    PlantedDefect(
      "a count that is wrong", "UPDATE ZPLACE SET ZVISITCOUNT = ZVISITCOUNT + 1 WHERE Z_PK = 1",
      "MC5207 error 1 [1]"),
    PlantedDefect("an index too many", "CREATE INDEX extra ON ZMARK (ZCOLOUR)", "MC5107 warning"),
    PlantedDefect(
      "a trigger is gone", "DROP TRIGGER Z_DA_ZVISIT_Hut_visitCount_PARAMETER_DELETE", "MC5105 error"),
    PlantedDefect(
      "a trigger of its own",
      "CREATE TRIGGER mine AFTER INSERT ON ZMARK BEGIN DELETE FROM ZPLACE; END", "MC5107 warning"),
    PlantedDefect(
      "a trigger under Core Data's name",
      """
      DROP TRIGGER Z_DA_ZVISIT_Hut_visitCount_PARAMETER_DELETE;
      CREATE TRIGGER Z_DA_ZVISIT_Hut_visitCount_PARAMETER_DELETE AFTER DELETE ON ZVISIT BEGIN DELETE FROM ZPLACE; END
      """, "MC5105 warning"),
  ]

  static let numbers = [
    PlantedDefect(
      "an entity without number", "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Mark'", "MC5106 error",
      "MC5106 warning 2 [1, 2]"),
    PlantedDefect(
      "another parent", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Hut'", "MC5106 error"),
    PlantedDefect(
      "a highest key that is too low", "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Place'",
      "MC5106 warning [4]"),
    PlantedDefect(
      "an entity of unknown origin", "INSERT INTO Z_PRIMARYKEY VALUES (99, 'Ghost', 0, 0)", "MC5106 warning"),
    PlantedDefect(
      "an entity twice", "INSERT INTO Z_PRIMARYKEY VALUES (99, 'Mark', 0, 0)", "MC5106 warning",
      "MC5106 error 2"),
    PlantedDefect("no UUID", "UPDATE Z_METADATA SET Z_UUID = NULL", "MC5004 error"),
    PlantedDefect("an empty UUID", "UPDATE Z_METADATA SET Z_UUID = ''", "MC5004 error"),
    PlantedDefect(
      "a row of no entity", "UPDATE ZMARK SET Z_ENT = 77 WHERE Z_PK = 2", "MC5106 warning 1 [2]"),
    PlantedDefect("a row without entity", "UPDATE ZMARK SET Z_ENT = NULL", "MC5106 warning 2 [1, 2]"),
    PlantedDefect(
      "an object of an abstract entity",
      "INSERT INTO ZPLACE (Z_PK, Z_ENT, ZNAME) VALUES (3000, 3, 'x'); UPDATE Z_PRIMARYKEY SET Z_MAX = 3000 WHERE Z_ENT = 3",
      "MC5106 error 1 [3000]"),
    PlantedDefect(
      "a key below 1", "UPDATE ZMARK SET Z_PK = 0 WHERE Z_PK = 2", "MC5206 error 1 [0]"),
  ]

  static let references = [
    PlantedDefect(
      "a reference to nothing", "UPDATE ZPLACE SET ZREGION = 55 WHERE Z_PK = 2", "MC5203 error 1 [2]"),
    PlantedDefect(
      "a reference to another entity", "UPDATE ZVISIT SET ZHUT = 2 WHERE Z_PK = 3", "MC5203 error 1 [3]",
      "MC5207 error 1 [4]"),
    PlantedDefect(
      "an owner that is not there", "UPDATE ZMARK SET Z7MARKS = 70 WHERE Z_PK = 1", "MC5203 error 1 [1]"),
    PlantedDefect(
      "a discriminator of another entity", "UPDATE ZTRAIL SET Z3_HIGHEST = 4 WHERE Z_PK = 1",
      "MC5106 error 1 [1]"),
    PlantedDefect(
      "a one-to-one that is not answered", "UPDATE ZPHOTO SET ZVISIT = NULL", "MC5204 error 1 [3]"),
    PlantedDefect(
      "a one-to-one with itself that is not answered", "UPDATE ZVISIT SET ZCOMPANION = 3 WHERE Z_PK = 1",
      "MC5204 error 2 [1, 2]"),
    PlantedDefect(
      "a join row to nothing", "UPDATE Z_4TRAILS SET Z_4HUTS = 44 WHERE Z_4HUTS = 4", "MC5203 error 1 [44]"),
    PlantedDefect(
      "a join row to another entity", "UPDATE Z_4TRAILS SET Z_4HUTS = 3 WHERE Z_4HUTS = 4",
      "MC5203 error 1 [3]"),
    PlantedDefect(
      "a join row with one key", "UPDATE Z_4TRAILS SET Z_7TRAILS = NULL WHERE Z_4HUTS = 4",
      "MC5203 error 1 [4]"),
  ]

  static let orders = [
    PlantedDefect(
      "an object without place", "UPDATE ZVISIT SET Z_FOK_HUT = NULL WHERE Z_PK = 2", "MC5205 error 1 [2]"),
    PlantedDefect(
      "two objects in one place", "UPDATE ZVISIT SET Z_FOK_HUT = 5 WHERE ZHUT = 1", "MC5205 warning 1 [1]"),
    PlantedDefect(
      "a join row without place", "UPDATE Z_4TRAILS SET Z_FOK_4HUTS = NULL WHERE Z_4HUTS = 1",
      "MC5205 error 1 [1]"),
    PlantedDefect(
      "two join rows in one place", "UPDATE Z_4TRAILS SET Z_FOK_4HUTS = 9", "MC5205 warning 1 [1]"),
  ]

  static let values = [
    PlantedDefect(
      "a required value that is missing", "UPDATE ZVISIT SET ZDATE = NULL WHERE Z_PK > 1",
      "MC6103 error 2 [2, 3]"),
    PlantedDefect(
      "duplicates", "DROP INDEX Z_Place_UNIQUE_name; UPDATE ZPLACE SET ZNAME = 'Alp' WHERE Z_PK = 3",
      "MC5105 error", "MC6201 error 1 [1]"),
    PlantedDefect(
      "text where a number belongs", "UPDATE ZPLACE SET ZBEDS = 'many' WHERE Z_PK = 4", "MC6116 error 1 [4]"),
    PlantedDefect(
      "a number that its type cannot hold", "UPDATE ZPLACE SET ZBEDS = 40000 WHERE Z_PK = 4",
      "MC6116 error 1 [4]"),
    PlantedDefect(
      "bytes where a date belongs", "UPDATE ZVISIT SET ZDATE = x'00' WHERE Z_PK = 1", "MC6116 error 1 [1]"),
    PlantedDefect(
      "a UUID of 15 bytes", "UPDATE ZREGION SET ZCODE = substr(ZCODE, 1, 15)", "MC6116 error 1 [1]"),
    PlantedDefect(
      "a file that is missing",
      "UPDATE ZPHOTO SET ZDATA = CAST(x'02' || '0B7E0D4C-1111-2222-3333-444455556666' || x'00' AS BLOB)",
      "MC5303 error 1 [7]"),
    PlantedDefect(
      "a file name that leads elsewhere",
      "UPDATE ZPHOTO SET ZDATA = CAST(x'02' || '../../../../../../../etc/passwd?0000' || x'00' AS BLOB)",
      "MC5307 error 1 [7]"),
    PlantedDefect(
      "neither data nor a file's name", "UPDATE ZPHOTO SET ZDATA = x'0301'", "MC6116 error 1 [7]"),
  ]
}

/// Defects of a store of ``SampleModels/rules``.
enum RuleDefects {
  static let all = [
    PlantedDefect("too small", "UPDATE ZROUTE SET ZGRADE = 0 WHERE Z_PK = 1", "MC6108 error 1 [1]"),
    PlantedDefect("too large", "UPDATE ZROUTE SET ZGRADE = 11 WHERE Z_PK = 2", "MC6107 error 1 [2]"),
    PlantedDefect(
      "above a float's bound", "UPDATE ZROUTE SET ZSLOPE = 0.2 WHERE Z_PK = 1", "MC6107 error 1 [1]"),
    PlantedDefect("too early", "UPDATE ZROUTE SET ZOPENED = -1 WHERE Z_PK = 1", "MC6110 error 1 [1]"),
    PlantedDefect("too late", "UPDATE ZROUTE SET ZOPENED = 9e9 WHERE Z_PK = 2", "MC6109 error 1 [2]"),
    PlantedDefect("too short", "UPDATE ZROUTE SET ZTITLE = 'A' WHERE Z_PK = 1", "MC6113 error 1 [1]"),
    // Five characters, six UTF-16 units.
    PlantedDefect("too long", "UPDATE ZROUTE SET ZTITLE = 'A😀bcd' WHERE Z_PK = 1", "MC6112 error 1 [1]"),
    PlantedDefect(
      "not of the pattern", "UPDATE ZROUTE SET ZCODE = 'R-1x' WHERE Z_PK = 1", "MC6114 error 1 [1]"),
    PlantedDefect("against a rule", "UPDATE ZROUTE SET ZPRICE = 9.5 WHERE Z_PK = 2", "MC6117 error 1 [2]"),
    PlantedDefect("against a rule of length", "UPDATE ZROUTE SET ZMOTTO = 'a😀'", "MC6117 error 2 [1, 2]"),
    PlantedDefect(
      "a decimal that is too large", "UPDATE ZROUTE SET ZPRICE = 1e200 WHERE Z_PK = 2", "MC6116 error 1 [2]"),
    PlantedDefect("too few objects", "DELETE FROM ZSTAGE WHERE Z_PK = 1", "MC6104 error 1 [1]"),
    PlantedDefect(
      "too many objects", "UPDATE ZSTAGE SET ZROUTE = 2", "MC6103 information 1 [1]",
      "MC6105 error 1 [2]"),
    PlantedDefect(
      "a required to-many that is empty", "UPDATE ZSTAGE SET ZGUIDE = NULL", "MC6103 information 1 [1]",
      "MC6103 information 4 [1, 2, 3, 4]"),
  ]

  /// Every kind of rule that a model can state.
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Route",
      attributes: [
        AttributeDescription(
          name: "grade", type: .integer16, validation: AttributeValidation(minimum: "1", maximum: "10")),
        AttributeDescription(
          name: "slope", type: .float, isOptional: true, validation: AttributeValidation(maximum: "0.1")),
        AttributeDescription(
          name: "opened", type: .date, isOptional: true,
          validation: AttributeValidation(minimum: "2001-01-01", maximum: "2100-01-01T00:00:00Z")),
        AttributeDescription(
          name: "title", type: .string, validation: AttributeValidation(minimumLength: 2, maximumLength: 5)),
        AttributeDescription(
          name: "code", type: .string, validation: AttributeValidation(regularExpression: "R-[0-9]|S")),
        AttributeDescription(
          name: "price", type: .decimal, isOptional: true,
          validation: AttributeValidation(predicates: [
            ValidationPredicate(predicate: "SELF == 0 OR SELF >= 10", warning: "too cheap")
          ])),
        AttributeDescription(
          name: "motto", type: .string, isOptional: true,
          validation: AttributeValidation(predicates: [
            ValidationPredicate(predicate: "length != 3", warning: "three letters")
          ])),
      ],
      relationships: [
        RelationshipDescription(
          name: "stages", destinationEntityName: "Stage", inverseName: "route", isOptional: false,
          minCount: 2,
          maxCount: 3)
      ]),
    EntityDescription(
      name: "Stage", attributes: [AttributeDescription(name: "note", type: .string, isOptional: true)],
      relationships: [
        RelationshipDescription(name: "route", destinationEntityName: "Route", inverseName: "stages"),
        RelationshipDescription(
          name: "guide", destinationEntityName: "Guide", inverseName: "stages", isOptional: false),
      ]),
    EntityDescription(
      name: "Guide",
      relationships: [
        RelationshipDescription(
          name: "stages", destinationEntityName: "Stage", inverseName: "guide", isOptional: false,
          minCount: 1, maxCount: 0)
      ]),
  ])

  static let objects: [ManagedObject] = {
    func route(_ key: Int64) -> ManagedObject.ID { ManagedObject.ID(entityName: "Route", primaryKey: key) }
    let guide = ManagedObject.ID(entityName: "Guide", primaryKey: 1)
    let values: [String: AttributeValue] = [
      "grade": .integer(10), "slope": .double(Double(Float(0.1))), "opened": .date(0), "code": .string("R-7"),
    ]
    let stages = (1...4).map { key in
      ManagedObject("Stage", key, toOne: ["route": route(key <= 2 ? 1 : 2), "guide": guide])
    }
    return [
      ManagedObject("Route", 1, values: values.merging(["title": .string("A😀bc")]) { $1 }),
      ManagedObject("Route", 2, values: values.merging(["title": .string("Ab")]) { $1 }),
      ManagedObject("Guide", 1),
    ] + stages
  }()
}
