package import Foundation

extension PropertyListValue {
  /// Writes a binary property list (`bplist00`); equal values give equal bytes.
  ///
  /// The layout is that of CoreFoundation's writer: a table of objects, each scalar once, big-endian integers of
  /// 1, 2, 4 or 8 bytes, strings in ASCII or UTF-16, then the offsets and a trailer of 32 bytes.
  package func encoded() -> Data {
    var table = PropertyListTable()
    let top = table.value(self)
    return table.data(top: top)
  }
}
