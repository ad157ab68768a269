import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAppError } from '@dataagent/schema/base'
import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { canary, openTestWorkspace, type TestWorkspace } from './test-workspace.ts'
import type { Workspace } from './workspace.ts'

/**
 * While another process exchanges files and directories for links, no verb may reach what is
 * outside.
 */
const msPerVerb = longCount(100, 60_000)
const timeout = msPerVerb + 60_000
const onLinux = process.platform === 'linux'
const isLong = msPerVerb > 1_000

/**
 * Names that change under the workspace; outside there are `canary.txt`, `file` and `tree` as well.
 */
const paths = ['dir/canary.txt', 'file', 'hard']
const overwrite = true
const recursive = true

/** Each gives what it saw, to be searched for the canary. */
const verbs: Record<string, (workspace: Workspace, path: string, i: number) => Promise<unknown>> = {
  read: async (w, path) => (await w.read(path)).bytes.toString(),
  stream: async (w, path) => readAll((await w.stream(path)).stream),
  write: (w, path) => w.write(path, 'mine'),
  // Not what it tells: the file grows, and has the canary's size for a moment.
  append: async (w, path) => void (await w.append(path, 'x')),
  async edit(w, path) {
    let seen = ''
    await w.edit(path, (content) => {
      seen = content.toString()
      return 'mine'
    })
    return seen
  },
  list: (w, path) => w.list(path === 'dir/canary.txt' ? 'dir' : '.', { recursive }),
  stat: (w, path) => w.stat(path),
  makeDir: (w) => w.makeDir('dir/made/deeper'),
  async move(w, path, i) {
    await w.move(path, `moved${i}`).finally(() => w.write(path, 'mine').catch(() => {}))
    const { bytes } = await w.read(`moved${i}`).finally(() => w.remove(`moved${i}`))
    return bytes.toString()
  },
  async copy(w, path) {
    await w.copy(path, 'copied', { overwrite })
    return (await w.read('copied')).bytes.toString()
  },
  remove: (w, path) => w.remove(path).finally(() => w.write(path, 'mine').catch(() => {})),
  async removeTree(w) {
    await w.makeDir('dir/tree/inner')
    await w.remove('dir/tree', { recursive })
  },
}

describe.runIf(onLinux)('against a process that exchanges files for links', () => {
  test.each(Object.keys(verbs))(
    `%s reaches nothing outside in ${msPerVerb / 1_000} s of tries [T52]`,
    async (verb) => {
      await using t = await openSwapped()
      const before = await snapshot(t.outside)
      const { tries, done, denied, escapes } = await tryFor(msPerVerb, (i) =>
        verbs[verb]?.(t.workspace, paths[i % 3] as string, i),
      )
      if (isLong) console.info(`${verb}: ${tries} tries, ${done} done, ${denied} denied`)
      expect(escapes).toEqual([])
      expect(await snapshot(t.outside)).toEqual(before)
      expect(done).toBeGreaterThan(0)
    },
    timeout,
  )

  test('the exchange is seen: some tries are done, some denied', async () => {
    await using t = await openSwapped()
    const { done, denied } = await tryFor(300, () => t.workspace.stat('file'))
    expect(Math.min(done, denied)).toBeGreaterThan(0)
  })

  // Odds that a short run cannot tell.
  if (isLong) {
    test(
      'checking the path first and then using it does not hold',
      async () => {
        await using t = await openSwapped()
        const { tries, escapes } = await tryFor(msPerVerb, async (i) => {
          const real = await realpath(join(t.root, paths[i % 2] as string))
          if (!real.startsWith(`${t.root}/`)) return 'refused'
          return readFile(real, 'utf8')
        })
        console.info(`realpath, then read: ${escapes.length} escapes in ${tries} tries`)
        expect(escapes.length).toBeGreaterThan(0)
      },
      timeout,
    )

    test(
      'without descriptors it holds better, but is not promised to',
      async () => {
        await using t = await openSwapped('path')
        const { tries, escapes } = await tryFor(msPerVerb, (i) =>
          verbs.read?.(t.workspace, paths[i % 3] as string, i),
        )
        console.info(`held by path: ${escapes.length} escapes in ${tries} tries`)
        expect(escapes.length).toBeLessThan(tries / 100)
      },
      timeout,
    )
  }
})

async function openSwapped(hold: Workspace['hold'] = 'descriptor'): Promise<TestWorkspace> {
  const t = await openTestWorkspace({ hold })
  await mkdir(join(t.outside, 'tree', 'inner'), { recursive: true })
  await writeFile(join(t.outside, 'file'), canary)
  await mkdir(join(t.root, 'dir'))
  for (const path of paths) await writeFile(join(t.root, path), 'mine')
  const script = fileURLToPath(new URL('./test-swapper.ts', import.meta.url))
  const swapper = spawn(process.execPath, [script, t.root, t.outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(swapper, 'spawn')
  await once(swapper.stdout, 'data')
  return {
    ...t,
    async [Symbol.asyncDispose]() {
      const exited = once(swapper, 'exit')
      swapper.kill('SIGKILL')
      await exited
      await t[Symbol.asyncDispose]()
    },
  }
}

/** Tries again and again, a few at a time, and counts how it went. */
async function tryFor(ms: number, attempt: (i: number) => Promise<unknown> | undefined) {
  const counts = { tries: 0, done: 0, denied: 0, escapes: [] as string[] }
  const end = performance.now() + ms
  const loop = async () => {
    while (performance.now() < end) {
      try {
        const seen = JSON.stringify(await attempt(counts.tries++)) ?? ''
        counts.done++
        if (isOutside(seen)) counts.escapes.push(seen.slice(0, 200))
      } catch (error) {
        if (isAppError(error, 'path_denied')) counts.denied++
        if (isAppError(error, 'internal')) throw error
      }
    }
  }
  await Promise.all([loop(), loop(), loop()])
  return counts
}

/** The canary's text, or a file of its size. */
function isOutside(seen: string): boolean {
  return seen.includes('canary-') || seen.includes(`"size":${canary.length}`)
}

async function snapshot(directory: string): Promise<unknown[]> {
  const names = await readdir(directory, { recursive: true })
  return await Promise.all(
    ['.', ...names.sort()].map(async (name) => {
      const { ino, mode, size, mtimeMs } = await lstat(join(directory, name))
      return { name, ino, mode, size, mtimeMs }
    }),
  )
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}
