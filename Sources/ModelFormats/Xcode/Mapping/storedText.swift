import ManagedModel

extension String {
  /// A text of Core Data's XML store as it was before it was written: `\u` and four hexadecimal digits stand for
  /// one UTF-16 unit, two such escapes for a character beyond U+FFFF.
  ///
  /// The store escapes the characters that XML reserves. Some machines write the bytes of a unit in the order of memory:
  /// `\u3c00` is `<`. Only XML's characters are read that way, because read the other way they would be rare symbols that
  /// need no escape. No file at hand shows either; the rule is our choice.
  var storedText: String {
    guard contains("\\u") else { return self }
    let scalars = Array(unicodeScalars)
    var units: [UInt16] = []
    var index = 0
    while index < scalars.count {
      let digits = scalars[index...].dropFirst(2).prefix(4).compactMap { Character($0).hexDigitValue }
      if scalars[index...].starts(with: ["\\", "u"]), digits.count == 4 {
        let unit = digits.reduce(UInt16(0)) { $0 << 4 | UInt16($1) }
        units.append(swappedUnits.contains(unit) ? unit.byteSwapped : unit)
        index += 6
      } else {
        units.append(contentsOf: String(scalars[index]).utf16)
        index += 1
      }
    }
    return String(validating: units, as: UTF16.self) ?? self
  }

  /// The text as `storedText` reads it: XML's own escapes, and one for a backslash that would begin another.
  var writtenText: String { replacing(#/\\(?=u[0-9A-Fa-f]{4})/#, with: #"\u005c"#).xmlText }
}

/// `<`, `>`, `&`, `"`, `'`, `\`, tab and the two line ends, as a little-endian machine has them in memory.
private let swappedUnits: Set<UInt16> = [
  0x3C00, 0x3E00, 0x2600, 0x2200, 0x2700, 0x5C00, 0x0900, 0x0A00, 0x0D00,
]
