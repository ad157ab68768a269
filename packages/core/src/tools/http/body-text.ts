import type { EgressResponse } from '@dataagent/guard'

/** What came back, as far as it is known from its headers and first bytes. */
export type BodyKind = 'html' | 'text' | 'pdf' | 'binary'

const textTypes =
  /^(text\/|application\/(.+\+)?(json|xml|yaml|x-yaml|javascript|x-ndjson|graphql|toml|x-sh|sql)$)/
const htmlTypes = /^(text\/html|application\/xhtml\+xml)$/

const mediaType = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/

/**
 * The media type without its parameters, in lower case; empty where none was sent, or words that
 * are none.
 */
export function mediaTypeOf({ headers }: Pick<EgressResponse, 'headers'>): string {
  const value = String(headers['content-type'] ?? '')
  const type = value.split(';', 1)[0]!.trim().toLowerCase()
  return mediaType.test(type) ? type : ''
}

export function kindOf(mediaType: string, bytes: Uint8Array): BodyKind {
  const beginning = Buffer.from(bytes.subarray(0, 1024))
  if (mediaType === 'application/pdf' || beginning.toString('latin1', 0, 5) === '%PDF-')
    return 'pdf'
  if (htmlTypes.test(mediaType)) return 'html'
  if (textTypes.test(mediaType)) return 'text'
  const isUnnamed = mediaType === '' || mediaType === 'application/octet-stream'
  if (!isUnnamed || beginning.includes(0)) return bytes.length === 0 ? 'text' : 'binary'
  return /^\s*(<!doctype html|<html)/i.test(beginning.toString('latin1')) ? 'html' : 'text'
}

/**
 * Decodes a text: by its byte order mark, the charset of the header, that of the page itself, as
 * UTF-8 where it is, and else as what old Chinese pages are.
 */
export function decodeBody(response: Pick<EgressResponse, 'headers'>, bytes: Uint8Array): string {
  const header = String(response.headers['content-type'] ?? '')
  const beginning = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  const labels = [
    bomOf(bytes),
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(header)?.[1],
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(beginning)?.[1],
    /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]+)/i.exec(beginning)?.[1],
  ]
  for (const label of labels) {
    const text = label === undefined ? undefined : decode(bytes, label, false)
    if (text !== undefined) return text
  }
  return (
    decode(bytes, 'utf-8', true) ?? decode(bytes, 'gb18030', true) ?? Buffer.from(bytes).toString()
  )
}

function bomOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined
}

/** Undefined for a charset that nobody knows, or where `fatal` and it does not fit. */
function decode(bytes: Uint8Array, label: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The part of a text that is shown, and how to get the next. */
export function toWindow(text: string, offset: number, most: number): string {
  const part = text.slice(offset, offset + most).toWellFormed()
  const end = offset + part.length
  if (offset === 0 && end === text.length) return part
  if (part === '') return `[there are only ${text.length} characters]`
  const more = end < text.length ? `; go on with offset ${end}` : ''
  return `${part}\n[characters ${offset} to ${end} of ${text.length}${more}]`
}
