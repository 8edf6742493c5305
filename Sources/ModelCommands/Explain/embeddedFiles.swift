import EmbeddedFiles
import Foundation

/// The names and contents of a list of files that are part of the program.
func embedded(_ list: UnsafePointer<EmbeddedFile>) -> [(name: String, content: Data)] {
  var files: [(name: String, content: Data)] = []
  var next = unsafe list
  while let name = unsafe next.pointee.name, let bytes = unsafe next.pointee.bytes {
    unsafe files.append((String(cString: name), Data(bytes: bytes, count: Int(next.pointee.count))))
    unsafe next += 1
  }
  return files
}
