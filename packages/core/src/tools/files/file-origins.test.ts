import { afterAll, expect, test } from 'vitest'
import { textOf } from '../../testing/test-hub.ts'
import { startFilesHub } from './test-files.ts'

const rig = await startFilesHub()
afterAll(() => rig[Symbol.asyncDispose]())

/** A run that has read what these servers gave. */
const runThatRead = (...servers: string[]) => ({ run_id: 'r', untrusted: new Set(servers) })

async function write(path: string, run = runThatRead()): Promise<void> {
  const outcome = await rig.call('write_file', { path, content: 'one\ntwo\n' }, { run })
  expect(outcome.status).toBe('ok')
}

test.each([
  ['read_file', { path: 'files/notes.md' }],
  ['read_file', { path: './files//x/../notes.md' }],
  ['grep', { pattern: 'two' }],
  ['edit_file', { path: 'files/notes.md', old_string: 'one', new_string: 'three' }],
  ['edit_file', { path: 'files/notes.md', old_string: ' two', new_string: 'three' }],
])('%s with %j gives a later run the doubts of the one that wrote', async (tool, args) => {
  await write('files/notes.md', runThatRead('web', 'mail'))
  const later = runThatRead()
  await rig.call(tool, args, { run: later })
  expect([...later.untrusted].sort()).toEqual(['mail', 'web'])
})

test('a file of a run without doubts, and one of nobody, give none', async () => {
  await write('outputs/own.md')
  await rig.put('uploads/sent.md', 'one')
  await write('files/doubtful.md', runThatRead('web'))
  const later = runThatRead()
  for (const path of ['outputs/own.md', 'uploads/sent.md']) {
    expect(textOf(await rig.call('read_file', { path }, { run: later }))).toContain('one')
  }
  await rig.call('grep', { pattern: 'one', path: 'outputs' }, { run: later })
  await rig.call('list', { path: '.', recursive: true }, { run: later })
  expect([...later.untrusted]).toEqual([])
})

test('an edit makes a file doubtful, and one without doubts does not clear it', async () => {
  await write('files/plain.md')
  const edit = (old_string: string, new_string: string, run = runThatRead()) =>
    rig.call('edit_file', { path: 'files/plain.md', old_string, new_string }, { run })
  expect(await edit('one', 'three', runThatRead('web'))).toMatchObject({ status: 'ok' })
  expect(await edit('two', 'four')).toMatchObject({ status: 'ok' })
  const later = runThatRead()
  await rig.call('read_file', { path: 'files/plain.md' }, { run: later })
  expect([...later.untrusted]).toEqual(['web'])
})

test('another user has doubts of their own only', async () => {
  await write('files/shared-name.md', runThatRead('web'))
  const bob = { principal: { tenant_id: 'default', user_id: 'bob', role: 'user' as const } }
  const later = runThatRead()
  const args = { path: 'files/shared-name.md' }
  await rig.call('write_file', { ...args, content: 'x' }, { ...bob, run: later })
  await rig.call('read_file', args, { ...bob, run: later })
  expect([...later.untrusted]).toEqual([])
})
