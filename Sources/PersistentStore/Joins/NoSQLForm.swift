/// Something that a SQL store cannot be asked.
package struct NoSQLForm: Error, Hashable {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}
