import Foundation
import ManagedModel

extension ManagedObjectModel {
  /// The `contents` of an edited model, written over the one that is there. Only what was edited changes; the rest of the
  /// document keeps its content and its form.
  ///
  /// The document's own model and the edited one are both written, and the differences of the two texts are applied to the
  /// document. The result is read again; where it is not the edited model, it is written afresh.
  ///
  /// - Parameter present: what is there; nil if nothing is.
  func rewritten(over present: Data?) -> (contents: Data, diagnostics: [Diagnostic]) {
    guard let present, let old = readXcodeModel(contents: present, file: "contents").model,
      let document = try? present.parseXcodeDocument(file: "contents")
    else {
      let (text, diagnostics) = writeXcodeModel(self)
      return (Data(text.utf8), diagnostics)
    }
    let model = inEditor(of: old)
    let form = XcodeForm(model.editorSettings).following(document)
    let (text, diagnostics) = writeXcodeModel(model, form: form)
    let before = writeXcodeModel(old, form: form).contents
    if before == text { return (present, diagnostics) }
    guard let before = try? Data(before.utf8).parseXcodeDocument(file: "contents"),
      let after = try? Data(text.utf8).parseXcodeDocument(file: "contents")
    else { return (Data(text.utf8), diagnostics) }
    let merged = Data(ElementMerge(present: document, before: before, after: after).merged())
    let again = readXcodeModel(contents: merged, file: "contents").model
    let isSame = again.map { writeXcodeModel($0, form: form).contents == text } ?? false
    return (isSame ? merged : Data(text.utf8), diagnostics)
  }

  /// With what only Xcode reads as it is in the document that is there: the Xcode that saved it, and what the model
  /// says nothing of.
  fileprivate func inEditor(of old: ManagedObjectModel) -> ManagedObjectModel {
    var model = self
    let present = old.editorSettings
    model.editorSettings.lastSavedToolsVersion = present.lastSavedToolsVersion
    model.editorSettings.systemVersion = present.systemVersion
    // A model from elsewhere.
    guard editorSettings.lastSavedToolsVersion == nil else { return model }
    model.editorSettings.minimumToolsVersion =
      editorSettings.minimumToolsVersion ?? present.minimumToolsVersion
    model.editorSettings.sourceLanguage = editorSettings.sourceLanguage ?? present.sourceLanguage
    model.editorSettings.diagram = editorSettings.diagram ?? present.diagram
    return model
  }
}
