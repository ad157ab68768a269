import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../../testing/test-platform.ts'
import { runProgram } from '../../testing/test-program.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await startTestPlatform({ script: () => ({ text: 'There are 42.' }) })
})
afterAll(() => platform[Symbol.asyncDispose]())

interface Told {
  what: string
  key: string
  body: string
}

const abilities = {
  batch_ingest_config: { use_multipart_endpoint: true },
  instance_flags: { dataset_examples_multipart_enabled: true },
}

/** Takes whatever it is told, as LangSmith would, or refuses all of it. */
async function startService({ status = 200 } = {}) {
  const told: Told[] = []
  const server = createServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const key = String(request.headers['x-api-key'] ?? request.headers.authorization ?? '')
    told.push({ what: `${request.method} ${path}`, key, body: await text(request) })
    const isList = request.method === 'GET' && path !== '/info'
    const made = { id: randomUUID(), ...abilities }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isList ? [] : made))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function runWith(env: Record<string, string>) {
  await using place = await temporaryDirectory()
  const question = { question_id: 'orders', question: 'How many?', category: 'sales' }
  await writeFile(join(place.path, 'q.json'), JSON.stringify([question]))
  const server = { DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey }
  return await runProgram(['harbor', 'run', 'q.json', '--quiet'], {
    ...{ env: { ...server, ...env }, cwd: place.path },
  })
}

test('a run is told to LangSmith where the environment says so [D28.1] [D28.2] [D28.4]', async () => {
  await using service = await startService()
  const env = { LANGSMITH_API_KEY: 'lsv2_key', LANGSMITH_ENDPOINT: service.url }
  const off = await runWith(env)
  expect({ off, told: service.told }).toMatchObject({ off: { code: 0 }, told: [] })
  const { code, stderr } = await runWith({ ...env, LANGSMITH_TRACING_V2: 'true' })
  expect(code).toBe(0)
  expect(stderr).toContain('Results also go to LangSmith')
  expect(stderr).toMatch(/LangSmith: 1 sent/)
  const trace = service.told.find(({ what }) => what === 'POST /runs/multipart')
  expect(trace).toMatchObject({ key: 'lsv2_key', body: expect.stringContaining('"orders"') })
  expect(trace?.body).toMatch(/"category":"sales"[\s\S]*"response_time":/)
  const feedback = service.told.filter(({ what }) => what === 'POST /feedback')
  expect(feedback.map(({ body }) => JSON.parse(body).key)).toContain('passed')
})

test('services that refuse their keys are named, and fail no run', async () => {
  await using service = await startService({ status: 401 })
  const langSmith = { LANGSMITH_API_KEY: 'lsv2_key', LANGSMITH_TRACING: 'true' }
  const { code, stdout, stderr } = await runWith({
    ...{ ...langSmith, LANGSMITH_ENDPOINT: service.url, LANGFUSE_BASE_URL: service.url },
    ...{ LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-hush' },
  })
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('100.0 %') })
  expect(stderr).toMatch(/LangSmith: .* 401[\s\S]*Langfuse: .* 401/)
  expect(stderr).not.toMatch(/lsv2_key|hush/)
})
