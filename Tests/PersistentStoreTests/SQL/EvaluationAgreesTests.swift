import Foundation
import GRDB
import ManagedModel
import TestSupport
import Testing

@Suite struct `Evaluation and SQL agree` {
  /// `MODELC_SEEDS=2000` runs that many stores, each with fifty expressions.
  static var seeds: Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["MODELC_SEEDS"].flatMap(UInt64.init) ?? 6)
  }

  @Test func `Random expressions give the same for random rows`() throws {
    var (compiled, all) = (0, 0)
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      try withNewStore(of: Ledger.model, objects: Ledger.objects(&random)) { db, schema, _ in
        let trial = try ValueTrial(db, schema, Ledger.model)
        var values = RandomValues(seed: seed &+ 1_000_000)
        for _ in 0..<50 {
          all += 1
          if try isSame(trial, &values, seed) { compiled += 1 }
        }
      }
    }
    // Nothing is shown by expressions that do not compile.
    #expect(compiled * 3 > all, "\(compiled) of \(all)")
    print("\(compiled) of \(all) random expressions compiled to SQL")
  }

  /// - Returns: whether the expression has a form in SQL.
  private func isSame(_ trial: ValueTrial, _ values: inout RandomValues, _ seed: UInt64) throws -> Bool {
    let differences: [String]?
    let text: String
    if Bool.random(using: &values.random) {
      text = values.condition(3)
      differences = try trial.differences(parsePredicate(text), "Account")
    } else {
      let kind = values.random.pick(RandomValues.Kind.allCases)
      text = values.value(kind, 3)
      let attribute = Ledger.attribute("result", values.attributeType(kind))
      differences = try trial.differences(parseExpression(text), "Account", as: attribute)
    }
    guard let differences else { return false }
    #expect(differences == [], "seed \(seed): \(text)")
    return true
  }
}
