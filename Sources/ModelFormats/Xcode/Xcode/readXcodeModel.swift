package import Foundation
package import ManagedModel

/// Reads the `contents` of an `.xcdatamodel`, Xcode's source of one model version.
///
/// Every element and attribute that Xcode is known to write is taken over; others yield a warning (MC0206), so
/// that nothing is lost in silence. The source map knows where entities, properties and their attributes stand,
/// under the keys of the model language.
///
/// - Parameters:
///   - file: the path that diagnostics name.
///   - known: what versions of the same package have in common.
/// - Returns: no model exactly where the diagnostics hold an error.
package func readXcodeModel(
  contents: Data, file: String, sharing known: NamedCache<XcodeEntity>? = nil
) -> ModelReading {
  let map = SourceMap(file: file, outline: XcodeOutline(contents, file: file))
  var reader = XcodeModelReader(map: map, known: known)
  do {
    let model = reader.model(try contents.parseXcodeDocument(file: file))
    for limit in model.checkLimits() { reader.report(limit.located(by: map)) }
    return (reader.diagnostics.hasErrors ? nil : model, map, reader.diagnostics.ordered)
  } catch {
    return (nil, map, error.diagnostics)
  }
}

/// An entity that was read without a finding, and its text.
package typealias XcodeEntity = (text: ArraySlice<UInt8>, entity: EntityDescription)

/// Turns elements into descriptions; the parts are in the `XcodeModelReader+…` files.
struct XcodeModelReader {
  let map: SourceMap
  private let known: NamedCache<XcodeEntity>?
  private(set) var diagnostics: [Diagnostic] = []
  private var reported: [Diagnostic.Severity: Int] = [:]

  init(map: SourceMap, known: NamedCache<XcodeEntity>?) { (self.map, self.known) = (map, known) }

  /// More findings of one severity than this say nothing new.
  private static let findingLimit = 1000

  mutating func report(_ finding: Diagnostic) {
    reported[finding.severity, default: 0] += 1
    if reported[finding.severity, default: 0] <= Self.findingLimit { diagnostics.append(finding) }
  }

  /// A warning that takes some looking for, made only where it is still wanted.
  private mutating func warn(_ finding: () -> Diagnostic) {
    guard reported[.warning, default: 0] < Self.findingLimit else { return }
    report(finding())
  }

  mutating func model(_ root: XcodeElement) -> ManagedObjectModel {
    var model = ManagedObjectModel()
    guard root.name == "model" else {
      report(
        Diagnostic(
          .unreadableXcodeModel, .error, "the root element is '\(root.name)', not a Core Data 'model'",
          place: root.place, help: ["name the 'contents' of an '.xcdatamodel'"]))
      return model
    }
    check(
      root,
      attributes: [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
        "sourceLanguage", "userDefinedModelVersionIdentifier", "usedWithCloudKit", "usedWithSwiftData",
        "macOSVersion", "iOSVersion", "name",
      ], children: ["entity", "fetchRequest", "configuration", "composite", "elements"])
    model.versionIdentifiers = root["userDefinedModelVersionIdentifier"].map { [$0] } ?? []
    model.editorSettings = editorSettings(of: root)
    for child in root.children {
      switch child.name {
      case "entity": model.entities.append(sharedEntity(child))
      case "fetchRequest": model.fetchRequestTemplates.append(fetchRequest(child))
      case "configuration": model.configurations.append(configuration(child))
      case "composite": model.composites.append(composite(child))
      default: break
      }
    }
    return model
  }

  /// What the same text gave in another version, where there was nothing to report.
  private mutating func sharedEntity(_ element: XcodeElement) -> EntityDescription {
    guard let known, let name = element.text("name") else { return entity(element) }
    if let shared = known[name], shared.text == element.bytes { return shared.entity }
    let count = diagnostics.count
    let entity = entity(element)
    // At the limit findings are no longer counted.
    if diagnostics.count == count, count < Self.findingLimit { known[name] = (element.bytes, entity) }
    return entity
  }

  private mutating func configuration(_ element: XcodeElement) -> ConfigurationDescription {
    check(element, attributes: ["name", "usedWithCloudKit"], children: ["memberEntity"])
    let names = element.children(named: "memberEntity").map { required("name", of: $0) }
    return ConfigurationDescription(name: required("name", of: element), entityNames: names)
  }

  private mutating func composite(_ element: XcodeElement) -> CompositeDescription {
    check(element, attributes: ["name"], children: ["attribute"])
    var composite = CompositeDescription(name: required("name", of: element), elements: [])
    for child in element.children(named: "attribute") { composite.elements.append(attribute(child)) }
    return composite
  }

  /// Warns of what the reader does not know, and so cannot take over.
  mutating func check(_ element: XcodeElement, attributes: Set<String>, children: Set<String>) {
    let unknown = element.attributes.lazy.map(\.name).filter {
      !attributes.contains($0) && !$0.hasPrefix("xmlns")
    }
    for name in unknown.sorted() {
      let what = "the attribute '\(name)' of '\(element.name)'"
      warn { .unknown(what, name, at: element.place(of: name), known: attributes) }
    }
    for child in element.children where !children.contains(child.name) {
      let what = "the element '\(child.name)' in '\(element.name)'"
      warn { .unknown(what, child.name, at: child.place, known: children) }
    }
  }

  mutating func required(_ attribute: String, of element: XcodeElement) -> String {
    if let text = element.text(attribute) { return text }
    report(.missingAttribute(attribute, of: element))
    return ""
  }

  /// A count of zero or more; nil, with a finding, where the text is none.
  mutating func count(_ attribute: String, of element: XcodeElement) -> Int? {
    value(element.text(attribute), of: attribute, in: element, expected: "a count", taken: "none") {
      Int32($0).flatMap { $0 >= 0 ? Int($0) : nil }
    }
  }

  /// What a text means; nil if there is none, or, with a finding, where it means nothing.
  mutating func value<Value>(
    _ text: String?, of attribute: String, in element: XcodeElement, expected: String, taken: String,
    _ meaning: (String) -> Value?
  ) -> Value? {
    guard let text else { return nil }
    if let value = meaning(text) { return value }
    report(.unreadableValue(text, of: attribute, in: element, expected: expected, taken: taken))
    return nil
  }

  mutating func userInfo(of element: XcodeElement) -> [String: String] {
    var info: [String: String] = [:]
    for userInfo in element.children(named: "userInfo") {
      check(userInfo, attributes: [], children: ["entry"])
      for entry in userInfo.children(named: "entry") {
        check(entry, attributes: ["key", "value"], children: [])
        if let key = entry["key"] { info[key] = entry["value"] ?? "" }
      }
    }
    return info
  }
}

extension Diagnostic.Code {
  /// A model's XML says something that cannot be read, or leaves out what must be there.
  package static let unreadableXcodeModel = Self(
    "MC0205", accepted: .init("unknown keywords in Xcode's files", "they are ignored"))
  /// A model's XML holds something that is not known, and so is not taken over.
  package static let unknownInXcodeModel = Self("MC0206")
}

extension Diagnostic {
  static func missingAttribute(_ attribute: String, of element: XcodeElement) -> Diagnostic {
    Diagnostic(
      .unreadableXcodeModel, .error, "'\(element.name)' has no '\(attribute)'", place: element.place,
      help: ["add the attribute, or open and save the model in Xcode"])
  }

  /// - Parameter taken: the meaning that is taken, where Apple's tools take the value.
  static func unreadableValue(
    _ text: String, of attribute: String, in element: XcodeElement, expected: String, taken: String? = nil
  ) -> Diagnostic {
    let finding = Diagnostic(
      .unreadableXcodeModel, .error,
      "'\(attribute)' of '\(element["name"] ?? element.name)' is '\(text.abridged)'",
      place: element.place(of: attribute), help: ["write \(expected)"])
    return taken.map { finding.taken("as \($0)") } ?? finding
  }

  /// - Parameter what: in words.
  fileprivate static func unknown(
    _ what: String, _ name: String, at place: SourceRange, known: Set<String>
  ) -> Diagnostic {
    Diagnostic(
      .unknownInXcodeModel, .warning, "\(what) is unknown", place: place, notes: ["it is ignored"],
      help: .didYouMean(name, among: known.sorted()))
  }
}
