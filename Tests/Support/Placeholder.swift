enum PlaceholderS {}
