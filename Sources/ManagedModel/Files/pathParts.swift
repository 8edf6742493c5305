extension String {
  /// What stands between the slashes of a path, byte by byte: a slash before a combining accent is one all the same.
  package var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
