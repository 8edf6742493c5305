import ManagedModel

extension SourceLines {
  /// Of a document, whose first line begins behind a byte order mark.
  init(ofXML bytes: [UInt8], file: String) {
    self.init(bytes, file: file, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }

  func range(_ range: Range<Int>) -> SourceRange { self.range(range.lowerBound, range.upperBound) }
}
