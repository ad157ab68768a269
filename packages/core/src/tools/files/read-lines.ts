import type { Workspace } from '@dataagent/guard'
import { binaryError, type Encoding, encodingOf } from './text-of.ts'

export interface TextFile {
  encoding: Encoding
  size: number
  /** One by one, without their ends. Holds a descriptor until it is left. */
  lines: AsyncIterable<string>
}

const sniffedBytes = 64 * 1024
/** A line that has more is cut there. */
const lineMax = 10_000

/** Opens a text file to read it by lines. Throws `invalid_request` for one that is no text. */
export async function openText(
  workspace: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<TextFile> {
  const { bytes } = await workspace.read(path, { length: sniffedBytes })
  const encoding = encodingOf(bytes)
  if (encoding === undefined) throw binaryError(path)
  const { stream, size } = await workspace.stream(path, { signal })
  return { encoding, size, lines: toLines(stream, encoding) }
}

async function* toLines(
  stream: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = toShort(lines.pop() ?? '')
    for (const line of lines) yield toLine(line)
  }
  rest += decoder.decode()
  if (rest !== '') yield toLine(rest)
}

function toLine(raw: string): string {
  const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
  return line.length <= lineMax
    ? line
    : `${line.slice(0, lineMax).toWellFormed()}… [the line is longer]`
}

/** Of a line that goes on and on only the beginning is kept. */
function toShort(rest: string): string {
  return rest.length <= 4 * lineMax ? rest : rest.slice(0, 2 * lineMax)
}
