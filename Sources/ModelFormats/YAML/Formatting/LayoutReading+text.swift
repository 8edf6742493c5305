/// The text itself.
extension LayoutReading {
  /// `---` or `...`, alone or with something behind it.
  func isDocumentMark(at place: Int) -> Bool {
    guard place + 3 <= scalars.count, place == 0 || scalars[place - 1].endsLine,
      scalars[place..<(place + 3)].allSatisfy({ $0 == scalars[place] }),
      scalars[place] == "-" || scalars[place] == "."
    else { return false }
    return place + 3 == scalars.count || scalars[place + 3].isBlank || scalars[place + 3].endsLine
  }

  func startsLine(_ place: Int) -> Bool {
    for scalar in scalars[..<place].reversed() where !scalar.isBlank { return scalar.endsLine }
    return true
  }

  func column(of place: Int) -> Int {
    scalars[..<min(place, scalars.count)].reversed().prefix { !$0.endsLine }.count
  }

  func text(_ start: Int, _ end: Int) -> String {
    String(String.UnicodeScalarView(scalars[start..<min(end, scalars.count)]))
  }

  func failure(at place: Int, _ what: String) -> Failure {
    Failure(place: source.range(from: place, to: place + 1), what: what)
  }
}

extension Unicode.Scalar {
  /// As YAML 1.1 has it.
  var endsLine: Bool {
    switch value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  var isBlank: Bool { self == " " || self == "\t" }
}
