/// An object that expressions read by key: of a store, of a policy, or the migration manager itself.
public protocol EvaluatedObject {
  /// Equal for two values that stand for the same object, whatever instance they are.
  var expressionIdentity: AnyHashable { get }

  /// The value of an attribute, the object of a to-one relationship (or nil), the objects of a to-many (in order
  /// where it is ordered, else by primary key), or a composite as a dictionary.
  ///
  /// - Throws: an error of unknown keys for a key that the object does not have; anything else ends
  ///   the evaluation as it is.
  func expressionValue(forKey key: String) throws -> ExpressionValue

  /// Carries out `FUNCTION(object, "selector:", argument)`.
  ///
  /// - Parameters:
  ///   - selector: with its colons, as many as there are arguments.
  ///   - arguments: in the order of the colons.
  /// - Throws: an error of unknown selectors for a method that the object does not have.
  func perform(_ selector: String, with arguments: [ExpressionValue]) throws -> ExpressionValue
}

extension EvaluatedObject {
  /// Knows no selector. Types with selectors override it.
  public func perform(_ selector: String, with arguments: [ExpressionValue]) throws -> ExpressionValue {
    throw EvaluationError.unknownSelector(selector, of: "an object")
  }
}
