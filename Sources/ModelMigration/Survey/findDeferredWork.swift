package import ManagedModel
import ModelArchives
import PersistentStore

/// Work that an earlier migration by Core Data has deferred; nil for none.
///
/// Core Data leaves a key in the metadata while clean-up is pending (Apple's documentation of
/// `NSPersistentStoreDeferredLightweightMigrationOptionKey`). What stands in the tables until then fits neither
/// version, so no further migration begins there.
func deferredWork(in metadata: StoreMetadata, store: String) -> Diagnostic? {
  switch metadata["NSPersistentStoreDeferredLightweightMigrationOptionKey"] {
  case .boolean(true): break
  case .integer(let number) where number != 0: break
  default: return nil
  }
  return Diagnostic(
    .deferredMigrationPending, .error, "an earlier migration of \(store) by Core Data is not finished",
    notes: ["it deferred its cleanup: tables and columns of the old version remain, and nothing marks them"],
    help: [
      "open the store with the app that started it, which calls `finishDeferredLightweightMigration()`, then migrate it"
    ])
}

extension Diagnostic.Code { package static let deferredMigrationPending = Self("MC5202") }
