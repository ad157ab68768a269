import { posix } from 'node:path'

/** What models take as it is, not as text. */
const media: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.heic': 'image/heic',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.pdf': 'application/pdf',
}

const texts: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.css': 'text/css',
  '.xml': 'text/xml',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.js': 'application/javascript',
}

export function mediaTypeOf(path: string): string | undefined {
  return media[extensionOf(path)]
}

export function textTypeOf(path: string): string {
  return texts[extensionOf(path)] ?? 'text/plain'
}

export const unknownType = 'application/octet-stream'

function extensionOf(path: string): string {
  return posix.extname(path).toLowerCase()
}
