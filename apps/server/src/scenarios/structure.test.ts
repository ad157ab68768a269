import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { runServer } from '../testing/test-server.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

async function readManifest(path: string) {
  const text = await readFile(at(path), 'utf8')
  return JSON.parse(text) as Record<string, Record<string, string>>
}

const own = await readManifest('../../package.json')

test.each(['api', 'ws', 'hitl', 'models', 'deps'])(
  'the room %s is there, with one door [D15.1]',
  async (room) => await access(at(`../${room}/index.ts`)),
)

test('the framework is Fastify, of the version that is asked for [D15.2]', async () => {
  await using server = await createTestApp()
  expect(own.dependencies?.fastify).toBe(server.app.version)
})

test('the package says itself what it is and needs [D15.3]', () => {
  expect(own).toMatchObject({
    ...{ name: '@dataagent/server', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    ...{ description: expect.any(String), license: expect.any(String) },
  })
})

test('it depends on the core, and the core not on it [D15.4]', async () => {
  expect(own.dependencies).toHaveProperty('@dataagent/core')
  const core = await readManifest('../../../../packages/core/package.json')
  const all = { ...core.dependencies, ...core.devDependencies, ...core.peerDependencies }
  expect(all).not.toHaveProperty('@dataagent/server')
})

test('one command starts it, and it answers [D15.5]', async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path })
  const { status, body } = await server.getJson('/api/v1/health')
  expect({ status, version: body.version }).toEqual({ status: 200, version: own.version })
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
