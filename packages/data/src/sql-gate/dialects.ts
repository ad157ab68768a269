/** The SQL of a source. */
export type Dialect = 'duckdb' | 'sqlite' | 'mysql' | 'postgres'

/** How a dialect's text is cut into tokens, as far as dialects differ. */
export interface Lexis {
  hashComments: boolean
  /** MySQL takes `--` for a comment only before a blank. */
  dashNeedsBlank: boolean
  nestedComments: boolean
  /** `/*!` and `/*M!`: text that looks like a comment and is run. */
  runComments: boolean
  /** A backslash in a plain string keeps the next character from ending it. */
  backslashes: boolean
  /** `"…"` is a string; elsewhere it is a name. */
  doubleQuotedStrings: boolean
  backquotes: boolean
  brackets: boolean
  dollarStrings: boolean
  /** `E'…'` has backslashes where plain strings have none. */
  escapeStrings: boolean
  /** `$a(…)` is one parameter, with whatever stands in its brackets; so with `@`, `:` and `#`. */
  wideParameters: boolean
}

const plain: Lexis = {
  ...{ hashComments: false, dashNeedsBlank: false, nestedComments: false, runComments: false },
  ...{ backslashes: false, doubleQuotedStrings: false, backquotes: false, brackets: false },
  ...{ dollarStrings: false, escapeStrings: false, wideParameters: false },
}

export const lexisOf: Readonly<Record<Dialect, Lexis>> = {
  sqlite: { ...plain, backquotes: true, brackets: true, wideParameters: true },
  duckdb: { ...plain, nestedComments: true, dollarStrings: true, escapeStrings: true },
  postgres: { ...plain, nestedComments: true, dollarStrings: true, escapeStrings: true },
  mysql: {
    ...plain,
    ...{ hashComments: true, dashNeedsBlank: true, runComments: true, backslashes: true },
    ...{ doubleQuotedStrings: true, backquotes: true },
  },
}
