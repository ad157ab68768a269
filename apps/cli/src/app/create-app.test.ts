import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { defaultBindings } from '../input/index.ts'
import type { Link } from '../link/index.ts'
import { testPlace } from '../mcp/test-place.ts'
import { createApp } from './create-app.ts'
import { createLineStage } from './line-stage.ts'

/** The program on lines, on a platform that has the sessions of two agents. */
async function openProgram() {
  const { trust, ...place } = await testPlace()
  const { home, env, flags, folder } = place
  const happened: string[] = []
  const client = {
    sessions: { get: async (id: string) => ({ session_id: id, assistant_id: `${id}-agent` }) },
    connect: (id: string) => {
      happened.push(`shows ${id}`)
      return { close() {} }
    },
    userServers: { list: async () => ({ servers: [] }) },
    servers: { list: async () => ({ servers: [] }) },
  }
  const link = {
    ...{ kind: 'local', client, user_id: 'me', lost: new Promise(() => {}) },
    setServers: async (servers: readonly { name: string }[]) => {
      happened.push(`runs ${servers.map(({ name }) => name)}`)
    },
  } as unknown as Link
  const input = new PassThrough()
  const output = new PassThrough()
  output.on('data', (text) => String(text).includes('Start it') && happened.push('asks'))
  const program = createApp({
    ...{ opening: Promise.resolve(link), assistant_id: 'main', folder, lang: 'en' },
    ...{ theme: undefined, bindings: defaultBindings, saveChoices: async () => {} },
    createStage: (backstage) => createLineStage({ input, output }, backstage),
    machine: { env, isTty: true, isAttended: true, dataDir: home, logFile: '' },
    mcpFiles: { home, env, flags, trust },
    choices: { theme: undefined, lang: undefined, knowsAutoApprove: false },
  })
  return {
    ...{ ...program, ...place, happened },
    answer: (line: string) => void input.write(`${line}\n`),
    async [Symbol.asyncDispose]() {
      program[Symbol.dispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

const fileOf = (agent: string) => `.deepagents/${agent}/mcp.json`

test('the servers are those of the agent that is talked with, however it was come to [D29.1] [D29.7]', async () => {
  await using program = await openProgram()
  const { app, begin, put, putUser, home, happened } = program
  await putUser({ mcpServers: { ours: { command: 'x' } } })
  await put(`${home}/${fileOf('one-agent')}`, { mcpServers: { theirs: { command: 'y' } } })
  await begin(undefined)
  await app.open('one')
  await app.setAgent('one-agent')
  await app.setAgent('main')
  expect(happened).toEqual(['runs ours', 'shows one', 'runs theirs', 'runs ours'])
})

test('a session that is gone on with is shown before anybody is asked about servers', async () => {
  await using program = await openProgram()
  const { begin, putProject, put, home, happened, answer } = program
  await put(`${home}/${fileOf('one-agent')}`, { mcpServers: { theirs: { command: 'y' } } })
  await putProject({ mcpServers: { shared: { command: 'go' } } })
  const begun = begin({ kind: 'session', session_id: 'one' })
  await expect.poll(() => happened, { timeout: 10_000 }).toEqual(['shows one', 'asks'])
  answer('y')
  await begun
  expect(happened.slice(2)).toEqual(['runs theirs,shared'])
})

test('of two agents that are chosen one after the other the last one’s servers are in use', async () => {
  await using program = await openProgram()
  const { app, put, putProject, home, happened, answer } = program
  await put(`${home}/${fileOf('slow')}`, { mcpServers: { slow: { command: 'x' } } })
  await put(`${home}/${fileOf('quick')}`, { mcpServers: { quick: { command: 'y' } } })
  await putProject({ mcpServers: { shared: { command: 'go' } } })
  const chosen = [app.setAgent('slow')]
  await expect.poll(() => happened, { timeout: 10_000 }).toEqual(['asks'])
  chosen.push(app.setAgent('quick'))
  answer('n')
  await Promise.all(chosen)
  expect(happened.at(-1)).toBe('runs quick')
})
