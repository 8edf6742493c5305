package import Foundation

/// Runs the body with a fresh folder that is removed afterwards.
///
/// - Parameter isOnDisk: whether it has to be on a disk: what is asked of the file system goes beyond what one in memory
///   keeps.
package func withTemporaryFolder<Result>(
  isOnDisk: Bool = false, _ body: (URL) throws -> Result
) throws -> Result {
  let folder = try freshFolder(isOnDisk: isOnDisk)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// The same for a body that waits.
package func withTemporaryFolder<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = try freshFolder(isOnDisk: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

private func freshFolder(isOnDisk: Bool) throws -> URL {
  let root = isOnDisk ? FileManager.default.temporaryDirectory : temporaryRoot
  let folder = root.appending(path: "modelc-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

/// In memory where Linux has a gigabyte for it, because tests make small stores and have them synced all the time;
/// `TMPDIR` decides where it is set.
private let temporaryRoot: URL = {
  let memory = "/dev/shm"
  let space = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? Int
  let isAsked = ProcessInfo.processInfo.environment["TMPDIR"] != nil
  guard !isAsked, let space, space > 1 << 30, FileManager.default.isWritableFile(atPath: memory) else {
    return FileManager.default.temporaryDirectory
  }
  return URL(filePath: memory)
}()
