import { link, mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Principal } from '@dataagent/hub'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ada, textOf } from '../../testing/test-hub.ts'
import { startFilesHub } from './test-files.ts'

const rig = await startFilesHub({
  quotaOf: (_, user_id) => (user_id === 'full' ? 1_000 : undefined),
})
const { call, put, root } = rig
afterAll(() => rig[Symbol.asyncDispose]())

const canary = 'canary-7f3a'
const eve: Principal = { ...ada, user_id: 'eve' }

beforeAll(async () => {
  await writeFile(join(rig.dir, 'outside.txt'), canary)
  await call('write_file', { path: 'files/secret.txt', content: canary }, { principal: eve })
  await put('files/own.txt', 'own')
  const files = join(root, 'ada', 'files')
  await symlink(join(rig.dir, 'outside.txt'), join(files, 'link.txt'))
  await symlink(join(root, 'eve'), join(files, 'door'))
  await link(join(rig.dir, 'outside.txt'), join(files, 'hard.txt'))
})

const ways = [
  '../eve/files/secret.txt',
  'files/../../eve/files/secret.txt',
  './../../outside.txt',
  '/etc/passwd',
  'files/link.txt',
  'files/door/files/secret.txt',
  'files/hard.txt',
  'files\\..\\..\\outside.txt',
  'C:/outside.txt',
  'files/\u0000/../../../outside.txt',
  '.dataagent~tmp-1',
]
const verbs: [tool: string, args: Record<string, unknown>][] = [
  ['read_file', {}],
  ['write_file', { content: 'x' }],
  ['edit_file', { old_string: canary, new_string: 'x' }],
  ['list', {}],
  ['glob', { pattern: '**' }],
  ['grep', { pattern: 'canary' }],
]

describe.each(verbs)(
  '%s cannot be led out of the workspace [D32.6] [D33.3] [D33.4]',
  (tool, args) => {
    test.each(ways)('%j', async (path) => {
      const outcome = await call(tool, { ...args, path })
      expect(outcome).toMatchObject({ status: 'failed' })
      expect(textOf(outcome)).not.toContain(canary)
      expect(textOf(outcome)).not.toContain(rig.dir)
      expect(await readFile(join(rig.dir, 'outside.txt'), 'utf8')).toBe(canary)
      expect(await readFile(join(root, 'eve', 'files', 'secret.txt'), 'utf8')).toBe(canary)
    })
  },
)

test('a refusal is a permission error that says what is allowed [D33.4]', async () => {
  expect(await call('read_file', { path: '../eve/files/secret.txt' })).toMatchObject({
    error: { code: 'path_denied', message: expect.stringContaining('inside the workspace') },
  })
})

test('a link is deleted, never what it leads to', async () => {
  const away = join(root, 'ada', 'files', 'away')
  await symlink(join(root, 'eve', 'files'), away)
  expect(await call('delete_file', { path: 'files/away', recursive: true })).toMatchObject({
    status: 'ok',
  })
  expect(await readFile(join(root, 'eve', 'files', 'secret.txt'), 'utf8')).toBe(canary)
})

test('a search of the whole workspace never shows what links lead to', async () => {
  expect(textOf(await call('grep', { pattern: 'canary' }))).toContain('no match')
  expect(textOf(await call('glob', { pattern: '**/secret.txt' }))).toBe('[no file fits]')
})

test('a folder and a link that take turns under one name lead nobody out [T52]', async () => {
  const base = join(root, 'ada', 'files', 'swap')
  await mkdir(`${base}.real`, { recursive: true })
  await writeFile(join(`${base}.real`, 'secret.txt'), 'own')
  let isOver = false
  const swapping = (async () => {
    while (!isOver) {
      await rename(`${base}.real`, base)
      await rename(base, `${base}.real`)
      await symlink(join(root, 'eve', 'files'), base)
      await unlink(base)
    }
  })()
  const path = 'files/swap/secret.txt'
  for (let round = 0; round < 60; round++) {
    const [read, written] = await Promise.all([
      call('read_file', { path }),
      call('edit_file', { path, old_string: canary, new_string: 'stolen' }),
    ])
    expect(textOf(read)).not.toContain(canary)
    expect(written.status).toBe('failed')
  }
  isOver = true
  await swapping
  expect(await readFile(join(root, 'eve', 'files', 'secret.txt'), 'utf8')).toBe(canary)
})

test('writes at the same time never pass the quota; the refusal says what to do [D33.6]', async () => {
  const full: Principal = { ...ada, user_id: 'full' }
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      call('write_file', { path: `files/${at}`, content: 'x'.repeat(200) }, { principal: full }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(5)
  const refusal = outcomes.find(({ status }) => status !== 'ok')
  expect(refusal).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } })
  expect(textOf(refusal!)).toMatch(/1000 bytes of 1000 bytes are used.*Delete files/s)
})

test('a machine that calls for no user has no files', async () => {
  const principal: Principal = { ...ada, user_id: null, api_key: 'k' }
  expect(await call('list', {}, { principal })).toMatchObject({ error: { code: 'forbidden' } })
})

test("the same id in another tenant is another's workspace [D32.4]", async () => {
  const principal: Principal = { ...ada, tenant_id: 'acme' }
  expect(textOf(await call('list', { path: 'files' }, { principal }))).toBe('[the folder is empty]')
})

test('file tools need no approval, also after untrusted output was read', async () => {
  const run = { run_id: 'r', untrusted: new Set(['web']) }
  for (const [tool, args] of verbs) {
    const path = tool === 'list' || tool === 'glob' || tool === 'grep' ? 'files' : 'files/ok.txt'
    const outcome = await call(tool, { ...args, path }, { run })
    expect(outcome.status).not.toBe('denied')
  }
})
