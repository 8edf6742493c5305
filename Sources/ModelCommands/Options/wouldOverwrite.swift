import ManagedModel

extension Diagnostic.Code {
  static let wouldOverwrite = Self("MC0012")
}

extension Diagnostic {
  /// - Parameters:
  ///   - words: what is known of each.
  ///   - notes: what there is to say of all of them.
  static func wouldOverwrite(
    _ paths: [String], _ noun: String = "file", each words: String,
    notes: [Note] = ["nothing was written"], help: String
  ) -> Self {
    Self(
      .wouldOverwrite, .error, "\(counted(paths.count, noun)) would be overwritten",
      notes: paths.map { Note("'\($0)' \(words)") } + notes, help: [help])
  }
}

extension String {
  /// - Throws: MC0012 where the file that an option names to be written is a store.
  func refuseStore() throws(UsageError) {
    guard isSQLiteFile else { return }
    throw UsageError(
      .wouldOverwrite([self], "store", each: "has users' data", help: "name another file to write to"))
  }
}
