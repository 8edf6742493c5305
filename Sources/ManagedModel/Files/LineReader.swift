import Foundation

/// The lines of a file or a pipe, one at a time, however many there are.
package struct LineReader {
  private let descriptor: Int32
  private let limit: Int
  private let separator: UInt8
  private var buffer: [UInt8] = []
  private var isAtEnd = false

  /// - Parameters:
  ///   - limit: bytes of the longest line; of a longer one nothing is kept.
  ///   - separator: what ends a line.
  package init(of descriptor: Int32, limit: Int, separator: UInt8 = 0x0A) {
    (self.descriptor, self.limit, self.separator) = (descriptor, limit, separator)
  }

  /// The next line; nil within for one that is too long, nil at the end.
  package mutating func next() -> [UInt8]?? {
    var (isTooLong, searched) = (false, 0)
    while true {
      if let end = buffer[searched...].firstIndex(of: separator) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        return .some(isTooLong ? nil : line)
      }
      if isAtEnd {
        defer { buffer = [] }
        return buffer.isEmpty && !isTooLong ? nil : .some(isTooLong ? nil : buffer)
      }
      if buffer.count > limit { (isTooLong, buffer) = (true, []) }
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
