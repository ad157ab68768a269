import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { instanceRoot } from './instance-directory.ts'

const run = promisify(execFile)

export interface DataTemplateOptions {
  /** Where `data/` shall be. */
  directory: string
  /** The server's path: another binary means another template. */
  binary: string
  /** Whatever else shapes the data, such as the options of the set-up. */
  recipe: string
  /** Makes `data/` in the directory, slowly. */
  build(): Promise<void>
}

/**
 * Fills `directory` with a freshly set-up server's files: from an archive that an earlier run left,
 * else by `build`, leaving the archive. It is one file, renamed into place whole: processes that
 * race make the same one twice at worst.
 */
export async function fillFromTemplate(options: DataTemplateOptions): Promise<void> {
  const archive = await archivePath(options)
  if (archive === undefined) return options.build()
  if (existsSync(archive)) {
    await run('tar', ['--numeric-owner', '-C', options.directory, '-xpf', archive])
    return
  }
  await options.build()
  const unfinished = join(options.directory, 'template.tar')
  await run('tar', ['--numeric-owner', '-C', options.directory, '-cf', unfinished, 'data'])
  await rename(unfinished, archive)
}

/** Undefined when the cache is not ours alone: what another user could have written is not used. */
async function archivePath({ binary, recipe }: DataTemplateOptions): Promise<string | undefined> {
  const uid = process.getuid?.()
  const cache = join(await instanceRoot(), `dataagent-testkit-${uid}`)
  await mkdir(cache, { mode: 0o700, recursive: true })
  const found = await lstat(cache)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) return undefined
  const { size, mtimeMs } = await stat(binary)
  const key = createHash('sha256').update(JSON.stringify([binary, size, mtimeMs, recipe]))
  return join(cache, `${key.digest('hex').slice(0, 16)}.tar`)
}
