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
      "paths": JSONValue(triage.stores), "diagnostics": .array(diagnostics.map(\.json)),
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
