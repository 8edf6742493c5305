package import ManagedModel

// Foundation has macro types of the same names, which nothing here uses.
package typealias Expression = ManagedModel.Expression
package typealias Predicate = ManagedModel.Predicate
