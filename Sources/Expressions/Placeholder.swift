enum PlaceholderExpressions {}
