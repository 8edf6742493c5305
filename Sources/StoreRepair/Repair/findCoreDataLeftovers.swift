import Foundation

/// Files that a migration by Core Data made beside a store and, because it was killed, did not take away: the store that
/// it was filling, under the store's name with `.migrationdestination_` and 32 hexadecimal digits, and its side files.
func findCoreDataLeftovers(ofStoreAt path: String) -> [String] {
  let store = path as NSString
  let folder = store.deletingLastPathComponent
  let prefix = ".\(store.lastPathComponent).migrationdestination_"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
  return names.filter { name in
    guard name.hasPrefix(prefix) else { return false }
    var rest = name.dropFirst(prefix.count)
    for suffix in ["-wal", "-shm", "-journal"] where rest.hasSuffix(suffix) {
      rest = rest.dropLast(suffix.count)
    }
    return rest.count == 32 && rest.allSatisfy(\.isHexDigit)
  }
  .map { (folder as NSString).appendingPathComponent($0) }
  .filter {
    (try? FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType) == .typeRegular
  }
  .sorted()
}
