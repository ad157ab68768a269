import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toTypable } from './paste.ts'

/** What a person has sent, in this and other terminals. */
export interface History {
  /** Resolves when what was kept is read; never rejects. */
  readonly loaded: Promise<void>
  /** Oldest first, without repetitions in a row. */
  entries(): readonly string[]
  /** Keeps it, unless it begins with a space, is empty, or is what was kept last. */
  add(text: string): void
  /** Resolves when all that was added is written, or could not be; never rejects. */
  flush(): Promise<void>
}

export interface HistoryOptions {
  /** One JSON string a line. Older ones are in the same name with `.old`. */
  file: string
  /** When the file is longer, it becomes the old one. Default 256 KiB. */
  maxBytes?: number
  /** A longer text is kept for this run only. Default 16 Ki characters. */
  maxLength?: number
}

/**
 * Appends to the file, which several terminals do at once: each line is one write at its end. A
 * history that cannot be read or written is one of this run only.
 */
export function createHistory({
  file,
  maxBytes = 256 * 1024,
  maxLength = 16 * 1024,
}: HistoryOptions): History {
  const kept: string[] = []
  const loaded = load()
  let written = loaded

  return {
    loaded,
    entries: () => kept,
    add(text) {
      const isWanted = text.trim() !== '' && !text.startsWith(' ') && kept.at(-1) !== text
      if (!isWanted) return
      kept.push(text)
      if (text.length <= maxLength) written = written.then(() => append(text)).catch(() => {})
    },
    flush: () => written,
  }

  async function load(): Promise<void> {
    const texts = await Promise.all([`${file}.old`, file].map(readText))
    const lines = texts.join('').split('\n').flatMap(parseLine)
    kept.unshift(...lines.filter((line, at) => line !== lines[at - 1]))
  }

  async function append(text: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await using handle = await open(file, 'a', 0o600)
    const { size, mode } = await handle.stat()
    if ((mode & 0o077) !== 0) await chmod(file, 0o600)
    await handle.appendFile(`${JSON.stringify(text)}\n`)
    if (size > maxBytes) await turnOver(file, maxBytes)
  }
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '')
}

/** A line that another program wrote, or that was cut, is left out. */
function parseLine(line: string): string[] {
  try {
    const text: unknown = JSON.parse(line)
    return typeof text === 'string' && text !== '' ? [toTypable(text)] : []
  } catch {
    return []
  }
}

const staleMs = 10_000

/**
 * Makes the file the old one. Only who holds the lock does, and looks at its size once more, so
 * that of two terminals the second does not put a new file in the old one's place; what others
 * write meanwhile is in the one or the other.
 */
async function turnOver(file: string, maxBytes: number): Promise<void> {
  const lock = `${file}.lock`
  const held = await stat(lock).catch(() => undefined)
  if (held !== undefined && Date.now() - held.mtimeMs > staleMs) await rm(lock, { force: true })
  const handle = await open(lock, 'wx', 0o600).catch(() => undefined)
  if (handle === undefined) return
  try {
    const { size } = await stat(file)
    if (size > maxBytes) await rename(file, `${file}.old`)
  } finally {
    await handle.close()
    await rm(lock, { force: true })
  }
}
