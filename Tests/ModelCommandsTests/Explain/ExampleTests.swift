import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import TestSupport
import Testing

/// The examples of the explanations are models: the first raises the code, the fixed one does not.
@Suite("Examples of the explanations") struct ExampleTests {
  /// What can be told from the files alone; the families MC3 and later need a store for most of theirs.
  static let compiled = catalogue.filter {
    (["MC0", "MC1", "MC2"].contains($0.code.prefix(3)) || stages.contains($0.code)) && $0.hasModels
  }
  static let inferred = catalogue.filter {
    $0.code.hasPrefix("MC3") && !stages.contains($0.code) && $0.hasModels
  }
  /// What versions.yaml says of stages.
  static let stages: Set = ["MC3401", "MC3403"]

  @Test func `most codes are shown by a model`() {
    #expect(Self.compiled.count >= 60)
    #expect(Self.inferred.count >= 15)
  }

  @Test(arguments: compiled)
  func `the example raises its code, and the fixed one does not`(_ explanation: Explanation) throws {
    let models = explanation.models
    try #require(models.count == 2)
    let raised = try findings(models[0])
    let own = raised.filter { $0.code.description == explanation.code }
    #expect(!own.isEmpty, "raises \(raised.map(\.code.description))")
    for finding in own {
      #expect(explanation.severities.contains(finding.severity))
      #expect(finding.cocoaCode.map(explanation.cocoaCodes.contains) ?? explanation.cocoaCodes.isEmpty)
    }
    let fixed = try findings(models[1])
    #expect(fixed.filter { $0.code.description == explanation.code || $0.severity == .error } == [])
  }

  /// Codes that inference raises without a store.
  private static let inferredCodes: Set = [
    "MC3103", "MC3104", "MC3106", "MC3107", "MC3108", "MC3112", "MC3113", "MC3114", "MC3116", "MC3201",
    "MC3202",
    "MC3203", "MC3204", "MC3205", "MC3402", "MC3407",
  ]

  @Test(arguments: inferred)
  func `steps show what they are about`(_ explanation: Explanation) throws {
    let models = explanation.models
    try #require((1...2).contains(models.count))
    for model in models { #expect(try findings(model).filter { $0.severity == .error } == []) }
    let raised = try models.map { try inferenceFindings($0).map(\.code.description) }
    guard Self.inferredCodes.contains(explanation.code) else {
      // What only a store's rows raise: the step itself can be inferred.
      for codes in raised { #expect(codes == []) }
      return
    }
    try #require(raised.count == 2)
    #expect(raised[0].contains(explanation.code), "raises \(raised[0])")
    #expect(raised[1] == [])
  }

  #if SwiftData
    static let written = catalogue.filter { !$0.sources.isEmpty }

    @Test(arguments: written)
    func `Swift source raises its code, and the fixed one does not`(_ explanation: Explanation) throws {
      let found = try explanation.sources.map(findings)
      try #require(found.count == 2)
      let own = found[0].filter { $0.code.description == explanation.code }
      #expect(!own.isEmpty, "raises \(found[0].map(\.code.description))")
      for finding in own {
        #expect(explanation.severities.contains(finding.severity))
        #expect(finding.cocoaCode.map(explanation.cocoaCodes.contains) ?? true)
      }
      #expect(found[1].filter { $0.code.description == explanation.code || $0.severity == .error } == [])
    }

    private func findings(_ source: String) throws -> [Diagnostic] {
      try withTemporaryFolder { folder in
        let file = folder.appending(path: "App.swift")
        try Data(source.utf8).write(to: file)
        let (model, diagnostics) = ModelReader().read(at: file)
        return diagnostics + (model?.gateFindings ?? [])
      }
    }
  #endif

  private func inferenceFindings(_ files: [String: String]) throws -> [Diagnostic] {
    let versions = try read(files).model?.versions ?? []
    var findings = versions.checkNameHistory()
    var stepwise: MappingModel?
    for (from, to) in zip(versions, versions.dropFirst()) {
      let (step, found) = inferMappingModel(from: from, to: to)
      findings += found
      stepwise = stepwise.map { $0.composed(with: step) } ?? step
    }
    if let difference = stepwise.flatMap({ versions.comparePaths(stepwise: $0) }) {
      findings.append(difference)
    }
    return findings
  }

  private func findings(_ files: [String: String]) throws -> [Diagnostic] {
    let (model, diagnostics) = try read(files)
    guard let model else { return diagnostics }
    return diagnostics + model.versions.flatMap { checkModel(of: $0) }
      + model.checkVersionDifferences()
  }

  private func read(
    _ files: [String: String]
  ) throws -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    try withTemporaryFolder { folder in
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      return readVersionedModel(folder: folder)
    }
  }
}

extension Explanation: CustomTestStringConvertible {
  public var testDescription: String { code }

  var hasModels: Bool { example.contains("```yaml") }

  /// The Swift blocks.
  var sources: [String] {
    example.matches(of: #/(?s)```swift\n(.*?)```/#).map { String($0.1) }
  }

  /// The YAML blocks: of each the files by name.
  var models: [[String: String]] { exampleModels(in: example) }
}
