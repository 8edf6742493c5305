import Foundation

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
