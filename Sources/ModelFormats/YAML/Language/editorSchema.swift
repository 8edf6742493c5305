import ManagedModel

extension Form<EditorSettings> {
  private static let schema = Schema<EditorSettings>(
    "the editor's settings",
    [
      Field("minimumToolsVersion", \.minimumToolsVersion, .text),
      Field("sourceLanguage", \.sourceLanguage, .text),
      Field("usedWithCloudKit", \.usedWithCloudKit, .flag, unless: false),
      Field("usedWithSwiftData", \.usedWithSwiftData, .flag, unless: false),
      Field("cloudKitConfigurations", \.cloudKitConfigurations, .texts, unless: []),
      Field("notSyncable", \.notSyncable, .texts, unless: []),
      Field("lastSavedToolsVersion", \.lastSavedToolsVersion, .text),
      Field("systemVersion", \.systemVersion, .text),
      Field("diagram", \.diagram, .diagram),
    ])

  static let editorSettings = Form(schema.shape) { node, subject, reading in
    schema.read(node, from: EditorSettings(), about: subject, reading)
  } write: {
    .mapping(schema.write($0))
  }
}

extension Form<[DiagramElement]> {
  private static let box = Form<[String]>.list(of: .literal)

  /// `Name: [x, y, width, height]`, a line for each.
  fileprivate static let diagram = Form.named(\.name, layout: .block, shape: box.shape()) {
    name, node, subject, reading in
    guard let texts = box.read(node, subject, reading) else { return nil }
    let numbers = texts.compactMap(\.diagramNumber)
    guard numbers.count == 4, texts.count == 4 else {
      return reading.refuse(node) {
        .wrongKind(node, wanted: "the position of '\(name.abridged)' is four numbers: [x, y, width, height]")
      }
    }
    return DiagramElement(name: name, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  } write: { element in
    box.write([element.x, element.y, element.width, element.height].map(\.diagramText))
  }
}
