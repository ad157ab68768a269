/** One command of a shell text: its words as they would be given, and what we do not do. */
export interface ShellCommand {
  words: string[]
  /** Syntax that only a shell could carry out: `|`, `$(…)`; or a quote that is not closed. */
  problems: string[]
}

interface Reader {
  readonly text: string
  at: number
  /** The pieces of the word that is being read. */
  word: string[] | undefined
  command: ShellCommand
  readonly commands: ShellCommand[]
}

const operators = new Set([';', '|', '&', '>', '<'])

/**
 * Splits text into commands and words as a POSIX shell does (XCU section 2.2 and 2.3), and does
 * nothing else: no variable, no pattern and no command in it is expanded.
 */
export function splitShell(text: string): ShellCommand[] {
  const reader: Reader = {
    ...{ text, at: 0, word: undefined },
    ...{ command: { words: [], problems: [] }, commands: [] },
  }
  while (reader.at < text.length) readNext(reader)
  endCommand(reader)
  return reader.commands
}

function readNext(reader: Reader): void {
  const char = reader.text.charAt(reader.at)
  reader.at += 1
  if (char === "'") readSingle(reader)
  else if (char === '"') readDouble(reader)
  else if (char === '\\') readEscape(reader)
  else if (char === '\n') endCommand(reader)
  else if (/\s/.test(char)) endWord(reader)
  else if (char === '#' && reader.word === undefined) skipComment(reader)
  else if (operators.has(char)) readOperator(reader, char)
  else readPlain(reader, char)
}

function readSingle(reader: Reader): void {
  const end = reader.text.indexOf("'", reader.at)
  if (end === -1) addProblem(reader, 'a quote that is not closed')
  const stop = end === -1 ? reader.text.length : end
  add(reader, reader.text.slice(reader.at, stop))
  reader.at = stop + 1
}

function readDouble(reader: Reader): void {
  const { text } = reader
  const parts: string[] = []
  for (; reader.at < text.length; reader.at += 1) {
    const char = text.charAt(reader.at)
    if (char === '"') break
    noteSubstitution(reader, char)
    const isEscape = char === '\\' && '"\\$`\n'.includes(text.charAt(reader.at + 1) || ' ')
    if (isEscape) reader.at += 1
    const taken = text.charAt(reader.at)
    if (!isEscape || taken !== '\n') parts.push(taken)
  }
  if (reader.at >= text.length) addProblem(reader, 'a quote that is not closed')
  reader.at += 1
  add(reader, parts.join(''))
}

/** A Windows path keeps its backslashes: nobody who pastes one means to escape its letters. */
function readEscape(reader: Reader): void {
  const next = reader.text.charAt(reader.at)
  const isWindowsPath = /^[A-Za-z]:/.test(reader.word?.[0] ?? '')
  if (next === '\n') reader.at += 1
  else if (isWindowsPath) add(reader, '\\')
  else {
    reader.at += 1
    add(reader, next)
  }
}

function readOperator(reader: Reader, char: string): void {
  addProblem(reader, `"${char}"`)
  endWord(reader)
}

function readPlain(reader: Reader, char: string): void {
  noteSubstitution(reader, char, reader.at)
  const run = /[\w./:@=-]*/y
  run.lastIndex = reader.at
  const more = run.exec(reader.text)?.[0] ?? ''
  reader.at += more.length
  add(reader, char + more)
}

function noteSubstitution(reader: Reader, char: string, next = reader.at + 1): void {
  if (char === '`') addProblem(reader, 'backticks')
  if (char === '$' && reader.text.charAt(next) === '(') addProblem(reader, '"$(…)"')
}

function skipComment(reader: Reader): void {
  const end = reader.text.indexOf('\n', reader.at)
  reader.at = end === -1 ? reader.text.length : end
}

function add(reader: Reader, text: string): void {
  reader.word ??= []
  reader.word.push(text)
}

function addProblem({ command }: Reader, problem: string): void {
  if (!command.problems.includes(problem)) command.problems.push(problem)
}

function endWord(reader: Reader): void {
  if (reader.word !== undefined) reader.command.words.push(reader.word.join(''))
  reader.word = undefined
}

function endCommand(reader: Reader): void {
  endWord(reader)
  const { words, problems } = reader.command
  if (words.length > 0 || problems.length > 0) reader.commands.push(reader.command)
  reader.command = { words: [], problems: [] }
}
