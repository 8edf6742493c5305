/// The tables that a verification is held to, with the columns; none stands for all of the table's.
package typealias TouchedTables = [String: Set<String>]
