import ManagedModel

/// Applies the changes of one document to another that has the same content in another form.
///
/// Attributes in another order, values in another form, comments and what the model has no place for stay byte by byte. So
/// does everything about an element that was not edited.
struct ElementMerge {
  /// The root of the document that is there.
  let present: XcodeElement
  /// Of what the writer makes of the model that it holds.
  let before: XcodeElement
  /// Of what the writer makes of the edited model.
  let after: XcodeElement

  /// The present document with the edit.
  func merged() -> [UInt8] {
    let bytes = present.text.bytes
    return bytes[..<present.range.lowerBound] + merged(present, before, after)
      + bytes[present.range.upperBound...]
  }

  fileprivate func merged(_ element: XcodeElement, _ old: XcodeElement, _ new: XcodeElement) -> [UInt8] {
    if old.bytes(old.range) == new.bytes(new.range) { return Array(element.bytes(element.range)) }
    let tag = mergedTag(element, old, new)
    if old.bytes(old.content) == new.bytes(new.content) {
      return tag + element.bytes(element.tag.upperBound..<element.range.upperBound)
    }
    var children = MergedChildren(element, in: present)
    children.merge(self, old, new)
    let content = children.bytes
    if content.allSatisfy(\.isXMLSpace) { return opened(tag, false) }
    let isEmptyTag = element.range == element.tag
    let end =
      isEmptyTag
      ? Array("</\(element.name)>".utf8)
      : Array(element.bytes(element.content.upperBound..<element.range.upperBound))
    return opened(tag, true) + content + end
  }

  /// A start tag as one of an element with content, or without.
  private func opened(_ tag: [UInt8], _ isOpen: Bool) -> [UInt8] {
    let bare = tag.dropLast(tag.dropLast().last == UInt8(ascii: "/") ? 2 : 1)
    return bare + Array((isOpen ? ">" : "/>").utf8)
  }

  private func mergedTag(_ element: XcodeElement, _ old: XcodeElement, _ new: XcodeElement) -> [UInt8] {
    let names = Set(old.attributes.map(\.name) + new.attributes.map(\.name))
    var changed = names.filter { old.rawValue($0) != new.rawValue($0) }
    if changed.isEmpty { return Array(element.bytes(element.tag)) }
    // The own name as a former one says nothing until the name changes.
    if changed.contains("name") { changed.insert("elementID") }
    var parts: [(name: String, bytes: [UInt8])] = element.attributes.compactMap { attribute in
      let name = usualName(attribute.name, of: element)
      let begin = element.space(before: attribute.bytes.lowerBound).lowerBound
      let end = attribute.bytes.upperBound
      guard changed.contains(name) else { return (name, Array(element.bytes(begin..<end))) }
      guard let value = new.rawValue(name) else { return nil }
      let quoted = value.escaped { $0 == "'" ? "&apos;" : nil }
      let former = element.valueRange(of: attribute)
      return (
        name,
        element.bytes(begin..<former.lowerBound) + Array(quoted.utf8) + element.bytes(former.upperBound..<end)
      )
    }
    for (index, attribute) in new.attributes.enumerated()
    where changed.contains(attribute.name) && !parts.contains(where: { $0.name == attribute.name }) {
      let earlier = new.attributes[..<index].map(\.name)
      var place = parts.lastIndex { earlier.contains($0.name) }.map { $0 + 1 } ?? 0
      // What the writer would leave out stays where it stands, behind what it follows.
      while place < parts.count, !new.attributes.contains(where: { $0.name == parts[place].name }) {
        place += 1
      }
      parts.insert((attribute.name, [0x20] + new.bytes(attribute.bytes)), at: place)
    }
    let end =
      element.attributes.last?.bytes.upperBound ?? element.tag.lowerBound + 1 + element.name.utf8.count
    return Array("<\(element.name)".utf8) + parts.flatMap(\.bytes)
      + element.bytes(end..<element.tag.upperBound)
  }

  /// Fetch requests' attributes have had two names each.
  private func usualName(_ name: String, of element: XcodeElement) -> String {
    guard element.name == "fetchRequest" else { return name }
    for (former, usual) in [("includes", "include"), ("returns", "return")] where name.hasPrefix(former) {
      return usual + name.dropFirst(former.count)
    }
    return name
  }
}

/// The content of an element while its children are put in, taken out and moved.
private struct MergedChildren {
  private struct Part {
    var bytes: [UInt8]
    var isChild = false
    /// The child's place after the edit, where it is known to have one.
    var place: Int?
  }

  private var parts: [Part] = []
  private let element: XcodeElement
  private let root: XcodeElement

  init(_ element: XcodeElement, in root: XcodeElement) { (self.element, self.root) = (element, root) }

  var bytes: [UInt8] { parts.flatMap(\.bytes) }

  mutating func merge(_ merge: ElementMerge, _ old: XcodeElement, _ new: XcodeElement) {
    let alignment = ElementAlignment(old.children, new.children)
    let oldPlaces = Dictionary(uniqueKeysWithValues: zip(old.children.keys, old.children.indices))
    var places: [Int: Int] = [:]
    for (place, origin) in alignment.origins.enumerated() { if let origin { places[origin] = place } }
    var moved: [Int: [UInt8]] = [:]
    var start = element.content.lowerBound
    for (child, key) in zip(element.children, element.children.keys) {
      parts.append(Part(bytes: Array(element.bytes(start..<child.range.lowerBound))))
      start = child.range.upperBound
      guard let origin = oldPlaces[key] else {
        parts.append(Part(bytes: Array(element.bytes(child.range)), isChild: true))
        continue
      }
      guard let place = places[origin] else {
        dropSpaceAtEnd()
        continue
      }
      let bytes = merge.merged(child, old.children[origin], new.children[place])
      if alignment.moved.contains(place) {
        moved[place] = bytes
        dropSpaceAtEnd()
      } else {
        parts.append(Part(bytes: bytes, isChild: true, place: place))
      }
    }
    parts.append(Part(bytes: Array(element.bytes(start..<element.content.upperBound))))
    let placed = Set(parts.compactMap(\.place))
    for (place, child) in new.children.enumerated() where !placed.contains(place) {
      insert(moved[place] ?? laidOut(Array(new.bytes(child.range))), at: place)
    }
  }

  /// A child that goes takes the line break before it along.
  private mutating func dropSpaceAtEnd() {
    guard let last = parts.indices.last, !parts[last].isChild else { return }
    while parts[last].bytes.last?.isXMLSpace == true { parts[last].bytes.removeLast() }
  }

  /// Puts a child in behind the one that it follows, else before the one that it precedes.
  private mutating func insert(_ bytes: [UInt8], at place: Int) {
    let (child, lead) = (Part(bytes: bytes, isChild: true, place: place), Part(bytes: self.lead))
    let earlier = parts.indices.filter { (parts[$0].place ?? place) < place }
      .max { left, right in (parts[left].place ?? 0) < (parts[right].place ?? 0) }
    if let earlier {
      parts.insert(contentsOf: [lead, child], at: earlier + 1)
    } else if let first = parts.firstIndex(where: \.isChild) {
      parts.insert(contentsOf: [child, lead], at: first)
    } else {
      parts = [lead, child] + [Part(bytes: ownLead)] + parts.filter { !$0.bytes.allSatisfy(\.isXMLSpace) }
    }
  }

  /// The white space before each child.
  private var lead: [UInt8] {
    if let child = element.children.first {
      return Array(element.bytes(element.space(before: child.range.lowerBound)))
    }
    return ownLead.isEmpty ? [] : ownLead + Array("    ".utf8)
  }

  private var ownLead: [UInt8] {
    if element.range == root.range { return root.text.bytes.contains(0x0D) ? [0x0D, 0x0A] : [0x0A] }
    return Array(element.bytes(element.space(before: element.range.lowerBound)))
  }

  /// A fragment of the writer's under the indentation that is usual here.
  private func laidOut(_ fragment: [UInt8]) -> [UInt8] {
    let lines = fragment.split(separator: 0x0A)
    // The end tag is as deep as the start tag, whose own indentation is not part of the fragment.
    let depth = lines.last?.prefix(while: { $0 == 0x20 }).count ?? 0
    return Array(
      lines.enumerated().map { index, line in index == 0 ? line : line.dropFirst(depth) }
        .joined(separator: lead))
  }
}

extension XcodeElement {
  func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { text.bytes[range] }

  /// The value as it is there, with its references; nil if absent.
  func rawValue(_ name: String) -> String? {
    attributes.first { $0.name == name }.map { String(decoding: bytes(valueRange(of: $0)), as: UTF8.self) }
  }

  /// Between the quotes.
  fileprivate func valueRange(of attribute: XMLAttribute) -> Range<Int> {
    let end = attribute.bytes.upperBound - 1
    let quote = bytes(attribute.bytes).firstIndex(of: text.bytes[end]) ?? end
    return quote + 1..<end
  }

  /// The white space that ends at a place.
  fileprivate func space(before place: Int) -> Range<Int> {
    let before = text.bytes[..<place].lastIndex { !$0.isXMLSpace }
    return (before.map { $0 + 1 } ?? 0)..<place
  }
}
