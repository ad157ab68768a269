import { posix } from 'node:path'
import { isClientError } from '@dataagent/client'
import type { FileInfo, FileList } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import type { Completion } from '../../input/index.ts'
import { toPlain, toPlainLine } from '../../ui/index.ts'
import { formatAge, formatBytes } from '../view/format.ts'
import { toRows } from '../view/rows.ts'
import {
  emptyFolder,
  moreFiles,
  moreLines,
  moreOfIt,
  noFiles,
  noSuchFile,
  notText,
} from './words.ts'

const linesMax = 200
const bytesMax = 64 * 1024

/** What is in a folder of the agent's files, or one file. */
export async function runFiles(typed: string, app: App): Promise<void> {
  const path = typed === '' || typed === '/' ? '.' : posix.normalize(typed)
  const file = path === '.' ? undefined : await findFile(path, app)
  if (file === 'none') return app.tell('warn', noSuchFile(toPlainLine(path, 50))[app.lang])
  if (file?.kind === 'file') return showFile(file, app)
  showFolder(await list(path, app), app)
}

export async function completeFiles(
  words: string,
  app: App,
  signal: AbortSignal,
): Promise<Completion[]> {
  const folder = posix.dirname(`${words}x`)
  const { entries } = await list(folder, app, signal)
  return entries
    .map(({ path, kind }) => (kind === 'dir' ? `${path}/` : path))
    .filter((path) => path.startsWith(words))
    .map((path) => ({ value: path, label: toPlainLine(path, 60) }))
}

async function list(path: string, app: App, signal = app.signal): Promise<FileList> {
  const { client } = await app.link()
  return client.files.list(path === '.' ? {} : { path }, { signal })
}

/** The folder that it is in says what it is. */
async function findFile(path: string, app: App): Promise<FileInfo | 'none'> {
  try {
    const { entries } = await list(posix.dirname(path), app)
    const bare = path.replace(/\/$/, '')
    return entries.find((entry) => entry.path === bare) ?? 'none'
  } catch (error) {
    if (isClientError(error, 'not_found') || isClientError(error, 'path_denied')) return 'none'
    throw error
  }
}

function showFolder({ path, entries, truncated }: FileList, app: App): void {
  const { theme, lang } = app
  if (entries.length === 0) {
    const told = path === '.' ? noFiles : emptyFolder(toPlainLine(path, 50))
    app.tell('info', told[lang])
    return
  }
  const rows = entries.map(({ path: name, kind, size, modified_at }) => [
    kind === 'file' ? formatBytes(size) : '',
    theme.dim(formatAge(modified_at, Date.now(), lang)),
    kind === 'dir' ? `${name}/` : name,
  ])
  app.say(toRows(rows, { width: app.screen.columns, right: [0, 1] }).join('\n'))
  if (truncated) app.tell('info', moreFiles[lang])
}

async function showFile({ path, size }: FileInfo, app: App): Promise<void> {
  const { theme, lang, signal } = app
  const { client } = await app.link()
  const response = await client.files.read(path, { signal })
  const bytes = await readStart(response)
  const name = toPlainLine(path, 50)
  if (bytes.includes(0)) return app.tell('info', notText(name, formatBytes(size))[lang])
  const lines = toPlain(new TextDecoder().decode(bytes)).replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, linesMax)
  app.say([theme.heading(`${name} · ${formatBytes(size)}`), ...shown].join('\n'))
  if (lines.length > linesMax) app.say(theme.dim(moreLines(lines.length - linesMax)[lang]))
  else if (size > bytesMax) app.say(theme.dim(moreOfIt[lang]))
}

async function readStart({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length >= bytesMax) break
  }
  return Buffer.concat(pieces).subarray(0, bytesMax)
}
