import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelArchives
@testable import ModelFormats

/// An archive as text, one line per fact, so that two archives compare whatever the numbers of their objects.
private struct ArchiveFacts {
  let archive: KeyedArchive

  /// Facts of every model, entity and property that the archive holds, without our own keys and those that name
  /// the tool.
  var lines: [String] {
    guard let root = archive.root else { return [] }
    var lines = facts(of: root, named: "model")
    for (name, value) in root.entries("NSEntities") {
      guard let entity = value.object else { continue }
      lines += facts(of: entity, named: name)
      for (property, value) in entity.entries("NSProperties") {
        if let object = value.object { lines += facts(of: object, named: "\(name).\(property)") }
      }
    }
    return lines.sorted()
  }

  private func facts(of object: ArchivedObject, named name: String) -> [String] {
    ["\(name): \(object.className)"]
      + object.fields.keys.filter { !$0.hasPrefix("Modelc") && !$0.hasPrefix("CDM") && $0 != "$class" }
      .map { "\(name).\($0) = \(text(object[$0], depth: 0))" }
  }

  private func text(_ value: ArchivedValue, depth: Int) -> String {
    switch value {
    case .object(let object): return text(object, depth: depth)
    case .array(let nodes):
      return "[" + nodes.map { text(archive.value(ofNode: $0), depth: depth + 1) }.joined(separator: ", ")
        + "]"
    default: return "\(value)"
    }
  }

  private func text(_ object: ArchivedObject, depth: Int) -> String {
    if let name = object.string("NSEntityName") { return "entity \(name)" }
    if object.className != "NSFetchIndexElementDescription", let name = object.string("NSPropertyName") {
      return "property \(name)"
    }
    if object.className == "NSManagedObjectModel" || depth > 8 { return object.className }
    if object.className.hasSuffix("Dictionary") {
      let entries = object.entries.map { "\($0.key): \(text($0.value, depth: depth + 1))" }
      return "\(object.className){\(entries.sorted().joined(separator: ", "))}"
    }
    let isSet = object.className.hasSuffix("Set")
    if isSet || object.className.hasSuffix("Array") {
      let elements = object.elements.map { text($0, depth: depth + 1) }
      return "\(object.className)[\((isSet ? elements.sorted() : elements).joined(separator: ", "))]"
    }
    let fields = object.fields.keys.filter { $0 != "$class" }.sorted()
    return "\(object.className)(\(fields.map { "\($0): \(text(object[$0], depth: depth + 1))" }))"
  }
}

@Suite(.needsFixtures)
struct GenuineArchiveFormTests {
  @Test(arguments: Fixtures.all(withExtension: "mom"))
  func `what we compile has the very facts of the genuine compiled model`(_ url: URL) throws {
    let name = url.deletingPathExtension().lastPathComponent
    let folder = url.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let package = folder.appending(path: folder.lastPathComponent + ".xcdatamodeld")
    let source = try #require(readXcodeModelPackage(at: package).model?.version(named: name)?.model)
    let genuine = ArchiveFacts(archive: try KeyedArchive(Data(contentsOf: url))).lines
    #expect(genuine.count > 30)
    #expect(ArchiveFacts(archive: try KeyedArchive(source.keyedArchive())).lines == genuine)
  }

  @Test func `class lists are the genuine ones`() throws {
    func classes(_ archive: KeyedArchive) -> [String: [String]] {
      var classes: [String: [String]] = [:]
      for index in archive.list.nodes.indices {
        guard let name = archive.list.value(of: "$classname", in: index),
          let list = archive.list.value(of: "$classes", in: index),
          let className = archive.list[name].text, case .array(let nodes) = archive.list[list]
        else { continue }
        classes[className] = nodes.compactMap { archive.value(ofNode: $0).string }
      }
      return classes
    }
    for url in Fixtures.all(withExtension: "mom") {
      let data = try Data(contentsOf: url)
      let ours = try KeyedArchive(data.unarchiveModel(file: "m").keyedArchive())
      #expect(classes(ours) == classes(try KeyedArchive(data)))
    }
  }

  @Test(arguments: Fixtures.all(withExtension: "xcdatamodel"))
  func `Foundation reads what we write as a property list`(_ url: URL) throws {
    let model = try #require(readXcodeModelPackage(at: url).model?.versions.first?.model)
    let list = try unsafe PropertyListSerialization.propertyList(from: model.keyedArchive(), format: nil)
    let archive = try #require(list as? [String: Any])
    #expect(archive["$archiver"] as? String == "NSKeyedArchiver")
    #expect(archive["$version"] as? Int == 100_000)
    #expect((archive["$objects"] as? [Any])?.first as? String == "$null")
  }
}
