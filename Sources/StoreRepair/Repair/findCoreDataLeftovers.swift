import PersistentStore

/// Files that a migration by Core Data made beside a store and, because it was killed, did not take away: the store that
/// it was filling, under the store's name with `.migrationdestination_` and 32 hexadecimal digits, and its side files.
func findCoreDataLeftovers(ofStoreAt path: String) -> [String] {
  let folder = parentFolder(of: path)
  let prefix = ".\(path.lastComponent).migrationdestination_"
  return namesInFolder(folder).filter { name in
    guard name.hasPrefix(prefix) else { return false }
    var rest = name.dropFirst(prefix.count)
    for suffix in ["-wal", "-shm", "-journal"] where rest.hasSuffix(suffix) {
      rest = rest.dropLast(suffix.count)
    }
    return rest.count == 32 && rest.allSatisfy(\.isHexDigit)
  }
  .map { "\(folder)/\($0)" }.filter { (try? FileStatus(atPath: $0))?.kind == .regular }
}
