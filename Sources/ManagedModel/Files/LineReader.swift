import Foundation

/// The lines of a file or a pipe, one at a time, however many there are.
package struct LineReader {
  private let descriptor: Int32
  private let limit: Int
  private let separator: UInt8
  private var buffer: [UInt8] = []
  /// Where the next line begins in the buffer.
  private var start = 0
  private var isAtEnd = false

  /// - Parameters:
  ///   - limit: bytes of the longest line; of a longer one nothing is kept.
  ///   - separator: what ends a line.
  package init(of descriptor: Int32, limit: Int, separator: UInt8 = 0x0A) {
    (self.descriptor, self.limit, self.separator) = (descriptor, limit, separator)
  }

  /// The next line; nil within for one that is too long, nil at the end.
  package mutating func next() -> [UInt8]?? {
    var (isTooLong, searched) = (false, start)
    while true {
      if let end = buffer[searched...].firstIndex(of: separator) {
        defer { start = end + 1 }
        return .some(isTooLong ? nil : Array(buffer[start..<end]))
      }
      if isAtEnd {
        defer { (buffer, start) = ([], 0) }
        return start == buffer.count && !isTooLong ? nil : .some(isTooLong ? nil : Array(buffer[start...]))
      }
      if buffer.count - start > limit { (isTooLong, start) = (true, buffer.count) }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      fill()
    }
  }

  private mutating func fill() {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      buffer += chunk.prefix(count)
    } else if count == 0 || errno != EINTR {
      isAtEnd = true
    }
  }
}
