import GRDB
import ManagedModel

/// Writes one relationship where the source's own row does not hold it.
protocol LinkWriter: AnyObject {
  func link(_ source: ManagedObject.ID, to destinations: [ManagedObject.ID]) throws
  func finish() throws
}

/// Sets the source's key in the rows of the destinations, once all rows are there.
final class ReferenceWriter: LinkWriter {
  private var links: [(source: ManagedObject.ID, destination: ManagedObject.ID, order: Int)] = []
  private let statement: Statement
  private let numbers: [String: Int]
  private let setsNumber: Bool
  private let setsOrder: Bool
  private let db: Database

  init(
    _ owner: ObjectWriter, table: TableLayout, key: ColumnLayout, number: ColumnLayout?, order: ColumnLayout?
  ) throws {
    let columns = [key, number, order].compactMap { $0.map { $0.name.quotedIdentifier + " = ?" } }
    (db, numbers) = (owner.db, owner.schema.numbersByName)
    (setsNumber, setsOrder) = (number != nil, order != nil)
    statement = try owner.db.makeStatement(
      sql: "UPDATE \(table.name.quotedIdentifier) SET \(columns.joined(separator: ", ")) WHERE Z_PK = ?")
  }

  func link(_ source: ManagedObject.ID, to destinations: [ManagedObject.ID]) {
    for (index, destination) in destinations.enumerated() {
      links.append((source, destination, OrderKey.at(index)))
    }
  }

  func finish() throws {
    for link in links {
      var arguments = [link.source.primaryKey.databaseValue]
      if setsNumber { arguments.append(numbers[link.source.entityName]?.databaseValue ?? .null) }
      if setsOrder { arguments.append(link.order.databaseValue) }
      arguments.append(link.destination.primaryKey.databaseValue)
      statement.setUncheckedArguments(StatementArguments(arguments))
      try statement.execute()
      guard db.changesCount == 1 else {
        throw DiagnosticsError(
          .rowRefused(
            link.source,
            reason: "it refers to object \(link.destination.primaryKey) of"
              + " '\(link.destination.entityName)', which does not exist"))
      }
    }
    links = []
  }
}

/// Writes rows of a join table; the same pair stated from both sides is one row.
final class JoinRowWriter: LinkWriter {
  private let join: JoinTableLayout
  private let statement: RowStatement
  /// Writes a pair the other way round without touching what is there: a relationship that is its own inverse
  /// holds both directions, and only the far side may have an order.
  private let mirror: RowStatement?
  /// Places in the other side's order, where only this side states the pairs.
  private var otherOrders = OrderKeys()

  /// - Parameter join: seen from the side that states the pairs.
  init(_ db: Database, _ join: JoinTableLayout) throws {
    self.join = join
    self.statement = try RowStatement(db, sql: join.replacingInsertion)
    self.mirror = join.isOwnInverse ? try RowStatement(db, sql: join.keepingInsertion) : nil
  }

  func link(_ source: ManagedObject.ID, to destinations: [ManagedObject.ID]) throws {
    for (index, destination) in destinations.enumerated() {
      let (near, far) = (source.primaryKey, destination.primaryKey)
      func other() -> Int64 { Int64(otherOrders.next(far)) }
      try statement.run(join.cells(near, far, order: Int64(OrderKey.at(index)), otherOrder: other()))
      if let mirror { try mirror.run(join.cells(far, near, order: other(), otherOrder: 0)) }
    }
  }

  func finish() {}
}
