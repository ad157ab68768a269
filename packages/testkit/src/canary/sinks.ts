import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { databasePieces, sqlitePieces } from './database-rows.ts'
import { type Piece, piecesOf } from './pieces.ts'

/** A place where a secret may have ended up. */
export type Sink =
  | { name: string; text: string }
  | { name: string; bytes: Uint8Array }
  /** Any value: its strings, keys and buffers at every depth. */
  | { name: string; object: unknown }
  /** Status line, headers and body; the response stays readable. */
  | { name: string; response: Response }
  | { file: string }
  /** All files below, whatever they are; SQLite files by their rows too. */
  | { directory: string }
  /** All tables of a mysql: or postgres: address, or all keys of a redis: one. */
  | { database: string }

/**
 * The bytes of a sink. A sink that cannot be read is an error: nothing was found because nobody
 * looked.
 */
export async function readSink(sink: Sink): Promise<Piece[]> {
  if ('text' in sink) return [{ name: sink.name, bytes: Buffer.from(sink.text) }]
  if ('bytes' in sink) return [{ name: sink.name, bytes: Buffer.from(sink.bytes) }]
  if ('object' in sink) return [...piecesOf(sink.name, sink.object)]
  if ('response' in sink) return readResponse(sink.name, sink.response)
  if ('file' in sink) return readOneFile(sink.file)
  if ('directory' in sink) return readDirectory(sink.directory)
  return databasePieces(new URL(sink.database).host, sink.database)
}

async function readResponse(name: string, response: Response): Promise<Piece[]> {
  const { headers, statusText, url } = response
  const body = await response.clone().arrayBuffer()
  return [...piecesOf(name, { url, statusText, headers, body })]
}

async function readDirectory(directory: string): Promise<Piece[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const names = entries.map((entry) => ({
    name: `${join(entry.parentPath, entry.name)} (name)`,
    bytes: Buffer.from(entry.name),
  }))
  const files = entries.filter((entry) => entry.isFile())
  const read = files.map((entry) => readOneFile(join(entry.parentPath, entry.name)))
  return [...names, ...(await Promise.all(read)).flat()]
}

async function readOneFile(path: string): Promise<Piece[]> {
  const bytes = await readFile(path)
  const whole = { name: path, bytes }
  if (!bytes.subarray(0, 15).equals(Buffer.from('SQLite format 3'))) return [whole]
  // A file in use may not open as a database; its bytes are searched all the same.
  const rows = await sqlitePieces(basename(path), path).catch(() => [])
  return [whole, ...rows]
}
