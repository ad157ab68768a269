import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import xterm from '@xterm/headless'

export interface TestTerminalOptions {
  command: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  columns?: number
  rows?: number
}

/** A program on a real pseudo-terminal, and the screen that a person would see. */
export interface TestTerminal extends AsyncDisposable {
  /** The rows of the screen, without blanks at their ends. */
  screen(): string[]
  /** Those that have scrolled away too. */
  all(): string[]
  cursor(): { row: number; col: number }
  /** As if it was typed. */
  write(text: string): void
  /** Waits until the screen shows it; says what it shows where it does not. */
  see(what: string | RegExp, options?: { timeoutMs?: number; anywhere?: boolean }): Promise<void>
  resize(columns: number, rows: number): Promise<void>
  /** All that the program has written. */
  bytes(): string
  /** The program itself, not what runs it. */
  pid(): number
  kill(signal: NodeJS.Signals): void
  /** Its exit code. */
  ended: Promise<number>
}

/**
 * Runs it under `script`, which every Linux has, and gives what it writes to a terminal that has no
 * window; what the terminal answers goes back.
 */
export async function openTestTerminal(options: TestTerminalOptions): Promise<TestTerminal> {
  const { command, env, cwd, columns = 80, rows = 24 } = options
  const folder = await temporaryDirectory()
  const facts = join(folder.path, 'facts')
  const inner = [
    `tty > '${facts}'`,
    `echo $$ >> '${facts}'`,
    `stty cols ${columns} rows ${rows}`,
    `exec ${command.map(quoted).join(' ')}`,
  ].join('; ')
  const terminal = new xterm.Terminal({
    ...{ cols: columns, rows, scrollback: 200_000, allowProposedApi: true },
  })
  const child = spawn('script', ['-qfec', inner, '/dev/null'], {
    ...{ cwd, stdio: ['pipe', 'pipe', 'ignore'] },
    env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    written += data
    terminal.write(data)
  })
  terminal.onData((data) => child.stdin.write(data))
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(() => child.exitCode ?? -1)
  const factOf = (line: number) => readFileSync(facts, 'utf8').split('\n')[line] ?? ''
  const flushed = () => new Promise<void>((resolve) => terminal.write('', resolve))

  function linesFrom(first: number): string[] {
    const { active } = terminal.buffer
    const count = active.length - first
    return Array.from({ length: count }, (_, row) =>
      (active.getLine(first + row)?.translateToString(true) ?? '').trimEnd(),
    )
  }

  const screen = () => linesFrom(terminal.buffer.active.baseY)

  return {
    screen,
    all: () => linesFrom(0),
    cursor: () => ({ row: terminal.buffer.active.cursorY, col: terminal.buffer.active.cursorX }),
    write: (text) => void child.stdin.write(text),
    async see(what, { timeoutMs = 20_000, anywhere = false } = {}) {
      const look = () => (anywhere ? linesFrom(0) : screen()).join('\n')
      const fits = (text: string) =>
        typeof what === 'string' ? text.includes(what) : what.test(text)
      try {
        await waitFor(() => flushed().then(() => fits(look())), { timeoutMs })
      } catch {
        throw new Error(`The terminal does not show ${what}, but:\n${look()}`)
      }
    },
    async resize(cols, lines) {
      terminal.resize(cols, lines)
      execFileSync('stty', ['-F', factOf(0), 'cols', `${cols}`, 'rows', `${lines}`])
    },
    bytes: () => written,
    pid: () => Number(factOf(1)),
    kill: (signal) => void process.kill(Number(factOf(1)), signal),
    ended,
    async [Symbol.asyncDispose]() {
      await end(child, Number(factOf(1)), ended)
      terminal.dispose()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** As a terminal does that is closed; a program that does not heed it is killed. */
async function end(child: ChildProcess, program: number, ended: Promise<number>): Promise<void> {
  for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null) break
    send(program, signal)
    if (signal === 'SIGKILL') child.kill(signal)
    const late = new AbortController()
    await Promise.race([ended, setTimeout(10_000, undefined, late).catch(() => {})])
    late.abort()
  }
  await ended
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
