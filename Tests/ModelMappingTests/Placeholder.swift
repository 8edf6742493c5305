enum PlaceholderModelMappingTests {}
