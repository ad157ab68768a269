import { access, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from './files.ts'
import type { HarborRequest } from './request.ts'
import { words } from './words.ts'

/** Where the files of runs are, below the folder the program was started in. */
const runsFolder = 'harbor-runs'

/** The files of one run. */
export interface RunFolder {
  path: string
  journal: string
  transcripts: string
  json: string
  junit: string
  html: string
}

/** The folder of a run: a new one, or that of one which goes on. */
export async function openFolder(
  { out, resume }: HarborRequest,
  { cwd, name, now }: { cwd: string; name: string; now: number },
): Promise<RunFolder> {
  if (resume === undefined) {
    const folder = toRunFolder(out ?? join(cwd, runsFolder, `${toFileName(name)}-${toStamp(now)}`))
    if (await isThere(folder.journal)) throw new UsageError(words.folderTaken(folder.path))
    await mkdir(folder.path, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
      throw new UsageError(words.unwritable(folder.path, cause.code ?? ''), { cause })
    })
    return folder
  }
  const path = resume.kind === 'folder' ? resume.folder : (out ?? (await findLast(cwd)))
  const folder = toRunFolder(path ?? join(cwd, runsFolder))
  if (!(await isThere(folder.journal))) throw new UsageError(words.nothingToResume(folder.path))
  return folder
}

function toRunFolder(path: string): RunFolder {
  return {
    path,
    journal: join(path, 'journal.jsonl'),
    transcripts: join(path, 'transcripts.jsonl'),
    json: join(path, 'report.json'),
    junit: join(path, 'junit.xml'),
    html: join(path, 'report.html'),
  }
}

/** Names end with their time: the last by name is not always the last by time. */
async function findLast(cwd: string): Promise<string | undefined> {
  const names = await readdir(join(cwd, runsFolder)).catch(() => [])
  const stampOf = (name: string) => /\d{8}-\d{6}-\d{3}$/.exec(name)?.[0] ?? ''
  const last = names.toSorted((a, b) => stampOf(a).localeCompare(stampOf(b))).at(-1)
  return last === undefined ? undefined : join(cwd, runsFolder, last)
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function toFileName(name: string): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  return safe.slice(0, 60) || 'questions'
}

/** 20261117-194500-123, in UTC. */
function toStamp(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().replaceAll(/[-:Z]/g, '').split('T')
  return `${day}-${time.replace('.', '-')}`
}
