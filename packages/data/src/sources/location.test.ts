import { createSecret } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { EngineSource } from '../engines/index.ts'
import { readLocation, toLocationJson } from './location.ts'

const password = 'p@ss "word" é\\'

test.each<[string, EngineSource]>([
  ['a URL', { kind: 'postgres', url: createSecret(`postgres://ana:${password}@db/shop`) }],
  [
    'fields',
    {
      kind: 'mysql',
      host: 'db',
      port: 3307,
      user: 'ana',
      password: createSecret(password),
    } as never,
  ],
  ['a folder', { kind: 'files', folder: '/data/retail' }],
])('%s comes back with its secret', (_, source) => {
  const read = readLocation(toLocationJson(source))
  expect(revealed(read)).toEqual(revealed(source))
})

test('what cannot be read is not repeated', () => {
  const read = () => readLocation('{"kind":"mysql","password":"canary')
  expect(read).toThrow('How the source is reached cannot be read.')
  expect(read).not.toThrow(/canary/)
})

function revealed(source: EngineSource) {
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name, value.reveal?.() ?? value]),
  )
}
