import Foundation
import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks

/// The cache folder: `modelc` in `$XDG_CACHE_HOME`, else in `~/.cache`, on macOS in `~/Library/Caches`. Only commands
/// write there, never the libraries.
var cacheFolder: URL? {
  let environment = ProcessInfo.processInfo.environment
  if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
    return URL(filePath: folder).appending(path: "modelc")
  }
  guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
  #if os(macOS)
    let caches = "Library/Caches"
  #else
    let caches = ".cache"
  #endif
  return URL(filePath: home).appending(path: caches).appending(path: "modelc")
}

/// Stores that earlier runs found sound, in the user's cache folder. Nil if there is no folder or modelc cannot find
/// itself.
func resultCache() -> ResultCache? {
  guard let folder = cacheFolder?.appending(path: "check"), let program = programIdentity else { return nil }
  return ResultCache(folder: folder, program: program)
}

/// This program's path, size and time.
private var programIdentity: String? {
  #if os(Linux)
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  #else
    let path = Bundle.main.executablePath
  #endif
  guard let path, let facts = FileFacts(ofFileAt: path) else { return nil }
  return "\(path) \(facts.size) \(facts.modified.tv_sec).\(facts.modified.tv_nsec)"
}

/// This machine's speed: measured within the last month, or measured now and kept.
func cachedMachineSpeed() -> MachineSpeed? {
  let file = cacheFolder?.appending(path: "speed.json")
  if let file,
    let age = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate,
    abs(age.timeIntervalSinceNow) < 30 * 86_400, let data = try? Data(contentsOf: file),
    let speed = try? JSONDecoder().decode(MachineSpeed.self, from: data),
    [speed.copiedBytes, speed.changedRows, speed.checkedBytes].allSatisfy({ $0.isFinite && $0 > 1 })
  {
    return speed
  }
  guard let speed = measuredMachineSpeed() else { return nil }
  if let file {
    // Without a cache it is measured again next time; nothing else depends on it.
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? JSONEncoder().encode(speed).write(to: file, options: .atomic)
  }
  return speed
}
