enum PlaceholderModelMapping {}
