package import Foundation
package import Testing

/// The independent judge of stores: a program that shares no line with modelc.
package enum Oracle {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scripts/oracle.py")

  package static let isPresent: Bool = Python.isPresent

  /// Expects that it finds nothing wrong with any of the stores; one process looks at all of them.
  ///
  /// - Parameter isStrict: whether what only genuine stores show is asked for as well.
  package static func expectSound(
    _ stores: [URL], isStrict: Bool = false, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let run = try Python.run([script.path] + (isStrict ? ["--strict"] : []) + stores.map(\.path))
    let complaints = run.text.split(separator: "\n").filter { !$0.hasPrefix("ok") }.prefix(20)
      .joined(separator: "\n")
    #expect(run.code == 0, "\(complaints)", sourceLocation: sourceLocation)
    #expect(
      run.text.contains("\(stores.count) stores, 0 wrong"), "\(complaints)", sourceLocation: sourceLocation)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where the judge or its Python is not at hand.
  package static var needsOracle: Self {
    .enabled(if: Oracle.isPresent, "python3 is absent")
  }
}
