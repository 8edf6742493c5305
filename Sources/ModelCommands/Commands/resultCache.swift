import Foundation
import ManagedModel
import ReleaseChecks

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
