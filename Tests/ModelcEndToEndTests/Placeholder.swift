enum PlaceholderE {}
