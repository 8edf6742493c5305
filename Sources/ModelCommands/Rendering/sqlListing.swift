import ManagedModel

/// A statement as it can be pasted into `sqlite3`.
///
/// SQL has no escapes for characters that a terminal would not show. A statement that has such, in a text that the app
/// stores or in a trigger, becomes a comment: what is shown is never other SQL than what runs.
func sqlListing(_ statement: String) -> String {
  let isShown = statement.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !$0.isUnshown }
  // A tab is a blank to SQL, but not within a text.
  if isShown, !statement.utf8.contains(UInt8(ascii: "\t")) { return statement + ";" }
  return "-- holds characters that a terminal does not show; --format json has it as it is:\n-- "
    + visible(statement) + ";"
}
