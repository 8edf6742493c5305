import Foundation
import ManagedModel

/// A source text with markers (`1️⃣`) that say where findings are expected; they are not part of the text.
struct MarkedSource {
  private(set) var text = ""
  private var markers: [SourceLocation: String] = [:]

  init(_ marked: String) {
    var location = SourceLocation(line: 1, column: 1)
    for character in marked {
      if character.unicodeScalars.contains("\u{20E3}") {
        markers[location] = String(character)
        continue
      }
      text.append(character)
      if character.isNewline {
        location = SourceLocation(line: location.line + 1, column: 1)
      } else {
        location.column += character.unicodeScalars.count
      }
    }
  }

  var data: Data { Data(text.utf8) }

  /// `1️⃣ MC0003 colour`: the marker where the finding begins, its code, the text that it covers.
  func describe(_ diagnostic: Diagnostic) -> String {
    guard let place = diagnostic.place else { return "nowhere \(diagnostic.code)" }
    let marker = markers[place.start] ?? "\(place.start.line):\(place.start.column)"
    let covered = covered(by: place).split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
    return "\(marker) \(diagnostic.code) \(covered)".trimmingCharacters(in: .whitespaces)
  }

  func covered(by place: SourceRange) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard place.start.line >= 1, place.end.line <= lines.count else { return "(outside)" }
    return (place.start.line...place.end.line).map { number in
      let scalars = Array(lines[number - 1].unicodeScalars)
      let from = number == place.start.line ? place.start.column - 1 : 0
      let to = number == place.end.line ? place.end.column - 1 : scalars.count
      guard from <= to, to <= scalars.count else { return "(outside)" }
      return String(String.UnicodeScalarView(scalars[from..<to]))
    }.joined(separator: "\n")
  }
}
