import LogTriage
import ManagedModel
import PersistentStore

extension TriageAnswer {
  /// The object that other programs may rely on.
  var json: JSONValue {
    [
      "log": .string(log), "lines": .integer(Int64(triage.lineCount)),
      "findings": .array(triage.findings.map(\.json)),
      "unknownErrors": JSONValue(triage.unknownErrors.map(\.description)),
      "stores": .array(stores.map(\.json)),
      "checksums": .array(
        checksums.map {
          ["checksum": .string($0.checksum), "versions": .array($0.versions.map(\.json))] as JSONValue
        }),
      "digests": .array(
        digests.map { digest in
          [
            "beginning": .string(digest.digits.beginning), "end": .string(digest.digits.end),
            "entities": .array(
              digest.entities.map {
                ["entity": .string($0.name), "versions": .array($0.versions.map(\.json))] as JSONValue
              }),
          ] as JSONValue
        }),
      "systemStores": .array(
        triage.systemStores.map {
          ["owner": .string($0.owner), "line": .integer(Int64($0.line)), "count": .integer(Int64($0.count))]
            as JSONValue
        }),
      "modelsSearched": JSONValue(models.map(\.name)), "paths": JSONValue(triage.stores),
      "diagnostics": .array(diagnostics.map(\.json)),
    ]
  }
}

extension LogTriage.Finding {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.name), "title": .string(kind.title),
      "errors": JSONValue(errors.map(\.description)),
      "line": .integer(Int64(line)), "count": .integer(Int64(count)), "excerpt": .string(excerpt),
      "whatItMeans": .string(kind.meaning), "ifNothingIsDone": .string(kind.loss),
      "whatToDo": JSONValue(runnableAdvice), "codes": JSONValue(kind.codes),
    ]
  }
}

extension RecognisedVersion {
  fileprivate var json: JSONValue { ["model": .string(modelName), "version": .string(versionName)] }
}

extension PrintedRecognition {
  var json: JSONValue {
    [
      "entities": .integer(Int64(printed.digits.count)), "whole": .boolean(isWhole),
      "closed": .boolean(printed.isClosed), "line": .integer(Int64(printed.line)),
      "versions": .array(versions.map(\.json)), "differingFromCurrent": JSONValue(differingFromCurrent),
      "nearest": nearest.map {
        [
          "model": .string($0.modelName), "version": .string($0.versionName),
          "equal": .integer(Int64($0.equal)), "differing": JSONValue($0.differing),
        ]
      } ?? .null,
    ]
  }
}

extension TriageAnswer {
  static let shape = JSONShape.object(
    "triage", "What a log says of a store.",
    [
      "log": .text("The log, as it was named."), "lines": .integer("How many it has."),
      "findings": .list(of: LogTriage.Finding.shape, "Kinds of trouble."),
      "unknownErrors": .texts("Errors that modelc does not know."),
      "stores": .list(of: PrintedRecognition.shape, "Stores whose hashes are printed."),
      "checksums": .list(of: checksumShape, "Version checksums that are printed."),
      "digests": .list(of: digestShape, "Hashes without the name of an entity."),
      "systemStores": .list(of: systemStoreShape, "Stores of the system, whose errors are not findings."),
      "modelsSearched": .texts("In which hashes were looked for."),
      "paths": .texts("Stores that are named."), "diagnostics": .diagnostics,
    ])

  private static let digestShape = JSONShape.object(
    "printedDigest", "A hash, and the entities that have it.",
    [
      "beginning": .text("Its first digits, hexadecimal."),
      "end": .text("Its last digits, where it is shortened."),
      "entities": .list(
        of: .object(
          "digestEntity", "An entity with that hash.",
          ["entity": .text(""), "versions": .list(of: RecognisedVersion.printedShape, "")]), ""),
    ])

  private static let systemStoreShape = JSONShape.object(
    "systemStore", "A store of the system.",
    ["owner": .text("The app or service."), "line": .integer(""), "count": .integer("How many lines.")])

  private static let checksumShape = JSONShape.object(
    "printedChecksum", "A version checksum, and whose it is.",
    ["checksum": .text(""), "versions": .list(of: RecognisedVersion.printedShape, "")])

  static let refusal = JSONShape.refusal.adding(
    "logRefusal", "A log that cannot be read.", ["log": .text("The log, as it was named.")])
}

extension LogTriage.Finding {
  fileprivate static let shape = JSONShape.object(
    "logFinding", "A kind of trouble that the log tells of.",
    [
      "kind": .text("Its name."), "title": .text(""), "errors": .texts("Error domains and codes."),
      "line": .integer("Where it was first."), "count": .integer("How often."), "excerpt": .text(""),
      "whatItMeans": .text(""), "ifNothingIsDone": .text(""), "whatToDo": .texts("One step each."),
      "codes": .texts("modelc's own codes for it."),
    ])
}

extension RecognisedVersion {
  fileprivate static let printedShape = JSONShape.object(
    "printedVersion", "A version of a model.", ["model": .text(""), "version": .text("")])
}

extension PrintedRecognition {
  static let shape = JSONShape.object(
    "printedStore", "A store whose version hashes a log prints.",
    [
      "entities": .integer("How many hashes are printed."), "whole": .flag("Whether all digits are."),
      "closed": .flag("Whether the list ends."), "line": .integer("Where it begins."),
      "versions": .list(of: RecognisedVersion.printedShape, "Versions that have them."),
      "differingFromCurrent": .texts("Entities that the current version has otherwise."),
      "nearest": nearestShape.orNull,
    ])

  static let logShape = JSONShape.object(
    "log", "A text that prints the version hashes of a store.",
    ["log": .text("The file, as it was named."), "stores": .list(of: shape, "")])

  private static let nearestShape = JSONShape.object(
    "nearestPrinted", "The version that is nearest.",
    [
      "model": .text(""), "version": .text(""), "equal": .integer("Entities with equal hashes."),
      "differing": .texts("The others."),
    ])
}
