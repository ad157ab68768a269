import { parentPort } from 'node:worker_threads'
import picomatch from 'picomatch'

/** What the thread is asked: set the pattern, then search files; or filter paths. */
export type PatternRequest =
  | { kind: 'pattern'; pattern: string; isRegex: boolean; ignoreCase: boolean }
  | { kind: 'search'; bytes: Uint8Array; most: number }
  | { kind: 'glob'; pattern: string; paths: readonly string[] }

export interface FoundLine {
  line: number
  text: string
}

export type PatternAnswer =
  | { kind: 'ready' }
  | { kind: 'found'; lines: FoundLine[] }
  | { kind: 'binary' }
  | { kind: 'paths'; paths: string[] }
  | { failure: string }

const shownChars = 400
let matches: (line: string) => number = () => -1

parentPort?.on('message', (request: PatternRequest) => {
  parentPort?.postMessage(answer(request))
})

function answer(request: PatternRequest): PatternAnswer {
  if (request.kind === 'pattern') return prepare(request)
  if (request.kind === 'glob') return glob(request.pattern, request.paths)
  return search(Buffer.from(request.bytes.buffer), request.most)
}

function prepare({ pattern, isRegex, ignoreCase }: PatternRequest & { kind: 'pattern' }) {
  try {
    matches = isRegex ? toSearch(pattern, ignoreCase) : toFind(pattern, ignoreCase)
    return { kind: 'ready' } as const
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const hint = 'Correct it, or search for plain text with regex: false'
    return { failure: `The pattern is no regular expression: ${why}. ${hint}` }
  }
}

/** With the `u` flag where it can be read so: else `.` is half of a character beyond the BMP. */
function toSearch(pattern: string, ignoreCase: boolean): (line: string) => number {
  const flags = ignoreCase ? 'i' : ''
  const regex = tryRegex(pattern, `${flags}u`) ?? new RegExp(pattern, flags)
  return (line) => line.search(regex)
}

function tryRegex(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return undefined
  }
}

function toFind(text: string, ignoreCase: boolean): (line: string) => number {
  if (!ignoreCase) return (line) => line.indexOf(text)
  const lower = text.toLowerCase()
  return (line) => line.toLowerCase().indexOf(lower)
}

function search(bytes: Buffer, most: number): PatternAnswer {
  if (bytes.subarray(0, 8192).includes(0)) return { kind: 'binary' }
  const lines: FoundLine[] = []
  for (const [at, raw] of decode(bytes).split('\n').entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const found = matches(line)
    if (found < 0) continue
    lines.push({ line: at + 1, text: clip(line, found) })
    if (lines.length >= most) break
  }
  return { kind: 'found', lines }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

function clip(line: string, found: number): string {
  if (line.length <= shownChars) return line
  const from = Math.max(0, found - shownChars / 2)
  const part = line.slice(from, from + shownChars).toWellFormed()
  return `${from > 0 ? '…' : ''}${part}${from + shownChars < line.length ? '…' : ''}`
}

function glob(pattern: string, paths: readonly string[]): PatternAnswer {
  try {
    const fits = picomatch(pattern, { dot: true, strictSlashes: true, maxLength: 1000 })
    return { kind: 'paths', paths: paths.filter((path) => fits(path)) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { failure: `The glob pattern cannot be read: ${why}` }
  }
}
