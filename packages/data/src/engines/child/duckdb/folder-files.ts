import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

export type FileFormat = 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet' | 'xlsx'

export interface FolderFile {
  /** Within the folder. */
  path: string
  format: FileFormat
  /** Its path in words, without what tells the format. */
  words: readonly string[]
}

const formats: Readonly<Record<string, FileFormat>> = {
  ...{ csv: 'csv', tsv: 'tsv', json: 'json', ndjson: 'ndjson', jsonl: 'ndjson' },
  ...{ parquet: 'parquet', xlsx: 'xlsx' },
}
const compressible = new Set<FileFormat>(['csv', 'tsv', 'json', 'ndjson'])
const mostFiles = 5_000
const mostEntries = 50_000
const deepest = 12

/** The data files of a folder, in the order of their paths; hidden ones and links out are not. */
export async function listFolder(folder: string): Promise<FolderFile[]> {
  const files: FolderFile[] = []
  const open = [{ path: folder, depth: 0 }]
  let seen = 0
  for (let place = open.shift(); place !== undefined; place = open.shift()) {
    const entries = await readdir(place.path, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      seen += 1
      if (seen > mostEntries || files.length >= mostFiles) return files
      if (entry.name.startsWith('.')) continue
      const path = join(place.path, entry.name)
      if (entry.isDirectory() && place.depth < deepest) open.push({ path, depth: place.depth + 1 })
      if (entry.isFile() || (entry.isSymbolicLink() && (await leadsInside(path, folder)))) {
        const file = toFolderFile(relative(folder, path))
        if (file !== undefined) files.push(file)
      }
    }
  }
  return files
}

/** What says whether a file is still the same; undefined where it may not be read. */
export async function stampOf(folder: string, path: string): Promise<string | undefined> {
  const full = join(folder, path)
  if (!(await leadsInside(full, folder))) return undefined
  const found = await stat(full).catch(() => undefined)
  return found?.isFile() ? `${found.ino}.${found.size}.${found.mtimeMs}` : undefined
}

async function leadsInside(path: string, folder: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined || !real.startsWith(folder + sep)) return false
  return (await stat(real)).isFile()
}

function toFolderFile(path: string): FolderFile | undefined {
  const [, stem, ending, packed] = /^(.+?)\.([a-z]+)(\.gz)?$/i.exec(fileName(path)) ?? []
  const [, plainStem, plainEnding] = /^(.+)\.([a-z]+)$/i.exec(fileName(path)) ?? []
  const named = packed === undefined ? plainEnding : ending
  const format = formats[named?.toLowerCase() ?? '']
  if (format === undefined || (packed !== undefined && !compressible.has(format))) return undefined
  const base = (packed === undefined ? plainStem : stem) ?? ''
  return { path, format, words: [...path.split(sep).slice(0, -1), base] }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf(sep) + 1)
}
