import type { Client } from '@dataagent/client'
import { imageTypeOf, kindOf } from './kind-of.ts'

export type Preview =
  | { kind: 'image'; src: string }
  | { kind: 'text'; text: string }
  | { kind: 'binary' }

/** Reads a file as it can be shown: an image as its own address, anything else as text. */
export async function readPreview(
  client: Pick<Client, 'files'>,
  path: string,
  signal: AbortSignal,
): Promise<Preview> {
  const response = await client.files.read(path, { signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (kindOf(path) === 'image') {
    return { kind: 'image', src: `data:${imageTypeOf(path)};base64,${toBase64(bytes)}` }
  }
  return toText(bytes)
}

/** Bytes that are no UTF-8, or hold a zero, are no text. */
function toText(bytes: Uint8Array): Preview {
  if (bytes.includes(0)) return { kind: 'binary' }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'binary' }
  }
}

const step = 32_768

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += step) {
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  }
  return btoa(text)
}
