// An agent of DeepAgents in a user's workspace: it works there, and cannot leave.
import assert from 'node:assert/strict'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createCheckpointSaver, createLangChainExecutor } from '@dataagent/langchain'
import { toDeepAgent } from '@dataagent/langchain/deepagents'
import { createDeepAgent } from 'deepagents'
import { openPlatform } from './open-platform.ts'

await using platform = await openPlatform()
const { workspaces, sql, dir } = platform
const { say } = await platform.openSession({ assistant_id: 'writer' }, (options) =>
  createLangChainExecutor({
    ...options,
    checkpointer: createCheckpointSaver({ store: sql.checkpoints }),
    createGraph: (parts) => createDeepAgent(toDeepAgent(parts, { workspaces })),
    toolOptions: (name) => (name === 'delete' ? { approval: 'ask' } : undefined),
  }),
)
const folder = await workspaces.use(
  { tenant_id: 'default', user_id: 'ada' },
  async (_, live) => live,
)

// Its own file tools, in ada's folder. A change is an event with its diff.
const written = await say('Use the write_file tool with file_path=/notes.txt content="buy milk"')
const change = written.events.find((event) => event.event_type === 'file_operation')
console.log(change?.diff)
assert.match(change?.diff ?? '', /\+buy milk/)
assert.equal(await readFile(join(folder, 'notes.txt'), 'utf8'), 'buy milk')

// A secret beside the workspace, and a link within that leads there.
const secret = join(dir, 'secret.txt')
await writeFile(secret, 'the secret of the house')
await symlink(dir, join(folder, 'way-out'))
for (const path of [secret, `/${relative(folder, secret)}`, '/way-out/secret.txt']) {
  const read = await say(`Use the read_file tool with file_path=${path}`)
  const [result] = read.events.filter((event) => event.event_type === 'tool_result')
  console.log(path, '→', result?.result)
  assert.doesNotMatch(JSON.stringify(read.events), /secret of the house/)
  await say(`Use the write_file tool with file_path=${path} content=changed`)
}
assert.equal(await readFile(secret, 'utf8'), 'the secret of the house')

// A sub-agent is governed as its caller is, and what it does is told as its own.
const task = 'Use the delete tool with file_path=/notes.txt'
const asked = await say(
  `Use the task tool with subagent_type=general-purpose description="${task}"`,
  { approvals: { kind: 'nothing' } },
)
const within = asked.events.filter((event) => 'parent_tool_call_id' in event)
const [refused] = within.filter((event) => event.event_type === 'tool_result')
console.log(refused?.result)
assert.equal(refused?.outcome, 'denied')
assert.equal(await readFile(join(folder, 'notes.txt'), 'utf8'), 'buy milk')
