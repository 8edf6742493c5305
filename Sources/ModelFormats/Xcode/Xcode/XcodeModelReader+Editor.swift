import ManagedModel

extension XcodeModelReader {
  /// What the document says to Xcode alone.
  func editorSettings(of root: XcodeElement) -> EditorSettings {
    EditorSettings(
      minimumToolsVersion: root["minimumToolsVersion"], sourceLanguage: root["sourceLanguage"],
      usedWithCloudKit: root.flag("usedWithCloudKit"), usedWithSwiftData: root.flag("usedWithSwiftData"),
      cloudKitConfigurations: root.children(named: "configuration").filter { $0.flag("usedWithCloudKit") }
        .compactMap { $0.text("name") },
      notSyncable: root.children(named: "entity").flatMap(notSyncable),
      lastSavedToolsVersion: root.text("lastSavedToolsVersion"), systemVersion: root.text("systemVersion"),
      diagram: root.children(named: "elements").first.map(diagram))
  }

  /// An entity and those of its properties that have `syncable="NO"`, by name.
  private func notSyncable(in entity: XcodeElement) -> [String] {
    let name = entity.text("name") ?? ""
    return ([entity] + entity.children).filter { $0["syncable"] != nil && !$0.flag("syncable") }
      .map { $0.name == "entity" ? name : "\(name).\($0.text("name") ?? "")" }
  }

  /// The boxes of the diagram, each name once. What is not a number is zero: Xcode lays such a box out anew.
  private func diagram(of element: XcodeElement) -> [DiagramElement] {
    var names: Set<String> = []
    return element.children(named: "element").compactMap { box in
      guard let name = box.text("name"), names.insert(name).inserted else { return nil }
      let numbers = ["positionX", "positionY", "width", "height"].map {
        box[$0].flatMap(\.diagramNumber) ?? 0
      }
      return DiagramElement(name: name, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }
}
