/// Something that a SQL store cannot be asked.
package struct NotExpressibleInSQL: Error, Hashable {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}
