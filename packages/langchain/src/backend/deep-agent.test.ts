import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBinary, reportSkip } from '@dataagent/testkit'
import { ToolMessage } from '@langchain/core/messages'
import { createDeepAgent } from 'deepagents'
import { expect, test } from 'vitest'
import { type BackendRig, startBackend } from './test-backend.ts'
import { type ScriptedCall, ScriptedModel } from './test-scripted-model.ts'

const hasSandbox = await ensureBinary('bwrap', 'bubblewrap')
if (!hasSandbox) reportSkip(import.meta.filename, 'bubblewrap is not here and cannot be installed')

/** Lets a graph make these calls, and gives what its tools answered, in order. */
async function play({ backend, context }: BackendRig, calls: readonly ScriptedCall[]) {
  const model = new ScriptedModel(calls)
  const agent = createDeepAgent({ model, backend })
  const state = await agent.invoke(
    { messages: [{ role: 'user', content: 'go' }] },
    { recursionLimit: 10_000, signal: context.signal },
  )
  const answers = state.messages.filter((message) => ToolMessage.isInstance(message))
  return { model, answers: answers.map(({ text }) => text) }
}

const call = (name: string, args: ScriptedCall['args']): ScriptedCall => ({ name, args })

test('a graph of DeepAgents works with all its file tools in the workspace', async () => {
  await using rig = await startBackend()
  await rig.put('files/shot.png', Uint8Array.from([137, 80, 78, 71, 0]))
  const { answers } = await play(rig, [
    call('write_file', { file_path: '/files/plan.md', content: 'one\ntwo\nthree\n' }),
    call('edit_file', { file_path: '/files/plan.md', old_string: 'two', new_string: 'zwei' }),
    call('read_file', { file_path: '/files/plan.md', offset: 1, limit: 1 }),
    call('ls', { path: '/files' }),
    call('glob', { pattern: '**/*.md' }),
    call('grep', { pattern: 'zwei' }),
    call('edit_file', { file_path: '/files/plan.md', old_string: 'vier', new_string: 'x' }),
    call('delete', { file_path: '/files/plan.md' }),
    call('read_file', { file_path: '/files/plan.md' }),
  ])
  expect(answers).toEqual([
    expect.stringContaining("wrote to '/files/plan.md'"),
    expect.stringContaining("replaced 1 occurrence(s) in '/files/plan.md'"),
    expect.stringMatching(/lines 2-2 \| next offset 2 .*\nzwei$/),
    expect.stringMatching(/\/files\/plan\.md \(15 bytes\)\n\/files\/shot\.png \(5 bytes\)/),
    '/files/plan.md',
    expect.stringMatching(/\/files\/plan\.md:\n.*2.*zwei/),
    expect.stringContaining('not in the file'),
    'Deleted /files/plan.md',
    expect.stringContaining('does not exist'),
  ])
  const told = rig.events.map((event) =>
    event.event_type === 'file_operation' ? `${event.operation} ${event.path}` : '',
  )
  expect(told).toEqual([
    ...['write files/plan.md', 'edit files/plan.md', 'read files/plan.md', 'delete files/plan.md'],
  ])
})

test.runIf(hasSandbox)('it runs commands in the sandbox, on the same files', async () => {
  await using rig = await startBackend({ sandbox: { mode: 'required' } })
  const { model, answers } = await play(rig, [
    call('write_file', { file_path: '/files/n.txt', content: '3\n1\n2\n' }),
    call('execute', { command: 'sort files/n.txt > files/sorted.txt; cat files/sorted.txt' }),
    call('read_file', { file_path: '/files/sorted.txt' }),
    call('execute', { command: 'cat files/none; exit 4' }),
  ])
  expect(model.offered).toContain('execute')
  expect(answers.slice(1)).toEqual([
    '1\n2\n3\n[Command succeeded with exit code 0]',
    expect.stringMatching(/\n1\n2\n3$/),
    expect.stringContaining('[Command failed with exit code 4]'),
  ])
})

test('without a shell the model is not offered one', async () => {
  await using rig = await startBackend()
  const { execute: _, ...plain } = rig.backend
  const model = new ScriptedModel([])
  await createDeepAgent({ model, backend: plain }).invoke({
    messages: [{ role: 'user', content: 'go' }],
  })
  expect(model.offered).toContain('read_file')
  expect(model.offered).not.toContain('execute')
})

test('a graph that tries to leave the workspace finds and changes nothing [D32.6]', async () => {
  await using rig = await startBackend({ sandbox: { mode: hasSandbox ? 'required' : 'off' } })
  const outsider = join(rig.dir, 'outside.txt')
  await writeFile(outsider, 'canary-91')
  await symlink(rig.dir, join(rig.folder, 'files', 'door'))
  const before = await rig.outside()
  const passwords = await readFile('/etc/passwd', 'utf8')
  const paths = [
    ...['/etc/passwd', '/../outside.txt', '../../outside.txt', outsider, '~/x', '//etc/passwd'],
    ...[
      '/files/door/outside.txt',
      '/files/../../../outside.txt',
      '/proc/self/environ',
      '/%2e%2e/x',
    ],
  ]
  const { answers } = await play(rig, [
    ...paths.flatMap((file_path) => [
      call('read_file', { file_path }),
      call('ls', { path: file_path }),
      call('grep', { pattern: 'canary', path: file_path }),
      call('glob', { pattern: '**', path: file_path }),
      call('edit_file', { file_path, old_string: 'canary-91', new_string: 'x' }),
    ]),
    ...(hasSandbox
      ? [
          call('execute', { command: `cat ../../outside.txt "${outsider}" files/door/*` }),
          call('execute', { command: `echo x > "${outsider}"; rm -f ../../outside.txt` }),
        ]
      : []),
    ...paths.flatMap((file_path) => [
      call('write_file', { file_path, content: 'stolen' }),
      call('delete', { file_path }),
    ]),
  ])
  expect(answers.length).toBeGreaterThan(70)
  expect(answers.join('\n')).not.toMatch(/canary-91|root:x:0/)
  expect(await rig.outside()).toEqual(before)
  expect(await readFile('/etc/passwd', 'utf8')).toBe(passwords)
}, 60_000)

test('a large message is put aside into the workspace, and counts as written', async () => {
  await using rig = await startBackend()
  const untrusted = rig.beginRun('web')
  const model = new ScriptedModel([])
  await createDeepAgent({ model, backend: rig.backend }).invoke({
    messages: [{ role: 'user', content: 'many words '.repeat(30_000) }],
  })
  const [event] = rig.events
  expect(event).toMatchObject({ event_type: 'file_operation', operation: 'write' })
  const path = event?.event_type === 'file_operation' ? event.path : ''
  expect(path).toMatch(/^conversation_history\//)
  const owner = { tenant_id: 'default', user_id: 'ada' }
  expect(await rig.workspaces.originsOf(owner, [path])).toEqual(untrusted)
})
