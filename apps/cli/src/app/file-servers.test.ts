import { expect, test } from 'vitest'
import { themes } from '../input/test-screen.ts'
import type { Link } from '../link/index.ts'
import { testPlace } from '../mcp/test-place.ts'
import type { App } from './contract.ts'
import { createAgentServers } from './file-servers.ts'

/** What a project's server comes to where whoever is asked says yes. */
async function reload({ isAttended }: { isAttended: boolean }) {
  await using place = await testPlace()
  await place.putProject({ mcpServers: { theirs: { command: 'go' } } })
  const running: string[][] = []
  const asked: string[] = []
  const link = {
    kind: 'remote',
    setServers: async (servers: readonly { name: string }[]) => {
      running.push(servers.map(({ name }) => name))
    },
  } as unknown as Link
  const { home, env, flags, trust, folder } = place
  const app = {
    ...{ theme: themes.plain, lang: 'en', assistant_id: 'main', folder },
    ...{ mcpFiles: { home, env, flags, trust }, machine: { isAttended } },
    ...{ say() {}, link: async () => link },
    confirm: async (question: string) => asked.push(question) > 0,
  } as unknown as App
  await createAgentServers({ app: () => app, onChange() {} }).reload()
  return { running, asked: asked.length }
}

test('a person is asked about the servers of a project', async () => {
  expect(await reload({ isAttended: true })).toEqual({ running: [['theirs']], asked: 1 })
})

test('a line of a pipe agrees to nothing: nobody is asked, and nothing is started [T59]', async () => {
  expect(await reload({ isAttended: false })).toEqual({ running: [[]], asked: 0 })
})
