import Foundation
import ManagedModel
import PersistentStore

/// A condition with its values (`NSPredicate(format:)`), with the meaning of a fetch: a comparison with nil is neither
/// true nor false.
public struct FetchPredicate {
  private indirect enum Form {
    /// With a variable for each value: `name == $v0`.
    case format(String, [String: Any])
    case and([FetchPredicate])
    case or([FetchPredicate])
    case not(FetchPredicate)
  }

  private let form: Form

  /// - Parameters:
  ///   - format: in Core Data's words. `%@`, `%d`, `%ld`, `%lld`, `%f` stand for values, `%K` for a key path.
  ///   - values: in the order of the placeholders; nil is a null.
  public init(format: String, _ values: Any?...) { self.init(format: format, argumentArray: values) }

  /// A condition whose `%@` and `%K` take the values in order.
  public init(format: String, argumentArray values: [Any?]) {
    var text = ""
    var arguments: [String: Any] = [:]
    var rest = values[...]
    var place = format.startIndex
    var quote: Character?
    while place < format.endIndex {
      let character = format[place]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "%", let (token, end) = placeholder(in: format, at: place) {
        let value = rest.popFirst() ?? nil
        if token == "K" {
          text += value.map { "\($0)" } ?? ""
        } else {
          let name = "modelc_value\(arguments.count)"
          arguments[name] = .some(value as Any)
          text += "$\(name)"
        }
        place = end
        continue
      }
      text.append(character)
      place = format.index(after: place)
    }
    form = .format(text, arguments)
  }

  /// - Parameters:
  ///   - format: values stand in it as variables: `numericISO3166Code == $code`.
  ///   - variables: by name, without the dollar sign.
  public init(format: String, variables: [String: Any]) { form = .format(format, variables) }

  /// True or false for every object.
  public init(value: Bool) { form = .format(value ? "TRUEPREDICATE" : "FALSEPREDICATE", [:]) }

  /// True if all of them are true.
  public init(andPredicateWithSubpredicates predicates: [FetchPredicate]) { form = .and(predicates) }

  /// True if one of them is true.
  public init(orPredicateWithSubpredicates predicates: [FetchPredicate]) { form = .or(predicates) }

  /// True if the other one is false.
  public init(notPredicateWithSubpredicate predicate: FetchPredicate) { form = .not(predicate) }

  /// Whether it holds for an object, with the meaning in memory: a comparison is true or false, also with nil.
  ///
  /// A predicate that cannot be read or evaluated stops the migration after the callback.
  public func evaluate(with object: MigratingObject) -> Bool {
    let context = object.managedObjectContext
    return context.recording(object, nil) {
      var evaluation = EvaluationContext(now: context.rows.now)
      let monitor = context.monitor
      evaluation.shouldStop = { monitor.isCancelled }
      let condition = try condition(in: context) { value in
        let name = "modelc_operand\(evaluation.variables.count)"
        evaluation.variables[name] = value
        return .variable(name)
      }
      return try ManagedModel.evaluate(condition, on: .object(object), in: evaluation)
    } ?? false
  }

  /// The condition; what stands for a value in it is what the body gives.
  func condition(
    in context: ManagedObjectContext, _ bind: (ExpressionValue) throws -> ManagedModel.Expression
  ) throws -> ManagedModel.Predicate {
    switch form {
    case .and(let parts): return .and(try parts.map { try $0.condition(in: context, bind) })
    case .or(let parts): return .or(try parts.map { try $0.condition(in: context, bind) })
    case .not(let part): return .not(try part.condition(in: context, bind))
    case .format(let text, let values):
      let operands = try values.mapValues { try bind(ExpressionValue(operand: $0, in: context)) }
      return try parsePredicate(text).rewritten { part in
        if case .variable(let name) = part { operands[name] ?? part } else { part }
      }
    }
  }
}

/// The letter of the placeholder that begins there, and where it ends.
private func placeholder(in format: String, at place: String.Index) -> (Substring, String.Index)? {
  let rest = format[format.index(after: place)...]
  for token in ["@", "K", "lld", "llu", "ld", "lu", "d", "i", "u", "lf", "f"] where rest.hasPrefix(token) {
    return (Substring(token), format.index(rest.startIndex, offsetBy: token.count))
  }
  return nil
}

extension ExpressionValue {
  /// A value that code hands over for a predicate or returns: one of an attribute, an object or its ID, several of these, or
  /// nil.
  ///
  /// - Parameter context: of IDs; nil if there are none.
  init(operand value: Any, in context: ManagedObjectContext? = nil) throws {
    switch present(value) ?? NSNull() {
    case let object as MigratingObject: self = .object(object)
    case let id as ManagedObject.ID where context != nil:
      self = context?.object(id).map { .object($0) } ?? .null
    case let number as Decimal: self = .decimal(number)
    // Numbers of every kind bridge to it; not all of 64 bits are doubles.
    case let number as NSNumber:
      self = Int64(exactly: number).map { .integer($0) } ?? .double(number.doubleValue)
    case let text as String: self = .string(text)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let uuid as UUID: self = .uuid(uuid)
    case let url as URL: self = .uri(url.absoluteString)
    case let data as Data: self = .binary(data)
    case is NSNull: self = .null
    case let elements as any Sequence:
      self = .collection(ValueCollection(try elements.map { try Self(operand: $0, in: context) }))
    default:
      throw PolicyMisuse(
        "a value that the policy passes is of the type '\(type(of: value))', which no attribute has",
        help: [
          "pass what the attribute holds: a text, a number, a date, data, an object, or a list of these"
        ])
    }
  }

  /// As code of an app has it; nil for no value. A set that holds arrays is an array.
  var foundationValue: Any? {
    switch self {
    case .object(let object as ManagerObject): return object.manager
    case .object(let object): return object
    case .dictionary(let entries): return entries.compactMapValues(\.foundationValue)
    case .collection(let collection):
      let values = collection.elements.compactMap(\.foundationValue)
      if collection.kind == .orderedSet, values is [MigratingObject] { return OrderedObjects(array: values) }
      return (collection.kind == .set ? (values as? [AnyHashable]).map { Set($0) } : nil) ?? values
    default: return plainAttributeValue?.foundationValue
    }
  }

  /// As an operand of a fetch, which binds a cell by a name.
  ///
  /// A null stands in the condition itself: compared with a parameter it would find nothing.
  func operand(_ cells: inout [String: StoredCell]) -> ManagedModel.Expression {
    if case .collection(let list) = self { return .aggregate(list.elements.map { $0.operand(&cells) }) }
    let cell: StoredCell? =
      switch self {
      case .object(let object as MigratingObject): .integer(object.key)
      case .integer(let number): .integer(number)
      case .double(let number), .date(let number): .real(number)
      case .decimal(let number): number.cell
      case .string(let text), .uri(let text): .text(text)
      case .binary(let data): .blob(data)
      default: plainAttributeValue.flatMap { storedCell($0, of: AttributeDescription(name: "", type: .uuid)) }
      }
    guard let cell else { return .constant(.null) }
    let name = "modelc_operand\(cells.count)"
    cells[name] = cell
    return .variable(name)
  }
}
