import Foundation
import ManagedModel

/// Where the parts of a model stand in its XML, under the keys of the model language. The document is read a second time
/// when the first place is asked for; most never are.
final class XcodeOutline: SourceOutline {
  private let contents: Data
  private let file: String
  private let places = Locked<Places?>(nil)

  init(_ contents: Data, file: String) { (self.contents, self.file) = (contents, file) }

  func range(of subject: ModelSubject) -> SourceRange? {
    places.withLock { places in
      if places == nil { places = Places(try? contents.parseXcodeDocument(file: file)) }
      return places?.ranges[subject]
    }
  }

  func textRange(of subject: ModelSubject) -> SourceRange? { range(of: subject) }

  /// Xcode's own files are edited in Xcode.
  func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt? { nil }
}

private struct Places {
  private(set) var ranges: [ModelSubject: SourceRange] = [:]

  init(_ root: XcodeElement?) {
    ranges[ModelSubject()] = root?.place
    for element in root?.children(named: "entity") ?? [] {
      let entity = element.text("name") ?? ""
      locate(element, as: ModelSubject(entity: entity), keys: entityKeys)
      for child in element.children { locate(child, in: entity) }
    }
    for element in root?.children(named: "fetchRequest") ?? [] {
      let subject = ModelSubject(key: "fetchRequests").part(element.text("name") ?? "")
      locate(element, as: subject, keys: fetchRequestKeys)
    }
  }

  private mutating func locate(_ element: XcodeElement, in entity: String) {
    let subject = ModelSubject(entity: entity, property: element["name"])
    switch element.name {
    case "attribute": locate(element, as: subject, keys: attributeKeys)
    case "relationship": locate(element, as: subject, keys: relationshipKeys)
    case "fetchedProperty": locate(element, as: subject, keys: [:])
    case "fetchIndex": locate(element, as: ModelSubject(entity: entity, key: "fetchIndexes"), keys: [:])
    case "compoundIndexes", "uniquenessConstraints":
      locate(element, as: ModelSubject(entity: entity, key: element.name), keys: [:])
    default: break
    }
  }

  private mutating func locate(_ element: XcodeElement, as subject: ModelSubject, keys: [String: String]) {
    // Of two parts with one name the first counts, as everywhere.
    guard ranges[subject] == nil else { return }
    ranges[subject] = element.place
    // A fetched property says its request in an element of its own.
    let requests = element.children(named: "fetchRequest").prefix(1).map { ($0, fetchRequestKeys) }
    for (element, keys) in [(element, keys)] + requests {
      // Of two attributes with one key the last by name counts, in every run: the inverse's name, not its entity.
      for attribute in element.attributes.sorted(by: { $0.name < $1.name }) {
        guard let key = keys[attribute.name] else { continue }
        ranges[subject.part(key)] = element.place(of: attribute.name)
      }
    }
  }
}

/// XML attributes by the keys of the model language, which findings name.
let entityKeys = [
  "name": "name", "parentEntity": "parent", "isAbstract": "abstract", "representedClassName": "class",
  "elementID": "renamingIdentifier", "versionHashModifier": "versionHashModifier",
]

let attributeKeys = [
  "name": "name", "attributeType": "type", "optional": "optional", "transient": "transient",
  "defaultValueString": "default", "defaultDateTimeInterval": "default", "minValueString": "min",
  "maxValueString": "max", "minDateTimeInterval": "min", "maxDateTimeInterval": "max",
  "regularExpressionString": "matching", "valueTransformerName": "transformer",
  "customClassName": "valueClass", "allowsExternalBinaryDataStorage": "externalStorage",
  "derivationExpression": "derivation", "composite": "composite", "usesScalarValueType": "scalar",
  "elementID": "renamingIdentifier", "versionHashModifier": "versionHashModifier", "indexed": "indexed",
]

let relationshipKeys = [
  "name": "name", "optional": "optional", "destinationEntity": "to", "toMany": "toMany",
  "inverseName": "inverse", "inverseEntity": "inverse", "deletionRule": "deleteRule", "ordered": "ordered",
  "minCount": "min", "maxCount": "max", "elementID": "renamingIdentifier",
  "versionHashModifier": "versionHashModifier", "transient": "transient",
]

private let fetchRequestKeys = ["entity": "entity", "predicateString": "predicate"]
