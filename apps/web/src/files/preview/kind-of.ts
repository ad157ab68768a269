import { endingOf } from '../paths.ts'

export type PreviewKind = 'image' | 'table' | 'markdown' | 'json' | 'code' | 'none'

const images: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

/** What certainly is no text. */
const binary = new Set([
  ...[
    'zip',
    'gz',
    'tgz',
    'bz2',
    'xz',
    '7z',
    'rar',
    'tar',
    'jar',
    'exe',
    'dll',
    'so',
    'bin',
    'wasm',
  ],
  ...['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'parquet', 'duckdb'],
  ...[
    'sqlite',
    'db',
    'mp3',
    'mp4',
    'mov',
    'avi',
    'mkv',
    'wav',
    'ogg',
    'webm',
    'ttf',
    'woff',
    'woff2',
  ],
  ...['ico', 'bmp', 'tif', 'tiff', 'heic', 'avif', 'psd', 'class', 'pyc', 'o', 'a'],
])

const languages: Record<string, string> = {
  ...{ js: 'javascript', mjs: 'javascript', ts: 'typescript', py: 'python', sh: 'bash' },
  ...{ yml: 'yaml', yaml: 'yaml', sql: 'sql', html: 'html', css: 'css', xml: 'xml' },
}

/** How a file is shown, by its name: what has no known ending is tried as text. */
export function kindOf(path: string): PreviewKind {
  const ending = endingOf(path)
  if (ending in images) return 'image'
  if (ending === 'csv' || ending === 'tsv') return 'table'
  if (ending === 'md' || ending === 'markdown') return 'markdown'
  if (ending === 'json') return 'json'
  return binary.has(ending) ? 'none' : 'code'
}

export const imageTypeOf = (path: string) => images[endingOf(path)] ?? 'image/png'
export const languageOf = (path: string) => languages[endingOf(path)]

/** Larger files are for downloading. */
export const previewMax: Record<PreviewKind, number> = {
  image: 5_000_000,
  table: 5_000_000,
  markdown: 500_000,
  json: 1_000_000,
  code: 1_000_000,
  none: 0,
}
