import Foundation
import ModelMigration
import PersistentStore

/// This machine's speed: measured within the last month, or measured now and kept.
func cachedMachineSpeed() -> MachineSpeed? {
  let file = cacheFolder?.appending(path: "speed.json")
  if let file,
    let age = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate,
    abs(age.timeIntervalSinceNow) < 30 * 86_400, let data = try? Data(contentsOf: file),
    let speed = try? JSONDecoder().decode(MachineSpeed.self, from: data), speed.isSensible
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

extension MachineSpeed {
  fileprivate var isSensible: Bool {
    [copiedBytes, changedRows, checkedBytes].allSatisfy { $0.isFinite && $0 > 1 }
  }
}
