import type { ServerHealth, ServerInfo } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { byAttention, toState } from './server-state.ts'

const info = (change: Partial<ServerInfo>) =>
  ({ name: 'a', status: 'stopped', disabled: false, ...change }) as ServerInfo
const health = (change: Partial<ServerHealth>) => change as ServerHealth

test.each([
  ['running is connected', info({ status: 'running' }), {}, 'connected'],
  ['stopped without a word is idle', info({}), {}, 'idle'],
  ['stopped with one is connecting', info({ status_message: 'It is …' }), {}, 'connecting'],
  [
    'switched off is disabled, whatever else',
    info({ disabled: true, status: 'error' }),
    {},
    'disabled',
  ],
  [
    'an error that is tried again',
    info({ status: 'error' }),
    { health: health({ retry_at: 5 }) },
    'retrying',
  ],
  ['an error that is not', info({ status: 'error' }), { health: health({}) }, 'error'],
  [
    'an address to sign in at',
    info({ status: 'error' }),
    { health: health({ authorization_url: 'x', retry_at: 5 }) },
    'sign_in',
  ],
  ['credentials that are missing', info({}), { credentials: 'needed' as const }, 'credentials'],
  ['definitions that wait', info({ status: 'running' }), { pending: 2 }, 'pending'],
])('%s', (_, server, facts, kind) => {
  expect(toState(server, facts).kind).toBe(kind)
})

test('what needs somebody comes first, then by name', () => {
  const listed = [
    ['z', 'connected'],
    ['b', 'disabled'],
    ['a', 'connected'],
    ['c', 'error'],
    ['d', 'sign_in'],
  ] as const
  const rows = listed.map(([name, kind]) => ({ info: info({ name }), state: { kind } }))
  expect(rows.sort(byAttention).map((row) => row.info.name)).toEqual(['d', 'c', 'a', 'z', 'b'])
})
