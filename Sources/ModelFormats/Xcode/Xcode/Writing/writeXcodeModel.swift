package import ManagedModel

/// The `contents` of an `.xcdatamodel` that says what the model says, laid out as Xcode does, so that a version
/// that was read and written again differs in nothing that was not edited.
///
/// - Returns: the text, and what of the model it cannot say (MC0209): errors where the text would be no XML.
package func writeXcodeModel(_ model: ManagedObjectModel) -> (contents: String, diagnostics: [Diagnostic]) {
  writeXcodeModel(model, form: XcodeForm(model.editorSettings))
}

/// The same in a form of its own.
func writeXcodeModel(
  _ model: ManagedObjectModel, form: XcodeForm
) -> (contents: String, diagnostics: [Diagnostic]) {
  var xml = XMLText()
  XcodeModelWriter(model: model, form: form).write(to: &xml)
  // Each is given as `element.attribute`.
  let unwritable = xml.unwritable.map { attribute in
    let parts = attribute.split(separator: ".", maxSplits: 1)
    return Diagnostic(
      .notInXcodeModel, .error,
      "the '\(parts.last ?? "")' of a '\(parts.first ?? "")' contains a character that XML does not allow",
      notes: ["XML allows no control characters except tabs and line ends"], help: ["remove the character"])
  }
  return (xml.text, (unwritable + model.checkXcodeWording()).ordered)
}

/// Writes one document; the parts are in the `XcodeModelWriter+…` files.
struct XcodeModelWriter {
  let model: ManagedObjectModel
  let form: XcodeForm

  func write(to xml: inout XMLText) {
    xml.element("model", modelAttributes) { xml in
      for entity in model.entities { write(entity, to: &xml) }
      for request in model.fetchRequestTemplates { write(request, to: &xml) }
      for configuration in model.configurations { write(configuration, to: &xml) }
      for composite in model.composites {
        xml.element("composite", [("name", composite.name)]) { xml in
          for element in composite.elements { write(element, of: "", to: &xml) }
        }
      }
      if let diagram = model.editorSettings.diagram { write(diagram, to: &xml) }
    }
  }

  private var modelAttributes: [(String, String?)] {
    let settings = model.editorSettings
    let identifier = ("userDefinedModelVersionIdentifier", model.versionIdentifiers.joined(separator: ","))
    let platform = form.listsPlatforms ? "Automatic" : nil
    var attributes: [(String, String?)] = [("name", form.namesModel ? "" : nil)]
    if form.identifierLeads { attributes.append(identifier) }
    attributes += [
      ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
      ("lastSavedToolsVersion", form.toolsVersion), ("systemVersion", form.systemVersion),
      ("minimumToolsVersion", form.minimumToolsVersion), ("sourceLanguage", form.sourceLanguage),
      ("usedWithCloudKit", yes(settings.usedWithCloudKit)),
      ("usedWithSwiftData", yes(settings.usedWithSwiftData)),
    ]
    if !form.identifierLeads { attributes.append(identifier) }
    return attributes + [("macOSVersion", platform), ("iOSVersion", platform)]
  }

  private func write(_ configuration: ConfigurationDescription, to xml: inout XMLText) {
    let isMirrored = model.editorSettings.cloudKitConfigurations.contains(configuration.name)
    xml.element("configuration", [("name", configuration.name), ("usedWithCloudKit", yes(isMirrored))]) {
      for name in configuration.entityNames { $0.element("memberEntity", [("name", name)]) }
    }
  }

  /// The boxes of what there still is; Xcode places the rest itself.
  private func write(_ diagram: [DiagramElement], to xml: inout XMLText) {
    let names = Set(model.entities.map(\.name) + model.composites.map(\.name))
    xml.element("elements") { xml in
      for box in diagram where names.contains(box.name) {
        xml.element(
          "element",
          [
            ("name", box.name), ("positionX", box.x.diagramText), ("positionY", box.y.diagramText),
            ("width", box.width.diagramText), ("height", box.height.diagramText),
          ])
      }
    }
  }

  func write(_ userInfo: [String: String], to xml: inout XMLText) {
    guard !userInfo.isEmpty else { return }
    xml.element("userInfo") { xml in
      for (key, value) in userInfo.sorted(by: { $0.key.precedesInCodePointOrder($1.key) }) {
        xml.element("entry", [("key", key), ("value", value)])
      }
    }
  }
}

/// A flag as Xcode writes it: absent where it is off.
func yes(_ flag: Bool) -> String? { flag ? "YES" : nil }
