import ManagedModel
import StoreFiles

/// Carries out what reads a store; where that fails because the store is damaged, says so, and not what came of it.
func namingDamage<Result>(of store: some OpenStore, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as DiagnosticsError {
    let mayBeDamage = error.diagnostics.contains {
      [.unprovedResult, .malformedStore, .statementFailed].contains($0.code)
    }
    guard mayBeDamage, let damage = try? store.damage() else { throw error }
    throw DiagnosticsError(damage)
  }
}
