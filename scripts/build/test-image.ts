import { cp, mkdir, readFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join, matchesGlob } from 'node:path'
import { repository } from '../setup/paths.mjs'
import { run } from './test-run.ts'

/**
 * Does what the Dockerfile says in folders: copies what .dockerignore leaves, runs what its first
 * stage runs, and copies from there what the second takes. The system of the image is not in it.
 */
export async function makeImage(directory: string): Promise<string> {
  const [made, image] = [join(directory, 'made'), join(directory, 'image')]
  await copyContext(made)
  const [, first = '', second = ''] = (await readFile(join(made, 'Dockerfile'), 'utf8')).split(
    /^FROM .*$/m,
  )
  for (const [, command = ''] of first.matchAll(/^RUN ((?:.*\\\n)*.*)$/gm)) {
    await run('env', [...environment(), 'sh', '-ec', command], made)
  }
  for (const [, words = ''] of second.matchAll(/^COPY --from=made (.+)$/gm)) {
    const paths = words.split(' ')
    const to = paths.pop() ?? ''
    for (const path of paths) {
      const target = to.endsWith('/') ? join(to, basename(path)) : to
      await copy(join(made, path.replace('/app/', '')), join(image, target))
    }
  }
  return image
}

/** What the builder is sent: of the files that are not ignored by git, those that it may have. */
async function copyContext(target: string): Promise<void> {
  const ignored = (await readFile(join(repository, '.dockerignore'), 'utf8')).split('\n')
  const patterns = ignored.filter(Boolean)
  const listed = await run('git', ['ls-files', '-co', '--exclude-standard'], repository)
  const isLeft = (file: string) =>
    patterns.some((pattern) => upTo(file).some((path) => matchesGlob(path, pattern)))
  const files = listed.split('\n').filter((file) => file !== '' && !isLeft(file))
  for (const file of files) await copy(join(repository, file), join(target, file))
}

/** A file, and the folders that it is in. */
function upTo(file: string): string[] {
  return file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to, { recursive: true, verbatimSymlinks: true })
}

/** This Node before any other; npm asks its cache first, and hears nothing of the one around us. */
function environment(): string[] {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const ours = Object.keys(process.env).filter((name) => /^npm_(?!config_cache$)/i.test(name))
  const unset = [...ours, 'NODE_ENV'].map((name) => `-u${name}`)
  return [...unset, `PATH=${path}`, 'npm_config_prefer_offline=true']
}
