package import Foundation
package import ManagedModel

/// Reads the objects of one entity from rows that hold all columns of its table, those of other entities too.
struct RowDecoder {
  let shape: EntityShape
  /// What a query selects whose rows are to be read: key, entity number, then the table's columns.
  let columnList: String
  /// By slot.
  private let places: [Int]
  private let namesByNumber: [Int64: String]

  init?(_ entityName: String, schema: StoreSchema, hierarchy: EntityHierarchy) {
    guard let shape = EntityShape(entityName, schema: schema, hierarchy: hierarchy),
      let table = schema.table(ofEntity: entityName)
    else { return nil }
    self.shape = shape
    let names = table.columns.map(\.name)
    columnList = (["Z_PK", "Z_ENT"] + names.map(\.quotedIdentifier)).joined(separator: ", ")
    // Two columns of the statement come before those of the table.
    places = shape.columnNames.map { (names.firstIndex(of: $0) ?? 0) + 2 }
    namesByNumber = schema.namesByNumber
  }

  /// - Parameter mark: takes what holds no value of its attribute; nil to throw at the first.
  func object(
    _ key: Int64, _ row: RowReader, externalData: (String) throws -> Data?,
    mark: ((UnreadableCell) -> Void)? = nil
  ) throws -> ManagedObject {
    var object = ManagedObject(shape.name, key)
    for (name, attribute) in shape.attributes {
      let cell = row.cell(places[attribute.slot])
      let stored = cell.storedValue(of: attribute.attribute)
      if let mark, stored == .unreadable || stored == .outOfBounds {
        mark(UnreadableCell(object: object.id, property: name, kind: attribute.type.name, cell: cell))
      } else {
        object.values[name] = try stored.value(
          of: attribute.attribute, property: name, object: object.id, externalData: externalData)
      }
    }
    for (name, toOne) in shape.toOnes {
      switch row.cell(places[toOne.keySlot]) {
      case .null: break
      case .integer(let target):
        let number = toOne.numberSlot.flatMap { row.integer(places[$0]) }
        object.toOne[name] = ManagedObject.ID(
          entityName: number.flatMap { namesByNumber[$0] } ?? toOne.destinationEntityName, primaryKey: target)
      case let cell:
        guard let mark else {
          throw DiagnosticsError(
            .cellOfWrongType, "'\(name)' of object \(key) of '\(shape.name)' does not hold a primary key",
            subject: ModelSubject(entity: shape.name, property: name),
            help: ["in a copy of the store, put the key of a row or NULL into the cell"], cocoaCode: 134150)
        }
        mark(UnreadableCell(object: object.id, property: name, kind: "primary key", cell: cell))
      }
    }
    return object
  }
}

extension StoredValue {
  /// The value, or nil.
  ///
  /// - Parameter externalData: the content of a file, by its name; nil if it is missing.
  /// - Throws: MC5401, MC5402 for cells that hold no value of the attribute, MC5303 where a file is missing.
  package func value(
    of attribute: AttributeDescription, property: String, object: ManagedObject.ID,
    externalData: (String) throws -> Data?
  ) throws -> AttributeValue? {
    var holder: String { "'\(property)' of object \(object.primaryKey) of '\(object.entityName)'" }
    var subject: ModelSubject { ModelSubject(entity: object.entityName, property: property) }
    switch self {
    case .absent: return nil
    case .value(let value): return value
    case .external(let file):
      if let data = try externalData(file) { return .binary(data) }
      throw DiagnosticsError(
        .externalDataMissing, "the file '\(file)' with \(holder) is missing", subject: subject,
        help: ["restore the folder '.<store name>_SUPPORT' next to the store"])
    case .unreadable:
      throw DiagnosticsError(
        .cellOfWrongType, "\(holder) does not hold a valid \(attribute.type.name)", subject: subject,
        notes: ["a program other than Core Data wrote the cell"],
        help: ["in a copy of the store, put a value of the type or NULL into the cell"], cocoaCode: 134150)
    case .outOfBounds:
      throw DiagnosticsError(
        .cellOutOfBounds, "\(holder) is too large for an \(attribute.type.name)", subject: subject,
        notes: ["an app would read a different number than the stored one"],
        help: ["make the attribute wider in a new version, or correct the number in a copy of the store"],
        cocoaCode: 134150)
    }
  }
}

package struct UnreadableCell: Hashable, Sendable {
  package var object: ManagedObject.ID
  package var property: String
  /// What it should hold, in a word.
  package var kind: String
  var cell: StoredCell

  /// What it holds, in characters that stand for themselves anywhere: bytes as SQLite writes them.
  package var text: String { cell.printed }
}

extension StoredCell {
  /// In characters that stand for themselves anywhere.
  var printed: String {
    switch self {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "text \(StoredCell.blob(Data(text.utf8)).sql)"
    case .blob: "bytes \(sql)"
    }
  }
}

extension Diagnostic.Code {
  package static let externalDataMissing = Self("MC5303")
  package static let cellOfWrongType = Self("MC5401")
  package static let cellOutOfBounds = Self("MC5402")
}
