import ManagedModel

// Foundation has a macro type of the same name, which nothing here uses.
typealias Expression = ManagedModel.Expression
