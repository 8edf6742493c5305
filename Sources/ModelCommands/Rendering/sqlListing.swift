import ManagedModel

extension String {
  /// A statement as it can be pasted into `sqlite3`.
  ///
  /// SQL has no escapes for characters that a terminal does not show. A statement with such characters, in a text of the
  /// app or in a trigger, becomes a comment, so that the listing never shows SQL that differs from what runs.
  var sqlListing: String {
    let isShown = unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !$0.isUnshown }
    // A tab is a blank to SQL, but not within a text.
    if isShown, !utf8.contains(UInt8(ascii: "\t")) { return self + ";" }
    return "-- contains characters that a terminal does not show; --format json has them:\n-- "
      + visible + ";"
  }
}
