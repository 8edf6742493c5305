import Foundation
package import ManagedModel

/// Refuses where a folder's file system has too little room, before anything is written.
///
/// - Parameter needed: bytes that are about to be written.
package func requireFreeSpace(_ needed: Int64, inFolder folder: String, for name: String) throws {
  let free: Int64
  do { free = try freeSpace(inFolder: folder) } catch { throw DiagnosticsError(.unwritable(name, error)) }
  if free < needed {
    throw DiagnosticsError(
      .insufficientDiskSpace,
      "not enough space in '\(folder)' for '\(name)': \(needed) bytes are needed, \(free) are free",
      notes: ["nothing was written"], help: ["free \(needed - free) bytes on that disk"])
  }
}

/// Bytes that an ordinary user may still write there.
func freeSpace(inFolder folder: String) throws(SystemError) -> Int64 {
  var information = statvfs()
  guard unsafe statvfs(folder, &information) == 0 else { throw SystemError(errno, "look at", folder) }
  let (bytes, overflow) = Int64(clamping: information.f_bavail)
    .multipliedReportingOverflow(by: Int64(clamping: information.f_frsize))
  return overflow ? .max : bytes
}

extension Diagnostic.Code { package static let insufficientDiskSpace = Self("MC5306") }
