import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

/// Over a document that is there, only what was edited changes, however the document says the rest.
@Suite struct RewriteXcodeModelTests {
  /// Written by hand and by several tools: another order of attributes, names and values that Xcode would leave out,
  /// comments, tabs, empty elements, a line end after the last line.
  private static let present = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- ours -->
    <model type="com.apple.IDECoreDataModeler.DataModel" lastSavedToolsVersion="14903" documentVersion="1.0" \
    systemVersion="18G1012" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    \t<entity representedClassName="NSManagedObject" name="Hut">
    \t\t<!-- in metres -->
    \t\t<attribute attributeType="Integer 32" name="altitude" defaultValueString="NO" optional="YES">
    \t\t\t<userInfo/>
    \t\t</attribute>
    \t\t<attribute name="isOpen" attributeType="Boolean" defaultValueString="0" elementID="isOpen"/>
    \t\t<attribute name='title' optional='YES' attributeType='String' defaultValueString='a &apos;b&apos;'></attribute>
    \t\t<relationship name="tours" optional="YES" toMany="YES" destinationEntity="Tour" inverseName="hut" \
    inverseEntity="Tour" deletionRule="Nullify"/>
    \t</entity>
    \t<entity name="Tour" representedClassName="">
    \t\t<relationship name="hut" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hut" \
    inverseName="tours" inverseEntity="Hut"/>
    \t</entity>
    \t<entity name="Note"/>
    \t<fetchRequest name="open" entity="Hut" predicateString="isOpen == YES" includesSubentities="NO"/>
    </model>

    """

  /// What stands there after the model was edited, by lines that went and lines that came.
  private func edited(
    _ edit: (inout ManagedObjectModel) -> Void, over present: String = present
  ) throws -> (gone: [String], new: [String], text: String) {
    try withTemporaryFolder { folder in
      let place = folder.appending(path: "App.xcdatamodel")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let file = place.appending(path: "contents")
      try Data(present.utf8).write(to: file)
      var model = try #require(readXcodeModel(contents: Data(present.utf8), file: "contents").model)
      edit(&model)
      try write(model, to: place)
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      let again = try #require(readXcodeModel(contents: Data(text.utf8), file: "contents").model)
      #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
      let (gone, new) = lineDifference(present, text)
      return (gone, new, text)
    }
  }

  @Test func `what was not edited keeps every byte`() throws {
    #expect(try edited { _ in }.text == Self.present)
  }

  @Test func `a value changes where it stands, and one that was unsaid comes where Xcode has it`() throws {
    let value = try edited { $0.entities[0].attributes[0].defaultValue = .text("7") }
    #expect(value.gone.count == 1)
    #expect(
      value.new == [
        "\t\t<attribute attributeType=\"Integer 32\" name=\"altitude\" defaultValueString=\"7\" optional=\"YES\">"
      ])
    let flag = try edited { $0.entities[0].attributes[2].versionHashModifier = "it's" }
    #expect(
      flag.new == [
        "\t\t<attribute name='title' optional='YES' attributeType='String' defaultValueString='a &apos;b&apos;' versionHashModifier=\"it's\"></attribute>"
      ])
    let text = try edited { $0.entities[0].attributes[2].defaultValue = .text("it's") }
    #expect(text.new.map { $0.contains("defaultValueString='it&apos;s'") } == [true])
    let gone = try edited { $0.entities[0].attributes[0].defaultValue = nil }
    #expect(gone.new == ["\t\t<attribute attributeType=\"Integer 32\" name=\"altitude\" optional=\"YES\">"])
    let request = try edited { $0.fetchRequestTemplates[0].includesSubentities = true }
    #expect(
      request.new == ["\t<fetchRequest name=\"open\" entity=\"Hut\" predicateString=\"isOpen == YES\"/>"])
  }

  @Test func `a renamed attribute is one line, with its former name and without its own`() throws {
    let renamed = try edited {
      $0.entities[0].attributes[0].name = "height"
      $0.entities[0].attributes[0].renamingIdentifier = "altitude"
    }
    #expect(renamed.gone.count == 1)
    #expect(
      renamed.new == [
        "\t\t<attribute attributeType=\"Integer 32\" name=\"height\" defaultValueString=\"NO\" optional=\"YES\" elementID=\"altitude\">"
      ])
    // `elementID="isOpen"` would make of it what nobody meant.
    let bare = try edited { $0.entities[0].attributes[1].name = "isStaffed" }
    #expect(
      bare.new == ["\t\t<attribute name=\"isStaffed\" attributeType=\"Boolean\" defaultValueString=\"0\"/>"])
  }

  @Test func `a renamed entity changes its own line and those that name it`() throws {
    let renamed = try edited {
      $0.entities[1].name = "Trip"
      $0.entities[1].renamingIdentifier = "Tour"
      $0.entities[0].relationships[0].destinationEntityName = "Trip"
    }
    #expect(
      renamed.new == [
        "\t\t<relationship name=\"tours\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Trip\" inverseName=\"hut\" inverseEntity=\"Trip\" deletionRule=\"Nullify\"/>",
        "\t<entity name=\"Trip\" representedClassName=\"\" elementID=\"Tour\">",
      ])
    #expect(renamed.gone.count == 2)
  }

  @Test func `what is new stands under the indentation that is usual there, and in its form`() throws {
    let added = try edited {
      $0.entities[0].attributes.append(AttributeDescription(name: "beds", type: .integer16, isOptional: true))
    }
    #expect(added.gone == [])
    #expect(added.new == ["\t\t<attribute name=\"beds\" optional=\"YES\" attributeType=\"Integer 16\"/>"])
    let first = try edited {
      $0.entities[0].attributes.insert(AttributeDescription(name: "beds", type: .string), at: 0)
    }
    #expect(first.gone == [])
    #expect(first.new == ["\t\t<attribute name=\"beds\" attributeType=\"String\"/>"])
    let opened = try edited {
      $0.entities[2].attributes.append(AttributeDescription(name: "text", type: .string))
    }
    #expect(opened.gone == ["\t<entity name=\"Note\"/>"])
    #expect(opened.new.count == 3 && opened.new.first == "\t<entity name=\"Note\">")
    let entity = try edited {
      $0.entities.insert(
        EntityDescription(name: "Pass", attributes: [AttributeDescription(name: "name", type: .string)]),
        at: 1)
    }
    #expect(entity.gone == [])
    #expect(entity.new.count == 3 && entity.new.first == "\t<entity name=\"Pass\">")
  }

  @Test func `what is gone takes its lines along, and the last one its end tag`() throws {
    let attribute = try edited { $0.entities[0].attributes.remove(at: 0) }
    #expect(attribute.new == [] && attribute.gone.count == 3)
    // The remark is nobody's but its author's.
    #expect(attribute.text.contains("<!-- in metres -->"))
    let entity = try edited { $0.entities.remove(at: 2) }
    #expect(entity.new == [] && entity.gone == ["\t<entity name=\"Note\"/>"])
    let last = try edited {
      $0.entities[1].relationships = []
      $0.entities[0].relationships = []
    }
    #expect(last.new == ["\t<entity name=\"Tour\" representedClassName=\"\"/>"])
  }

  @Test func `what comes elsewhere moves as it is`() throws {
    let moved = try edited { $0.entities[0].attributes.swapAt(0, 2) }
    let lines = moved.text.split(separator: "\n").map(String.init)
    #expect(lines.sorted() == Self.present.split(separator: "\n").map(String.init).sorted())
    let names = readXcodeModel(contents: Data(moved.text.utf8), file: "contents").model?.entities[0]
      .attributes
    #expect(names?.map(\.name) == ["title", "isOpen", "altitude"])
  }

  @Test func `line ends of Windows stay`() throws {
    let present = Self.present.split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: "\r\n")
    let added = try edited(
      { $0.entities[0].attributes.append(AttributeDescription(name: "beds", type: .string)) }, over: present)
    #expect(added.gone == [])
    #expect(added.new == ["\t\t<attribute name=\"beds\" attributeType=\"String\"/>\r"])
  }

  @Test(.needsFixtures) func `in every genuine model an edit is the only difference`() throws {
    var counts: [String: Int] = [:]
    for (number, url) in Fixtures.all(withExtension: "xcdatamodel").enumerated() {
      let text = try String(contentsOf: url.appending(path: "contents"), encoding: .utf8)
      let model = try #require(readXcodeModel(contents: Data(text.utf8), file: "contents").model)
      // One edit each, unless long lists are gone through.
      for (index, edit) in GenuineEdit.all.enumerated()
      where Fixtures.areWhole || index == number % GenuineEdit.all.count {
        var changed = model
        guard edit.apply(&changed, text) else { continue }
        let (gone, new, _) = try edited({ $0 = changed }, over: text)
        #expect(gone.count <= edit.gone && new.count <= edit.new, "\(url.path) \(edit.name): \(gone) \(new)")
        #expect(!(gone.isEmpty && new.isEmpty), "\(url.path) \(edit.name)")
        counts[edit.name, default: 0] += 1
      }
    }
    #expect(
      GenuineEdit.all.allSatisfy { counts[$0.name, default: 0] > (Fixtures.areWhole ? 100 : 15) }, "\(counts)"
    )
  }
}

/// An edit, and how many lines it may touch.
private struct GenuineEdit: Sendable {
  var name: String
  var gone: Int
  var new: Int
  /// - Returns: whether the model has a place for it.
  var apply: @Sendable (inout ManagedObjectModel, _ text: String) -> Bool

  static let all = [
    GenuineEdit(name: "rename an attribute", gone: 1, new: 1) { model, text in
      guard let (entity, index) = freeAttribute(of: model, text) else { return false }
      let old = model.entities[entity].attributes[index].name
      model.entities[entity].attributes[index].renamingIdentifier = old
      model.entities[entity].attributes[index].name = "renamedByUs"
      return true
    },
    GenuineEdit(name: "make an attribute optional or not", gone: 1, new: 1) { model, text in
      guard let (entity, index) = freeAttribute(of: model, text) else { return false }
      model.entities[entity].attributes[index].isOptional.toggle()
      return true
    },
    GenuineEdit(name: "add an attribute", gone: 0, new: 1) { model, _ in
      guard let entity = model.entities.firstIndex(where: { !$0.attributes.isEmpty }) else { return false }
      model.entities[entity].attributes.append(
        AttributeDescription(name: "addedByUs", type: .string, isOptional: true))
      return true
    },
    GenuineEdit(name: "remove an attribute", gone: 8, new: 0) { model, text in
      guard let (entity, index) = freeAttribute(of: model, text), model.entities[entity].attributes.count > 1
      else { return false }
      model.entities[entity].attributes.remove(at: index)
      return true
    },
    GenuineEdit(name: "add an entity", gone: 0, new: 3) { model, _ in
      guard !model.entities.isEmpty else { return false }
      let attribute = AttributeDescription(name: "name", type: .string, isOptional: true)
      model.entities.append(EntityDescription(name: "AddedByUs", attributes: [attribute]))
      return true
    },
  ]

  /// One that nothing else names, and whose lines are few.
  private static func freeAttribute(of model: ManagedObjectModel, _ text: String) -> (Int, Int)? {
    for (entity, description) in model.entities.enumerated() {
      for (index, attribute) in description.attributes.enumerated()
      where attribute.userInfo.isEmpty
        && text.components(separatedBy: attribute.name).count == 2
      {
        return (entity, index)
      }
    }
    return nil
  }
}

private func write(_ model: ManagedObjectModel, to place: URL) throws {
  let version = ModelVersion(name: "App", model: model)
  let whole = VersionedModel(name: "App", versions: [version], currentVersionName: "App")
  _ = try whole.writeXcodePackage(to: place)
}

private func lineDifference(_ old: String, _ new: String) -> (gone: [String], new: [String]) {
  func lines(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
  let difference = lines(new).difference(from: lines(old))
  func text(_ change: CollectionDifference<String>.Change) -> String {
    switch change {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
  return (difference.removals.map(text), difference.insertions.map(text))
}
