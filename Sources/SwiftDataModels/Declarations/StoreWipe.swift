package import ManagedModel

/// Where source removes or moves a store's files after the store could not be opened.
package struct StoreWipe: Hashable, Sendable {
  /// The call that removes or moves: `removeItem`.
  package var call: String
  package var place: SourceRange
  /// The function that opens the store.
  package var function: String
  /// Where the store is opened.
  package var opening: SourceRange
}

extension [(text: String, path: String)] {
  /// Finds wipes in files of one program: in the function that opens the store, or in one that it calls where opening has
  /// failed.
  package func findStoreWipes() -> [StoreWipe] {
    #if SwiftData
      var finder = WipeFinder()
      for (text, path) in self {
        let lines = SourceLines([UInt8](text.utf8), file: path)
        if !lines.isTooDeep { finder.read(text, lines) }
      }
      return finder.wipes
    #else
      return []
    #endif
  }
}

/// Words of which a file needs one to hold a part of a wipe.
package let wipeWords = [
  "ModelContainer", "loadPersistentStores", "addPersistentStore", "removeItem", "moveItem", "trashItem",
  "replaceItem", "destroyPersistentStore",
]
