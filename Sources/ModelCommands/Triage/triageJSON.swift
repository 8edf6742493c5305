import ManagedModel
import PersistentStore
import StoreRepair

/// The object that other programs may rely on.
extension TriageAnswer: JSONResult {
  static let result = JSONObject<Self>(
    "triage", "What a log says of a store.",
    [
      "log": .value(\.log, "The log, as it was named."),
      "lines": .value(\.triage.lineCount, "How many it has."),
      "findings": .value(\.triage.findings, "Kinds of trouble."),
      "unknownErrors": .value(
        { $0.triage.unknownErrors.map(\.description) }, "Errors that modelc does not know."),
      "stores": .value(\.stores, "Stores whose hashes are printed."),
      "checksums": .list(\.checksums, of: checksum, "Version checksums that are printed."),
      "digests": .list(\.digests, of: digest, "Hashes without the name of an entity."),
      "systemStores": .list(
        \.triage.systemStores, of: systemStore, "Stores of the system, whose errors are not findings."),
      "modelsSearched": .value({ $0.models.map(\.name) }, "In which hashes were looked for."),
      "paths": .value(\.triage.stores, "Stores that are named."),
      "diagnostics": .diagnostics(\.diagnostics),
    ])

  private static let digest = JSONObject<RecognisedDigest>(
    "printedDigest", "A hash, and the entities that have it.",
    [
      "beginning": .value(\.digits.beginning, "Its first digits, hexadecimal."),
      "end": .value(\.digits.end, "Its last digits, where it is shortened."),
      "entities": .list(\.entities, of: digestEntity),
    ])

  private static let digestEntity = JSONObject<(name: String, versions: [RecognisedVersion])>(
    "digestEntity", "An entity with that hash.",
    ["entity": .value(\.name), "versions": .list(\.versions, of: RecognisedVersion.printed)])

  private static let systemStore = JSONObject<(owner: String, line: Int, count: Int)>(
    "systemStore", "A store of the system.",
    [
      "owner": .value(\.owner, "The app or service."), "line": .value(\.line),
      "count": .value(\.count, "How many lines."),
    ])

  private static let checksum = JSONObject<RecognisedChecksum>(
    "printedChecksum", "A version checksum, and whose it is.",
    ["checksum": .value(\.checksum), "versions": .list(\.versions, of: RecognisedVersion.printed)])

  static let refusal = JSONShape.refusal.adding(
    "logRefusal", "A log that cannot be read.", ["log": .text("The log, as it was named.")])
}

extension LogTriage.Finding: JSONResult {
  static let result = JSONObject<Self>(
    "logFinding", "A kind of trouble that the log tells of.",
    [
      "kind": .value(\.kind.name, "Its name."), "title": .value(\.kind.title),
      "errors": .value({ $0.errors.map(\.description) }, "Error domains and codes."),
      "line": .value(\.line, "Where it was first."), "count": .value(\.count, "How often."),
      "excerpt": .value(\.excerpt), "whatItMeans": .value(\.kind.meaning),
      "ifNothingIsDone": .value(\.kind.loss), "whatToDo": .value(\.runnableAdvice, "One step each."),
      "codes": .value(\.kind.codes, "modelc's own codes for it."),
    ])
}

extension RecognisedVersion {
  fileprivate static let printed = JSONObject<Self>(
    "printedVersion", "A version of a model.",
    ["model": .value(\.modelName), "version": .value(\.versionName)])
}

extension PrintedRecognition: JSONResult {
  static let result = JSONObject<Self>(
    "printedStore", "A store whose version hashes a log prints.",
    [
      "entities": .value(\.printed.digits.count, "How many hashes are printed."),
      "whole": .value(\.isWhole, "Whether all digits are."),
      "closed": .value(\.printed.isClosed, "Whether the list ends."),
      "line": .value(\.printed.line, "Where it begins."),
      "versions": .list(\.versions, of: RecognisedVersion.printed, "Versions that have them."),
      "differingFromCurrent": .value(
        \.differingFromCurrent, "Entities that the current version has otherwise."),
      "nearest": .value(\.nearest, orNullAs: nearestVersion),
    ])

  /// The object of `inspect LOG`.
  static let ofLog = JSONObject<(log: String, stores: [Self])>(
    "log", "A text that prints the version hashes of a store.",
    ["log": .value(\.log, "The file, as it was named."), "stores": .value(\.stores)])

  private static let nearestVersion = JSONObject<Nearest>(
    "nearestPrinted", "The version that is nearest.",
    [
      "model": .value(\.modelName), "version": .value(\.versionName),
      "equal": .value(\.equal, "Entities with equal hashes."),
      "differing": .value(\.differing, "The others."),
    ])
}
