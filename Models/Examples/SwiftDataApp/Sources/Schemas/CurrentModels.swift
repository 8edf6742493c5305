// The app's code says `Book`; only migrations name a schema.
typealias Book = SchemaV3.Book
typealias Shelf = SchemaV3.Shelf
typealias Writer = SchemaV3.Writer
