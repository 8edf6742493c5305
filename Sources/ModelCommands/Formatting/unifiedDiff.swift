import Foundation

/// The changes from one text to another, as `patch` and `git apply` take them: three lines around each.
///
/// Where very many lines in a row differ, all of them are taken away and added.
///
/// - Parameter path: as the head names the file.
func unifiedDiff(from before: Data, to after: Data, path: String) -> Data {
  let (old, new) = (lines(of: before), lines(of: after))
  guard old != new else { return Data() }
  let changes = changes(from: old, to: new)
  var diff = Data("--- \(path)\n+++ \(path)\n".utf8)
  var index = 0
  while let first = changes[index...].firstIndex(where: { $0.mark != .same }) {
    var last = first
    // Hunks whose surroundings would touch are one.
    while let next = changes[(last + 1)...].prefix(2 * surroundings + 1).firstIndex(where: {
      $0.mark != .same
    }) {
      last = next
    }
    let hunk = changes[max(index, first - surroundings)...min(changes.count - 1, last + surroundings)]
    diff += head(of: hunk)
    for change in hunk { diff += change.text }
    index = hunk.endIndex
  }
  return diff
}

private let surroundings = 3
/// Comparing takes time and memory with the square of the lines that differ.
private let comparedLines = 1_500

private struct Change {
  enum Mark: UInt8 {
    case same = 0x20
    case added = 0x2B
    case removed = 0x2D
  }

  var mark: Mark
  var line: Data.SubSequence
  /// How many lines of both texts stand before it.
  var before: (old: Int, new: Int)

  var text: Data {
    var text = Data([mark.rawValue]) + line
    if line.last != UInt8(ascii: "\n") { text += Data("\n\\ No newline at end of file\n".utf8) }
    return text
  }
}

/// With their ends.
private func lines(of text: Data) -> [Data.SubSequence] {
  var lines: [Data.SubSequence] = []
  var start = text.startIndex
  while start < text.endIndex {
    let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.endIndex
    lines.append(text[start..<end])
    start = end
  }
  return lines
}

private func changes(from old: [Data.SubSequence], to new: [Data.SubSequence]) -> [Change] {
  let head = zip(old, new).prefix { $0 == $1 }.count
  let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
  let (oldPart, newPart) = (Array(old[head..<(old.count - tail)]), Array(new[head..<(new.count - tail)]))
  var removed = Set(oldPart.indices)
  var added = Set(newPart.indices)
  if oldPart.count <= comparedLines, newPart.count <= comparedLines {
    (removed, added) = ([], [])
    for change in newPart.difference(from: oldPart) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
  }
  var changes: [Change] = []
  var place = (old: 0, new: 0)
  func isChanged(_ index: Int, _ part: Int, _ set: Set<Int>) -> Bool {
    index - head < part && set.contains(index - head)
  }
  while place.old < old.count || place.new < new.count {
    let mark: Change.Mark =
      isChanged(place.old, oldPart.count, removed)
      ? .removed : isChanged(place.new, newPart.count, added) ? .added : .same
    let line = mark == .added ? new[place.new] : old[place.old]
    changes.append(Change(mark: mark, line: line, before: place))
    if mark != .added { place.old += 1 }
    if mark != .removed { place.new += 1 }
  }
  return changes
}

private func head(of hunk: ArraySlice<Change>) -> Data {
  let (old, new) = (hunk.count { $0.mark != .added }, hunk.count { $0.mark != .removed })
  let start: (old: Int, new: Int) = hunk.first?.before ?? (0, 0)
  // A side without lines is named by the line before it.
  let oldStart = old == 0 ? start.old : start.old + 1
  let newStart = new == 0 ? start.new : start.new + 1
  return Data("@@ -\(oldStart),\(old) +\(newStart),\(new) @@\n".utf8)
}
