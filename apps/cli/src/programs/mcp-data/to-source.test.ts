import { describe, expect, test } from 'vitest'
import { parseInvocation } from '../../args/index.ts'
import { toSource } from './to-source.ts'

function read(line: string, env: Record<string, string> = {}) {
  const asked = parseInvocation(['mcp-data', ...line.split(' ').filter(Boolean)])
  if (asked.kind !== 'command') throw new Error(`it is ${asked.kind}`)
  return toSource(asked, { options: asked.options, env, cwd: '/here' })
}

const url = 'mysql://ana:s3cret@db.example.com:3307/shop'

describe('what is served', () => {
  test.for([
    ['--folder sales', { kind: 'files', folder: '/here/sales' }, 'sales'],
    ['--sqlite /data/my-shop.db', { kind: 'sqlite' }, 'my-shop'],
    ['--duckdb a.duckdb --name Lake', { kind: 'duckdb', path: '/here/a.duckdb' }, 'Lake'],
    [`--url ${url}`, { kind: 'mysql' }, 'shop'],
    ['--url postgresql://h/crm', { kind: 'postgres' }, 'crm'],
  ] as const)('%s', ([line, location, name]) => {
    expect(read(line)).toMatchObject({ location, name })
  })

  test('an address comes from the environment too, and its password is then seen by nobody', () => {
    expect(read('', { DATAAGENT_DATA_URL: url })).toMatchObject({ isPasswordSeen: false })
    expect(read(`--url ${url}`)).toMatchObject({ isPasswordSeen: true })
    expect(JSON.stringify(read(`--url ${url}`))).not.toContain('s3cret')
    const said = read('--folder x', { DATAAGENT_DATA_URL: url })
    expect(said).toMatchObject({ location: { kind: 'files' } })
  })

  test.for([
    ['', 'Say what is to be served'],
    ['--folder a --sqlite b', 'Say what is to be served'],
    ['--url http://h/x', 'mysql://user'],
    ['--url nonsense', 'mysql://user'],
  ] as const)('"%s" is refused', ([line, told]) => {
    expect(read(line)).toMatchObject({ en: expect.stringContaining(told) })
  })
})
