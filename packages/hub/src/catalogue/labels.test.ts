import { toWireName } from '@dataagent/mcp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RegisteredServer } from '../servers/index.ts'
import { toLabels, toServerKey } from './labels.ts'
import { toToolNames } from './name-index.ts'
import { aServer } from './test-catalogue.ts'

const name = fc.constantFrom(
  'a',
  'a.b',
  'a.b.c',
  'b',
  'mcp',
  'dataagent',
  'A',
  'a b',
  'a-b',
  'a--b',
)
const place = fc.record({
  scope: fc.constantFrom('platform', 'tenant', 'ana', 'bo'),
  name,
  alias: fc.option(name, { nil: undefined }),
})

function toServer(given: { scope: string; name: string; alias: string | undefined }, id: number) {
  const isUser = given.scope === 'ana' || given.scope === 'bo'
  return aServer({
    tenant_id: given.scope === 'platform' ? '*' : 't',
    server_id: `s${id}`,
    user_id: isUser ? given.scope : null,
    config: { name: given.name, ...(given.alias && { alias: given.alias }) },
  })
}

const canSee = (user: string) => (server: RegisteredServer) =>
  server.user_id === null || server.user_id === user

test('whatever servers are called, no two tools that a caller can see share a name', () => {
  const tools = ['c', 'b.c', 'x', 'c--x', 'b--c', '工具']
  fc.assert(
    fc.property(fc.array(place, { maxLength: 8 }), (places) => {
      const servers = places.map(toServer)
      const labels = toLabels(servers)
      for (const user of ['ana', 'bo']) {
        const names = servers.filter(canSee(user)).flatMap((server) =>
          tools.map((tool) => {
            const ref = { server_id: server.server_id, name: tool }
            return toToolNames(ref, labels.get(toServerKey(server))!, server)
          }),
        )
        expect(new Set(names.map(({ sdk_name }) => sdk_name)).size).toBe(names.length)
        expect(new Set(names.map(({ wire_name }) => wire_name)).size).toBe(names.length)
        for (const { sdk_name, wire_name } of names) expect(wire_name).toBe(toWireName(sdk_name))
      }
    }),
  )
})

test('servers of one user change no label of another’s', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 8 }), (places) => {
      const servers = places.map(toServer)
      const all = toLabels(servers)
      const seen = toLabels(servers.filter(canSee('ana')))
      for (const [key, label] of seen) expect(all.get(key)).toBe(label)
    }),
  )
})
