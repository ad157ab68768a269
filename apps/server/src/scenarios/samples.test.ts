import { readdirSync, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@dataagent/client'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runServer, type ServerProcess } from '../testing/test-server.ts'

const patience = { timeoutMs: 40_000 }
const slow = { timeout: 120_000 }
const key = 'key-of-the-operator-0123456789'
const auto = { DATAAGENT_SAMPLES: 'auto' }

const clientAt = async (server: ServerProcess, apiKey: string) => {
  const baseUrl = await server.url()
  await waitFor(async () => (await fetch(`${baseUrl}/api/v1/ready`)).ok, patience)
  return createClient({ baseUrl, apiKey })
}

/** The samples that are registered, with how they fare. */
async function samplesOf(client: Awaited<ReturnType<typeof clientAt>>): Promise<string[]> {
  const { servers } = await client.servers.list()
  const samples = servers.filter(({ sample }) => sample)
  return samples.map(({ name, status, tool_count }) => `${name} ${status} ${tool_count}`).sort()
}

/** How many processes have this folder in their command line. */
function processesIn(folder: string): number {
  const isThere = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder)
    } catch {
      return false
    }
  }
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isThere(name)).length
}

test(
  'the first start on defaults runs the samples, which move and end with it, and whose deletion lasts',
  slow,
  async () => {
    await using directory = await temporaryDirectory()
    const dataDir = join(directory.path, 'first')
    await using first = runServer({ dataDir, env: auto })
    const shown = await first.shownKey()
    const client = await clientAt(first, shown)
    const running = ['clinic running 9', 'mall running 8']
    await waitFor(async () => `${await samplesOf(client)}` === `${running}`, patience)
    const folders = readdirSync(join(dataDir, 'samples'))
    expect(folders).toEqual(expect.arrayContaining(['clinic', 'mall']))

    const calls = {
      'mall.mall4j.order.get_detail': { orderId: 'order-0012' },
      'clinic.get_user_profile': { user_id: 'U0001' },
    }
    for (const [tool, args] of Object.entries(calls)) {
      expect(await client.tools.call({ tool, args })).toMatchObject({ status: 'ok' })
    }
    await client.servers.delete('mall')

    first.process.kill('SIGKILL')
    await first.ended
    await waitFor(() => processesIn(join(dataDir, 'samples')) === 0, patience)

    const moved = join(directory.path, 'second')
    await rename(dataDir, moved)
    await using second = runServer({ dataDir: moved, env: auto })
    const again = await clientAt(second, shown)
    await waitFor(async () => `${await samplesOf(again)}` === 'clinic running 9', patience)

    second.process.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    await using off = runServer({ dataDir: moved, env: { DATAAGENT_SAMPLES: 'off' } })
    const last = await clientAt(off, shown)
    await waitFor(async () => `${await samplesOf(last)}` === 'clinic stopped 0', patience)
    await waitFor(() => processesIn(join(moved, 'samples')) === 0, patience)
  },
)

test('where keys are configured there are none', slow, async () => {
  await using directory = await temporaryDirectory()
  const env = { ...auto, DATAAGENT_API_KEYS: key, DATAAGENT_LOG_LEVEL: 'debug' }
  await using server = runServer({ dataDir: directory.path, env })
  const client = await clientAt(server, key)
  await waitFor(() => server.stdout().includes('sample servers are as'), patience)
  expect(await samplesOf(client)).toEqual([])
})

test('they are there in any case where the settings say so', slow, async () => {
  await using directory = await temporaryDirectory()
  const env = { DATAAGENT_SAMPLES: 'on', DATAAGENT_API_KEYS: key }
  await using server = runServer({ dataDir: directory.path, env })
  const client = await clientAt(server, key)
  await waitFor(async () => (await samplesOf(client)).length === 2, patience)
})
