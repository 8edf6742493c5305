import Expressions

// Foundation has macro types of the same names, which nothing here uses.
typealias Expression = Expressions.Expression
typealias Predicate = Expressions.Predicate
