package import Expressions

// Foundation has macro types of the same names, which nothing here uses.
package typealias Expression = Expressions.Expression
package typealias Predicate = Expressions.Predicate
