import ManagedModel

/// What the form of a document depends on: the Xcode that saved it, because each writes it a little differently.
///
/// As seen in 159 genuine files, from Xcode 4.5 (tools 1811) to Xcode 16 (tools 23507).
struct XcodeForm {
  let toolsVersion: String
  let systemVersion: String
  let minimumToolsVersion: String
  let sourceLanguage: String?
  /// `name=""` in front, until Xcode 4.
  let namesModel: Bool
  /// The version identifier in front instead of at the end, until Xcode 7.
  let identifierLeads: Bool
  /// `macOSVersion="Automatic" iOSVersion="Automatic"`, until Xcode 6.
  let listsPlatforms: Bool
  /// `syncable="YES"` at every property, until Xcode 10 and where the model is kept readable for such an Xcode.
  private var propertySyncable: String?
  /// `syncable="YES"` at every entity, as all that Xcode writes have it.
  private var entitySyncable: String? = "YES"
  /// What has `syncable="NO"` whatever the form.
  private let notSyncable: Set<String>

  /// A model that no Xcode has saved takes the form of Xcode 15.
  private static let newest = (tools: "22758", system: "23F79")

  init(_ settings: EditorSettings) {
    toolsVersion = settings.lastSavedToolsVersion ?? Self.newest.tools
    systemVersion = settings.systemVersion ?? Self.newest.system
    minimumToolsVersion = settings.minimumToolsVersion ?? "Automatic"
    // Xcode asks for a language since version 8; without an answer it would generate Objective-C.
    var others = settings
    others.notSyncable = []
    sourceLanguage = others == EditorSettings() ? "Swift" : settings.sourceLanguage
    let tools = leadingNumber(of: toolsVersion) ?? .infinity
    namesModel = tools < 3000
    listsPlatforms = tools < 8000
    identifierLeads = tools < 11000 && sourceLanguage == nil
    let least = minimumToolsVersion.split(separator: " ").last.flatMap { leadingNumber(of: String($0)) }
    propertySyncable = yes(tools < 14700 || (least ?? .infinity) < 11)
    notSyncable = Set(settings.notSyncable)
  }

  /// What an entity, or one of its properties, has as its attribute.
  ///
  /// - Parameter property: nil for the entity itself.
  func syncable(_ entity: String, _ property: String? = nil) -> String? {
    if notSyncable.contains(property.map { "\(entity).\($0)" } ?? entity) { return "NO" }
    return property == nil ? entitySyncable : propertySyncable
  }

  /// The form of a document that is there, which need not be what its Xcode would write: other tools write models too.
  func following(_ document: XcodeElement) -> XcodeForm {
    var form = self
    let entities = document.children(named: "entity")
    let properties = entities.flatMap(\.children).filter {
      $0.name == "attribute" || $0.name == "relationship"
    }
    // What is NO is so for itself, and says nothing of what others have.
    func isMarked(_ element: XcodeElement) -> Bool { element["syncable"] == "YES" }
    if entities.contains(where: { $0["syncable"] != "NO" }) {
      form.entitySyncable = yes(entities.contains(where: isMarked))
    }
    if !properties.isEmpty { form.propertySyncable = yes(properties.contains(where: isMarked)) }
    return form
  }
}

private func leadingNumber(of text: String) -> Double? {
  Double(text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") })
}
