import Foundation

/// The most memory that this process has held at once, in bytes.
func peakMemoryBytes() -> Int64 {
  var usage = rusage()
  guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
  #if os(Linux)
    // Linux counts kilobytes, macOS bytes.
    return Int64(usage.ru_maxrss) * 1024
  #else
    return Int64(usage.ru_maxrss)
  #endif
}
