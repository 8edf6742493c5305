enum PlaceholderExpressionsTests {}
