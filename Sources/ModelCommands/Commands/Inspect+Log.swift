import ManagedModel
import StoreRepair

extension Inspect {
  /// What a log says of a store: which versions have the hashes that it prints.
  ///
  /// - Returns: nil if the file is not text, or prints none.
  func inspectLog(_ path: String, among models: [VersionedModel]) throws -> JSONValue? {
    let log = try readLog(path, kinds: [])
    let found = log.printed.map { recogniseStore(printed: $0, among: models) }
    guard log.isText, !found.isEmpty else { return nil }
    if !output.writesJSON {
      let advice = "  what else it tells: `modelc triage \(shellWord(path))`"
      output.print(
        ([path + ": no store, but a text that prints the version hashes of one"]
          + found.flatMap { $0.lines(hasModels: !models.isEmpty) } + [
            RunContext.current.commands.runnable(advice)
          ])
          .shownLines)
    }
    return PrintedRecognition.ofLog.json(of: (path, found))
  }
}
