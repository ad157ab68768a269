import { link, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { isAppError } from '@dataagent/schema/base'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canary, holds, openTestWorkspace, type TestWorkspace } from './test-workspace.ts'
import type { Workspace } from './workspace.ts'

const numRuns = longCount(2_000, 100_000)
const RUNS_PER_TREE = 100
const timeout = longCount(30_000, 1_200_000)

const ownFiles = ['a', 'files/report.csv', 'files/deep/x.txt', 'files/é', 'files/..x', '~/a']
const links = ['out', 'out-file', 'in', 'files/up', 'files/deep/out', 'hard']

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'files', 'deep', 'x.txt', 'report.csv', 'é') },
  { weight: 4, arbitrary: fc.constantFrom('.', '..', '', '...', '..x', '. ', ' ', '~') },
  { weight: 3, arbitrary: fc.constantFrom('out', 'out-file', 'in', 'up', 'hard', 'canary.txt') },
  { weight: 2, arbitrary: fc.constantFrom('u1', 'u10', 'e\u0301', '．．', '%2e%2e', '..;', 'C:') },
  { weight: 1, arbitrary: fc.constantFrom('\0', '..\\..', '\\', 'é'.repeat(150), '.dataagent~x') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
)
const before = fc.constantFrom('', '', '', '', '', '/', '//', './', '../', '\\\\', 'C:/', 'c:')
const path = fc.oneof(
  fc
    .tuple(before, fc.array(name, { maxLength: 6 }), fc.constantFrom('', '', '/'))
    .map(([start, names, end]) => start + names.join('/') + end),
  fc.constantFrom(...ownFiles, ...links),
)

/**
 * An independent account of which paths are inside: each beginning of the path, resolved by Node's
 * own rules, must be. Gives the path from the root, or undefined.
 */
function placeInside(given: string): string | undefined {
  const odd = given === '' || /^\/|^[a-zA-Z]:|\\|\0|(^|\/)\.dataagent~/i.test(given)
  if (odd || !given.isWellFormed() || Buffer.byteLength(given) > 3072) return undefined
  const names = given.split('/')
  if (names.some((part) => Buffer.byteLength(part) > 255)) return undefined
  const isInside = (resolved: string) => resolved === '/r' || resolved.startsWith('/r/')
  const stops = names.map((_, i) => posix.resolve('/r', names.slice(0, i + 1).join('/')))
  return stops.every(isInside) ? posix.relative('/r', stops.at(-1) ?? '') : undefined
}

describe.each(holds)('generated paths, held by %s', (hold) => {
  test(
    `${numRuns} paths opened: a file is opened when and only when it is inside, and is that file [T51]`,
    async () => {
      await using t = await openTree(hold)
      let opened = 0
      const check = async (given: string) => {
        const place = placeInside(given)
        const real = await openedPath(t.workspace, given)
        if (real !== undefined) opened++
        const expected = place !== undefined && ownFiles.includes(place) ? place : undefined
        expect(real).toBe(expected === undefined ? undefined : join(t.root, expected))
      }
      await fc.assert(fc.asyncProperty(path, check), { numRuns })
      expect(opened).toBeGreaterThan(numRuns / 50)
    },
    timeout,
  )

  test(
    `${numRuns} paths used by every verb: what is outside neither appears nor changes [T51]`,
    async () => {
      let done = 0
      // A tree wears out as files are moved and removed: a new one every so often.
      for (let left = numRuns; left > 0; left -= RUNS_PER_TREE) {
        await using t = await openTree(hold)
        const check = async (verb: keyof typeof verbs, given: string, other: string) => {
          const outcome = await verbs[verb](t.workspace, given, other).catch(requireAppError)
          if (outcome === undefined) return
          done++
          expect(placeInside(given)).toBeDefined()
          if (verb === 'move' || verb === 'copy') expect(placeInside(other)).toBeDefined()
          expect(JSON.stringify(outcome)).not.toContain('canary-')
        }
        const property = fc.asyncProperty(anyVerb, path, path, check)
        await fc.assert(property, { numRuns: Math.min(left, RUNS_PER_TREE) })
        await expectOutsideUntouched(t)
      }
      expect(done).toBeGreaterThan(numRuns / 50)
    },
    timeout,
  )
})

const verbs = {
  read: async (w: Workspace, p: string) => (await w.read(p)).bytes.toString(),
  write: (w: Workspace, p: string) => w.write(p, 'x'),
  append: (w: Workspace, p: string) => w.append(p, 'x'),
  edit: (w: Workspace, p: string) => w.edit(p, (content) => `${content.subarray(0, 9)}x`),
  list: (w: Workspace, p: string) => w.list(p, { recursive: true }),
  stat: (w: Workspace, p: string) => w.stat(p),
  exists: (w: Workspace, p: string) => w.exists(p),
  makeDir: async (w: Workspace, p: string) => (await w.makeDir(p)) ?? 'made',
  move: (w: Workspace, p: string, other: string) => w.move(p, other, { overwrite: true }),
  copy: (w: Workspace, p: string, other: string) => w.copy(p, other, { overwrite: true }),
  remove: async (w: Workspace, p: string) => (await w.remove(p, { recursive: true })) ?? 'removed',
}
const anyVerb = fc.constantFrom(...(Object.keys(verbs) as (keyof typeof verbs)[]))

async function openTree(hold: Workspace['hold']): Promise<TestWorkspace> {
  const t = await openTestWorkspace({ hold })
  for (const file of ownFiles) {
    await mkdir(join(t.root, posix.dirname(file)), { recursive: true })
    await writeFile(join(t.root, file), 'mine')
  }
  await symlink(t.outside, join(t.root, 'out'))
  await symlink(join(t.outside, 'canary.txt'), join(t.root, 'out-file'))
  await symlink('files', join(t.root, 'in'))
  await symlink('..', join(t.root, 'files', 'up'))
  await symlink('../../../u10', join(t.root, 'files', 'deep', 'out'))
  await link(join(t.outside, 'canary.txt'), join(t.root, 'hard'))
  return t
}

/** The path the kernel knows for what was opened. */
async function openedPath(workspace: Workspace, given: string): Promise<string | undefined> {
  const result = await workspace.stream(given).catch(requireAppError)
  if (result === undefined) return undefined
  const stream = result.stream as Readable & { fd: number }
  const real = await readlink(`/proc/self/fd/${stream.fd}`)
  stream.destroy()
  return real
}

function requireAppError(error: unknown): undefined {
  if (!isAppError(error) || isAppError(error, 'internal')) throw error
}

async function expectOutsideUntouched({ root, outside }: TestWorkspace): Promise<void> {
  expect(await readdir(join(root, '..'))).toEqual(['u1', 'u10'])
  expect(await readdir(outside)).toEqual(['canary.txt'])
  expect(await readFile(join(outside, 'canary.txt'), 'utf8')).toBe(canary)
}
