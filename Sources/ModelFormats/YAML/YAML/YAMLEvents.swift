import CLibYAML
import Foundation

/// What libyaml reads, one event after the other; the border to C.
///
/// Positions are counts of Unicode scalars from the text's beginning.
struct YAMLEvent {
  enum Kind {
    case documentStart
    case scalar(String, YAMLNode.Style)
    case alias(String)
    /// Of a mapping, or else of a sequence.
    case start(isMapping: Bool, isFlow: Bool)
    case end
    /// Stream and document borders that mean nothing to a reader.
    case other
    case streamEnd
  }

  var kind: Kind
  var tag: String?
  var start: Int
  var end: Int

  fileprivate init(_ raw: yaml_event_t) {
    unsafe start = raw.start_mark.index
    unsafe end = raw.end_mark.index
    switch unsafe raw.type {
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    case YAML_SCALAR_EVENT:
      let scalar = unsafe raw.data.scalar
      let value = unsafe String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let style = unsafe scalar.style
      switch style {
      case YAML_PLAIN_SCALAR_STYLE: kind = .scalar(value, .plain)
      case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: kind = .scalar(value, .block)
      default: kind = .scalar(value, .quoted)
      }
      tag = unsafe string(at: scalar.tag)
    case YAML_ALIAS_EVENT: kind = .alias(unsafe string(at: raw.data.alias.anchor) ?? "")
    case YAML_SEQUENCE_START_EVENT:
      kind = .start(
        isMapping: false, isFlow: unsafe raw.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE)
      tag = unsafe string(at: raw.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      kind = .start(isMapping: true, isFlow: unsafe raw.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE)
      tag = unsafe string(at: raw.data.mapping_start.tag)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
    default: kind = .other
    }
  }
}

/// Why libyaml stopped.
struct YAMLSyntaxError: Error {
  var problem: String
  var position: Int
  var context: String?
  var contextPosition: Int
}

/// Hands the events of a text to `body` until that returns false or the text ends.
///
/// - Parameter bytes: checked UTF-8.
func forEachYAMLEvent(in bytes: Data, _ body: (YAMLEvent) -> Bool) throws(YAMLSyntaxError) {
  // libyaml keeps a pointer to the parser in the parser: it must not move.
  let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  defer { unsafe parser.deallocate() }
  guard unsafe yaml_parser_initialize(parser) == 1 else {
    throw YAMLSyntaxError(problem: "out of memory", position: 0, context: nil, contextPosition: 0)
  }
  defer { unsafe yaml_parser_delete(parser) }
  let failure: YAMLSyntaxError? = unsafe bytes.withUnsafeBytes { buffer in
    let text = unsafe buffer.bindMemory(to: UInt8.self)
    // An empty buffer may have no address; libyaml wants one.
    var nothing: UInt8 = 0
    unsafe withUnsafePointer(to: &nothing) { fallback in
      unsafe yaml_parser_set_input_string(parser, text.baseAddress ?? fallback, text.count)
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    while true {
      var raw = unsafe yaml_event_t()
      guard unsafe yaml_parser_parse(parser, &raw) == 1 else { return unsafe syntaxError(of: parser) }
      let event = unsafe YAMLEvent(raw)
      unsafe yaml_event_delete(&raw)
      if case .streamEnd = event.kind { return nil }
      guard body(event) else { return nil }
    }
  }
  if let failure { throw failure }
}

private func syntaxError(of parser: UnsafeMutablePointer<yaml_parser_t>) -> YAMLSyntaxError {
  let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) }
  return unsafe YAMLSyntaxError(
    problem: parser.pointee.problem.map { unsafe String(cString: $0) } ?? "out of memory",
    position: parser.pointee.problem_mark.index, context: context,
    contextPosition: parser.pointee.context_mark.index)
}

private func string(at characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
  guard let characters = unsafe characters else { return nil }
  return unsafe String(cString: characters)
}

/// The libyaml that this program runs with.
package var libyamlVersion: String { unsafe String(cString: yaml_get_version_string()) }
