import Foundation
package import ManagedModel
import StoreFiles

/// Reads the columns of one concrete entity.
struct RowDecoder {
  let entityName: String
  let number: Int
  /// What a query selects whose rows are to be read: key, entity number, then the table's columns.
  let columnList: String
  private var attributes: [(index: Int, name: String, attribute: AttributeDescription)] = []
  private var toOnes: [(index: Int, numberIndex: Int?, name: String, destination: String)] = []
  private let namesByNumber: [Int64: String]

  init?(_ entityName: String, schema: StoreSchema, hierarchy: EntityHierarchy) {
    guard let layout = schema.entity(named: entityName), let table = schema.table(ofEntity: entityName) else {
      return nil
    }
    self.entityName = entityName
    self.number = layout.number
    self.columnList = (["Z_PK", "Z_ENT"] + table.columns.map { quotedIdentifier($0.name) })
      .joined(separator: ", ")
    self.namesByNumber = schema.namesByNumber
    // Two columns of the statement come before those of the table.
    let positions = Dictionary(
      table.columns.enumerated().map { ($1.role, $0 + 2) }, uniquingKeysWith: { first, _ in first })
    for entity in hierarchy.lineage(of: entityName) {
      for leaf in storedLeaves(of: entity.attributes, composites: hierarchy.model.composites) {
        let reference = PropertyReference(entity: entity.name, property: leaf.keyPath)
        guard let index = positions[.attribute(reference)] else { continue }
        attributes.append((index, leaf.keyPath, leaf.attribute))
      }
      for relationship in entity.relationships {
        let reference = PropertyReference(entity: entity.name, property: relationship.name)
        guard let index = positions[.toOne(reference)] else { continue }
        let numberIndex = positions[.discriminator(reference)]
        toOnes.append((index, numberIndex, relationship.name, relationship.destinationEntityName))
      }
    }
  }

  /// - Parameter mark: takes what holds no value of its attribute; nil to throw at the first.
  func object(
    _ key: Int64, _ row: RowReader, externalData: (String) throws -> Data?,
    mark: ((UnreadableCell) -> Void)? = nil
  ) throws -> ManagedObject {
    var object = ManagedObject(entityName, key)
    for (index, name, attribute) in attributes {
      let cell = row.cell(index)
      let stored = storedValue(cell, of: attribute)
      if let mark, stored == .unreadable || stored == .outOfBounds {
        mark(UnreadableCell(object: object.id, property: name, kind: attribute.type.name, cell: cell))
        continue
      }
      switch stored {
      case .absent: break
      case .value(let value): object.values[name] = value
      case .external(let file):
        guard let data = try externalData(file) else {
          throw DiagnosticsError(.externalDataMissing(file, name, of: object.id))
        }
        object.values[name] = .binary(data)
      case .unreadable: throw DiagnosticsError(.unreadableValue(name, of: object.id, type: attribute.type))
      case .outOfBounds: throw DiagnosticsError(.outOfBounds(name, of: object.id, type: attribute.type))
      }
    }
    for (index, numberIndex, name, destination) in toOnes {
      switch row.cell(index) {
      case .null: break
      case .integer(let target):
        let number = numberIndex.flatMap { row.integer($0) }
        object.toOne[name] = ManagedObject.ID(
          entityName: number.flatMap { namesByNumber[$0] } ?? destination, primaryKey: target)
      case let cell:
        guard let mark else { throw DiagnosticsError(.unreadableReference(name, of: object.id)) }
        mark(UnreadableCell(object: object.id, property: name, kind: "primary key", cell: cell))
      }
    }
    return object
  }
}

/// A cell that holds no value of its property.
package struct UnreadableCell: Hashable, Sendable {
  package var object: ManagedObject.ID
  package var property: String
  /// What it should hold, in a word.
  package var kind: String
  var cell: StoredCell

  /// What it holds, in characters that stand for themselves anywhere: bytes as SQLite writes them.
  package var text: String {
    switch cell {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "text \(SQLLiteral.blob(Array(text.utf8)).sql)"
    case .blob(let data): "bytes \(SQLLiteral.blob(Array(data)).sql)"
    }
  }
}

extension Diagnostic.Code {
  package static let externalDataMissing = Self("MC5303")
  package static let cellOfWrongType = Self("MC5401")
  package static let cellOutOfBounds = Self("MC5402")
}

extension Diagnostic {
  package static func externalDataMissing(
    _ file: String, _ property: String, of id: ManagedObject.ID
  ) -> Diagnostic {
    Diagnostic(
      .externalDataMissing, .error,
      "the file '\(file)' with '\(property)' of object \(id.primaryKey) of '\(id.entityName)' is missing",
      subject: ModelSubject(entity: id.entityName, property: property),
      help: ["restore the folder '.<store name>_SUPPORT' beside the store"])
  }

  package static func unreadableValue(
    _ property: String, of id: ManagedObject.ID, type: AttributeType
  ) -> Diagnostic {
    Diagnostic(
      .cellOfWrongType, .error,
      "'\(property)' of object \(id.primaryKey) of '\(id.entityName)' holds no \(type.name)",
      subject: ModelSubject(entity: id.entityName, property: property),
      notes: ["another program than Core Data wrote the cell"],
      help: ["put a value of the type, or NULL, into the cell of a copy of the store"], cocoaCode: 134150)
  }

  fileprivate static func unreadableReference(_ property: String, of id: ManagedObject.ID) -> Diagnostic {
    Diagnostic(
      .cellOfWrongType, .error,
      "'\(property)' of object \(id.primaryKey) of '\(id.entityName)' holds no primary key",
      subject: ModelSubject(entity: id.entityName, property: property),
      help: ["put the key of a row, or NULL, into the cell of a copy of the store"], cocoaCode: 134150)
  }

  package static func outOfBounds(
    _ property: String, of id: ManagedObject.ID, type: AttributeType
  ) -> Diagnostic {
    Diagnostic(
      .cellOutOfBounds, .error,
      "'\(property)' of object \(id.primaryKey) of '\(id.entityName)' is too large for an \(type.name)",
      subject: ModelSubject(entity: id.entityName, property: property),
      notes: ["an app would read another number than the one that is stored"],
      help: ["make the attribute wider in a new version, or correct the number in a copy of the store"],
      cocoaCode: 134150)
  }
}
