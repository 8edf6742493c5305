import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A model's XML as plain elements, read without the reader that is tested, and brought to the form in which two
/// documents that mean the same are equal.
///
/// As `decisions.md` has it: an explicit default equals its absence, default texts compare by value, and the order
/// of attributes, relationships and everything listed counts. Left out are the order of XML attributes, the
/// diagram, and the attributes that only say which tool wrote the file.
struct XcodeDocument: Hashable, CustomStringConvertible {
  struct Element: Hashable {
    var name: String
    var attributes: [String: String]
    var children: [Element] = []
  }

  struct NotWellFormed: Error {}

  let root: Element

  init(_ contents: Data) throws {
    let builder = Builder()
    let parser = XMLParser(data: contents)
    parser.delegate = builder
    guard parser.parse(), let root = builder.root else { throw NotWellFormed() }
    self.root = normalised(root)
  }

  /// One line per element, for messages.
  var description: String { lines(root, "").joined(separator: "\n") }

  private func lines(_ element: Element, _ margin: String) -> [String] {
    let attributes = element.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return ["\(margin)\(element.name) \(attributes.joined(separator: " "))"]
      + element.children.flatMap { lines($0, margin + "  ") }
  }
}

private typealias Element = XcodeDocument.Element

private let toolAttributes = [
  "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "macOSVersion", "iOSVersion",
]

/// Attributes whose empty value says what their absence says.
private let namesOfNothing = ["representedClassName", "valueTransformerName", "customClassName"]

/// The class of an entity that names none.
private let standardClass = "NSManagedObject"

private func normalised(_ element: Element) -> Element {
  var element = element
  if element.name == "model" {
    for name in toolAttributes { element.attributes[name] = nil }
    if element.attributes["name"] == "" { element.attributes["name"] = nil }
  }
  if element.attributes["syncable"] == "YES" { element.attributes["syncable"] = nil }
  if element.attributes["elementID"] == element.attributes["name"] { element.attributes["elementID"] = nil }
  for name in namesOfNothing where element.attributes[name] == "" { element.attributes[name] = nil }
  if element.attributes["representedClassName"] == standardClass {
    element.attributes["representedClassName"] = nil
  }
  element.attributes["defaultValueString"] = defaultValue(of: element)
  let children = element.children.map(normalised).filter {
    $0.name != "elements" && !($0.name == "userInfo" && $0.children.isEmpty)
  }
  // Order counts among elements of one kind.
  var kinds: [String] = []
  for child in children where !kinds.contains(child.name) { kinds.append(child.name) }
  element.children = kinds.sorted().flatMap { kind in children.filter { $0.name == kind } }
  if element.name == "userInfo" {
    element.children.sort { $0.attributes["key", default: ""] < $1.attributes["key", default: ""] }
  }
  return element
}

private func defaultValue(of element: Element) -> String? {
  guard let text = element.attributes["defaultValueString"] else { return nil }
  switch element.attributes["attributeType"] {
  case "String"?: return text
  case "Integer 16"?, "Integer 32"?, "Integer 64"?, "Decimal"?, "Double"?, "Float"?:
    return Decimal(string: text).map { "\($0)" } ?? (text.isEmpty ? nil : text)
  case "Boolean"?: return ["0": "NO", "1": "YES"][text] ?? (text.isEmpty ? nil : text)
  default: return text.isEmpty ? nil : text
  }
}

private final class Builder: NSObject, XMLParserDelegate {
  var root: Element?
  private var open: [Element] = []

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String]
  ) {
    open.append(Element(name: elementName, attributes: attributeDict))
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }
}
