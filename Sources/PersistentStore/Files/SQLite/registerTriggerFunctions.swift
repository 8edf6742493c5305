package import GRDB

extension Database {
  /// Registers the SQL functions that the triggers of derived attributes call. They do nothing.
  ///
  /// Core Data learns from them which objects a statement touched. A connection that alters such tables needs their
  /// names even where triggers are switched off, because SQLite then resolves the triggers' text.
  package func registerTriggerFunctions() {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      self.add(function: DatabaseFunction(name, argumentCount: 5) { _ in nil })
    }
  }
}
