import { AppError } from '@dataagent/schema'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252'

/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const odd = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/**
 * The encoding of a text by its beginning; undefined for what is none. What is not UTF-8 is most
 * likely an old Chinese or Western file.
 */
export function encodingOf(beginning: Uint8Array): Encoding | undefined {
  const [a, b] = beginning
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (beginning.includes(0)) return undefined
  return (['utf-8', 'gb18030', 'windows-1252'] as const).find((encoding) => {
    const text = tryDecode(beginning, encoding)
    return text !== undefined && !odd.test(text)
  })
}

/** A character may be cut at the end of the beginning: that is no fault. */
function tryDecode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** The text of bytes that are UTF-8 without NUL from end to end, its byte order mark included. */
export function toUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const kinds: [extension: RegExp, hint: string][] = [
  [/\.pdf$/i, 'It is a PDF: ask the user for its text'],
  [/\.(xlsx?|ods|docx?|pptx?)$/i, 'It is an office document: ask the user for it as CSV or text'],
  [/\.(png|jpe?g|gif|webp|bmp|ico)$/i, 'It is a picture, which this tool cannot show'],
  [/\.(zip|gz|tar|7z|rar|xz|bz2)$/i, 'It is an archive: ask the user for what is in it'],
]

export function binaryError(path: string): AppError {
  const hint = kinds.find(([extension]) => extension.test(path))?.[1]
  const why = `${JSON.stringify(path)} is not a text file, so it is not shown`
  return new AppError('invalid_request', hint === undefined ? why : `${why}. ${hint}`)
}
