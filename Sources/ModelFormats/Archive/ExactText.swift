/// A text that equals another only byte for byte.
///
/// Swift's strings are equal where they look the same (`é` in one character or in two); names in an archive are what
/// version hashes are made of, byte for byte.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool {
    // Texts that do not even look the same are the frequent case, and ASCII that does is the same.
    guard left.text == right.text else { return false }
    let isASCII =
      left.text.utf8.count == left.text.utf16.count && right.text.utf8.count == right.text.utf16.count
    return isASCII || left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// The bytes mixed into one number (FNV-1a), which is several times faster than to hash them one by one.
  func hash(into hasher: inout Hasher) {
    let mixed = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in unsafe mix(bytes) }
    hasher.combine(mixed ?? mix(text.utf8))
  }
}

@inline(__always)
private func mix(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var mixed: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return mixed
}
