import Foundation
import ManagedModel
import TestSupport

@testable import ModelFormats

/// A version file as somebody in a hurry would write it: the model of a clean text, with comments that name what they are
/// at, odd indentation, quotes, blank lines and keys in any order.
struct CommentedFile {
  private(set) var text = ""
  /// By the comment: the path of what it stands above, beside or below.
  private(set) var things: [String: String] = [:]
  private var random: SeededGenerator
  private var count = 0

  init(_ node: YAMLNode, _ shape: ValueShape, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    comment("head", at: "(head)", margin: "")
    // Without it the next comment would be the head's.
    text += "\n"
    write(node, shape, path: "", margin: String(repeating: " ", count: chance(6) ? 2 : 0))
    comment("foot", at: "(foot)", margin: "")
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  /// A line of its own.
  private mutating func comment(_ what: String, at path: String, margin: String) {
    if chance(6) { text += "\n\n" }
    text += margin + named(what, path) + "\n"
  }

  private mutating func named(_ what: String, _ path: String) -> String {
    count += 1
    let name = "#\(chance(5) ? "" : " ")\(count) \(what)"
    things[name] = path
    return name + (chance(5) ? "  " : "")
  }

  private mutating func write(_ node: YAMLNode, _ shape: ValueShape, path: String, margin: String) {
    var children = node.children
    if !shape.keys.isEmpty, case .mapping = node.content { children.shuffle(using: &random) }
    for (index, child) in children.enumerated() {
      let path = child.name.isEmpty ? path + step("\(index)") : path + step(child.name)
      for _ in 0..<(chance(4) ? Int.random(in: 1...2, using: &random) : 0) {
        comment("above", at: path, margin: chance(5) ? "" : margin)
      }
      if chance(8) { text += "\n\n\n" }
      text += margin + (child.name.isEmpty ? "-" : key(child.name) + ":")
      let below = child.name.isEmpty ? shape.element : shape.value(of: child.name)
      write(value: child.value, below, path: path, margin: margin)
    }
    if chance(7), !path.isEmpty { comment("below", at: path, margin: margin) }
  }

  private mutating func write(value node: YAMLNode, _ shape: ValueShape, path: String, margin: String) {
    if node.children.isEmpty || node.span.isFlow {
      text +=
        String(repeating: " ", count: Int.random(in: 1...3, using: &random))
        + flow(node, path: path, margin: margin)
      beside(path)
      return
    }
    beside(path)
    write(
      node, shape, path: path,
      margin: margin + String(repeating: " ", count: Int.random(in: 1...5, using: &random)))
  }

  private mutating func beside(_ path: String) {
    text +=
      chance(4)
      ? String(repeating: " ", count: Int.random(in: 1...9, using: &random)) + named("beside", path) : ""
    text += "\n"
  }

  private mutating func flow(_ node: YAMLNode, path: String, margin: String) -> String {
    guard node.span.isFlow else { return scalar(node) }
    let (open, close) = if case .mapping = node.content { ("{", "}") } else { ("[", "]") }
    var result = open
    for (index, child) in node.children.enumerated() {
      let path = child.name.isEmpty ? path + step("\(index)") : path + step(child.name)
      if chance(9) {
        result += "\n\(margin)    " + named("above", path) + "\n\(margin)  "
      }
      result += (chance(3) ? " " : "") + (child.name.isEmpty ? "" : key(child.name) + ": ")
      result += flow(child.value, path: path, margin: margin + "  ")
      if index < node.children.count - 1 { result += chance(4) ? " ," : ", " }
      if chance(9) { result += "  " + named("beside", path) + "\n\(margin)   " }
    }
    return result + close
  }

  private mutating func key(_ name: String) -> String {
    chance(5) ? yamlQuoted(name) : name.yamlScalar(.text, inFlow: true)
  }

  private mutating func scalar(_ node: YAMLNode) -> String {
    guard case .scalar(let text, let style) = node.content else { return "" }
    if node.isEmpty { return "" }
    if style == .plain, text.isAmbiguousScalar { return text }
    return chance(4) || style != .plain ? yamlQuoted(text) : text
  }

  private mutating func yamlQuoted(_ text: String) -> String {
    text.isPlainScalar(inFlow: true) && !text.contains("'") && chance(2) ? "'\(text)'" : text.quotedScalar
  }
}

extension YAMLNode {
  /// Pairs, or elements without a name.
  var children: [(name: String, value: YAMLNode)] {
    switch content {
    case .mapping(let pairs): pairs.map { ($0.key, $0.value) }
    case .sequence(let elements): elements.map { ("", $0) }
    case .scalar, .refused: []
    }
  }
}

/// One step of a path; no name holds the character.
private func step(_ name: String) -> String { "\u{1}" + name }

/// Where comments stand in a formatted file, found line by line, by indentation alone.
struct CommentPlaces {
  /// By comment, the paths of the things that begin in the line: the next one, or the comment's own.
  private(set) var above: [String: Set<String>] = [:]
  private(set) var beside: [String: Set<String>] = [:]
  /// The paths of the things above it that are indented like it.
  private(set) var below: [String: Set<String>] = [:]
  private(set) var first = ""
  private(set) var last = ""
  private(set) var count = 0

  init(_ text: String, _ root: YAMLNode) {
    var lines: [Int: Set<String>] = [:]
    Self.collect(root, "", into: &lines)
    var pending: [String] = []
    var dashes: [(indentation: Int, comment: String?)] = []
    var open: [(indentation: Int, paths: Set<String>)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let comment = line.firstRange(of: #/# ?\d+ (head|foot|above|beside|below)/#).map {
        String(line[$0.lowerBound...])
      }
      let indentation = line.prefix { $0 == " " }.count
      if comment != nil { count += 1 }
      if let comment, line.drop(while: { $0 == " " }).first == "#" {
        if first.isEmpty { first = comment }
        last = comment
        pending.append(comment)
        below[comment] = open.last { $0.indentation == indentation }?.paths
      } else if let paths = lines[index + 1] {
        for comment in pending { above[comment] = paths }
        for dash in dashes {
          open.append((dash.indentation, paths))
          if let comment = dash.comment { beside[comment] = paths }
        }
        (pending, dashes) = ([], [])
        if let comment { beside[comment] = paths }
        open.removeAll { $0.indentation >= indentation }
        open.append((indentation, paths))
        // In `- a: b` the second thing is indented by two more.
        if line.drop(while: { $0 == " " }).hasPrefix("- ") { open.append((indentation + 2, paths)) }
      } else if line.drop(while: { $0 == " " }).first == "-" {
        // A dash alone in its line, with or without a comment.
        open.removeAll { $0.indentation >= indentation }
        dashes.append((indentation, comment))
      }
    }
  }

  private static func collect(_ node: YAMLNode, _ path: String, into lines: inout [Int: Set<String>]) {
    switch node.content {
    case .mapping(let pairs):
      for pair in pairs {
        lines[pair.keyRange.start.line, default: []].insert(path + step(pair.key))
        collect(pair.value, path + step(pair.key), into: &lines)
      }
    case .sequence(let elements):
      for (index, element) in elements.enumerated() {
        lines[element.range.start.line, default: []].insert(path + step("\(index)"))
        collect(element, path + step("\(index)"), into: &lines)
      }
    case .scalar, .refused: break
    }
  }
}

/// What is not where it was: comments that are gone, or that stand at another thing.
func misplaced(_ file: CommentedFile, _ text: String, _ root: YAMLNode) -> [String] {
  let places = CommentPlaces(text, root)
  var wrong = places.count == file.things.count ? [] : ["\(places.count) of \(file.things.count) comments"]
  for (comment, path) in file.things {
    let found =
      switch comment.split(separator: " ").last {
      case "head": places.first == comment
      case "foot": places.last == comment
      case "above": places.above[comment]?.contains(path) == true
      case "beside": places.beside[comment]?.contains(path) == true
      default: places.below[comment]?.contains { $0.hasPrefix(path + "\u{1}") } == true
      }
    if !found { wrong.append("\(comment): \(path)") }
  }
  return wrong
}
