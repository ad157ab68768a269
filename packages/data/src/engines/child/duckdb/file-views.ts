import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { FolderFile } from './folder-files.ts'
import { quoteName, quotePath } from './quote.ts'
import { detectEncoding, transcode } from './text-encoding.ts'

/** Bytes: DuckDB takes as much for each file and thread, however small the file. */
const readAhead = 4_000_000

/** Makes the view `name` of a file that DuckDB reads itself. */
export async function makeView(
  connection: DuckDBConnection,
  needs: { name: string; file: FolderFile; folder: string; temporaryFolder: string },
): Promise<void> {
  const reader = await toReader(needs)
  await connection.run(`CREATE OR REPLACE VIEW ${quoteName(needs.name)} AS FROM ${reader}`)
}

async function toReader(needs: {
  file: FolderFile
  folder: string
  temporaryFolder: string
}): Promise<string> {
  const { file } = needs
  const path = join(needs.folder, file.path)
  if (file.format === 'parquet') return `read_parquet(${quotePath(path)})`
  if (file.format === 'json') return `read_json(${quotePath(path)})`
  if (file.format === 'ndjson') {
    return `read_json(${quotePath(path)}, format = 'newline_delimited')`
  }
  const options = `${file.format === 'tsv' ? ", delim = '\\t'" : ''}, buffer_size = ${readAhead}`
  if (file.path.endsWith('.gz')) return `read_csv(${quotePath(path)}${options})`
  const encoding = await detectEncoding(path)
  if (encoding === 'utf-8') return `read_csv(${quotePath(path)}${options})`
  if (encoding === 'utf-16') return `read_csv(${quotePath(path)}, encoding = 'utf-16'${options})`
  const copy = join(needs.temporaryFolder, `${hashOf(path)}.csv`)
  await transcode(path, copy, encoding)
  return `read_csv(${quotePath(copy)}${options})`
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 24)
}
