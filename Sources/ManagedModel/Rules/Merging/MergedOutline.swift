/// The sources of a merged model as one: the first that knows a part answers for it.
final class MergedOutline: SourceOutline {
  private let maps: [SourceMap]

  init(_ maps: [SourceMap]) { self.maps = maps }

  func range(of subject: ModelSubject) -> SourceRange? { maps.lazy.compactMap { $0[subject] }.first }

  func textRange(of subject: ModelSubject) -> SourceRange? {
    maps.lazy.compactMap { $0.textRange(of: subject) }.first
  }

  /// In the source that knows the edited part.
  func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt? {
    (maps.first { $0[edit.subject] != nil } ?? maps.first)?.fixIt(for: edit)
  }
}

extension SourceMap {
  /// The file of the first one is the merged model's.
  package init?(merging maps: [SourceMap]) {
    guard let first = maps.first else { return nil }
    self = maps.count == 1 ? first : SourceMap(file: first.file, outline: MergedOutline(maps))
  }
}
