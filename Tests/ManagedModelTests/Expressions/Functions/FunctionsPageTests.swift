import Foundation
import ManagedModel
import Testing

/// `Functions.md` of the documentation says what the functions themselves say. `MODELC_RECORD=1` writes it.
@Suite struct FunctionsPage {
  @Test func `The page lists every function`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "../../../Sources/ModelMigration/ModelMigration.docc/Functions.md").standardizedFileURL
    if ProcessInfo.processInfo.environment["MODELC_RECORD"] == "1" {
      try Data(text.utf8).write(to: page)
    }
    #expect(try String(contentsOf: page, encoding: .utf8) == text)
  }

  private var text: String {
    let rows = PredefinedFunction.all.map { function in
      let origin = function.origin == .coreData ? "Core Data's" : "modelc's"
      return "| `\(function.signature)` | \(origin) | \(function.result.inWords) | \(function.isFetched) |\n"
    }
    return """
      # Functions

      Every function that an expression may call by name. Core Data does not know modelc's own.

      ## Overview

      | function | whose | gives | in a fetch |
      |---|---|---|---|
      \(rows.joined())
      """
  }
}

extension PredefinedFunction {
  fileprivate var isFetched: String {
    if case .none = fetchForm { "no" } else { "yes" }
  }
}

extension PredefinedFunction.ResultType {
  fileprivate var inWords: String {
    switch self {
    case .value(let type, _): type.name
    case .number: "a number"
    case .element: "one of the values"
    case .first: "a value of the first argument's type"
    case .any: "one of the arguments"
    case .unknown: "what the arguments decide"
    }
  }
}
