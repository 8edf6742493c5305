import ManagedModel

extension String {
  /// A name as it is in SQL: bare where SQLite allows it, else in double quotes.
  ///
  /// Core Data writes names bare, so text that this function makes equals the text in a genuine store.
  package var quotedIdentifier: String {
    let isBare =
      utf8.allSatisfy(\.isOfWord)
      && utf8.first.map { !$0.isDigit } == true
    if isBare, !sqliteKeywords.contains(uppercased()) { return self }
    return sqlIdentifier
  }

  /// A text of a schema without what a rename, or a column that came later, may leave in it: space and quotation marks.
  package var normalizedSQL: String { filter { !$0.isWhitespace && $0 != "\"" } }
}

/// https://sqlite.org/lang_keywords.html
private let sqliteKeywords: Set<String> = Set(
  """
  ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY
  CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE
  CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH
  ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL
  GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD
  INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL
  NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE
  RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS
  SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE
  USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT
  """.split(whereSeparator: \.isWhitespace).map(String.init))
