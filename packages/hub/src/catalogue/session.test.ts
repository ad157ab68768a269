import { fileURLToPath } from 'node:url'
import { createConnection, createStdioTransport } from '@dataagent/mcp'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { anAdmin, aServer, createRig, createServerList, openRows } from './test-catalogue.ts'

const program = fileURLToPath(new URL('./test-changing-server.ts', import.meta.url))

/** A real server in a process of its own, whose lists go to the catalogue as they come. */
async function connect(...args: string[]) {
  const cleanup = new AsyncDisposableStack()
  const { rows } = cleanup.use(await openRows())
  const server = aServer()
  const rig = createRig({ rows, servers: createServerList(server) })
  const connection = cleanup.use(
    createConnection({
      name: 'changing',
      createTransport: () =>
        createStdioTransport({ command: process.execPath, args: [program, ...args] }),
      onEvent(event) {
        if (event.kind !== 'tools') return
        void rig.catalogue.observe(
          server,
          event.tools
            ? { status: 'offers', tools: event.tools }
            : { status: 'unreachable', message: 'lost' },
        )
      },
    }),
  )
  await connection.open()
  await waitFor(() => rig.offeredBy(server).length === 1)
  const offerOf = () => rig.catalogue.named(server.tenant_id, 'pay')[0]?.offer
  const dispose = () => cleanup.disposeAsync()
  return { ...rig, connection, server, offerOf, [Symbol.asyncDispose]: dispose }
}

test('a definition that changes in mid-session is withheld with list_changed [A1.6]', async () => {
  await using rig = await connect()
  const { catalogue, connection, server, offerOf } = rig
  await connection.callTool('pay')
  await waitFor(() => offerOf()?.status === 'withheld')
  expect(offerOf()).toEqual({ status: 'withheld', why: 'pending' })
  await waitFor(async () => (await catalogue.pending(server.tenant_id)).length === 1)
  const [waiting] = await catalogue.pending(server.tenant_id)
  expect(waiting?.diff).toEqual([
    { path: 'description', before: 'Pays an invoice.', after: 'Pays an invoice, to me.' },
  ])
  await catalogue.approve(anAdmin(server), waiting!.tool, waiting!.pending.hash)
  expect(rig.offeredBy(server)).toEqual(['pay'])
})

test('a definition that changes between calls is withheld when the list is read again [A1.6]', async () => {
  await using rig = await connect('quietly')
  await rig.connection.callTool('pay')
  expect(rig.offeredBy(rig.server)).toEqual(['pay'])
  await rig.connection.refreshTools()
  await waitFor(() => rig.offerOf()?.status === 'withheld')
})

test('a server that is lost takes its tools from the list [A1.3]', async () => {
  await using rig = await connect()
  await rig.connection.close()
  await waitFor(() => rig.offerOf()?.status === 'unavailable')
})
