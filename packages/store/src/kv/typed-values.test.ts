import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { describeKv } from './describe-kv.ts'
import { createTypedValues } from './typed-values.ts'

interface Session {
  group_id: number
  allowed_tools: string[]
}

function parse(stored: unknown): Session {
  if (typeof Object(stored).group_id !== 'number') throw new TypeError('group_id')
  return stored as Session
}

describeKv('typed values', ({ kv, other }) => {
  const session = { group_id: 1, allowed_tools: ['a'] }

  test('are kept as JSON under their prefix and come back as they were', async () => {
    const prefix = `mcp:session:${randomUUID()}:`
    const sessions = createTypedValues({ kv, prefix, parse })
    const elsewhere = createTypedValues({ kv: other, prefix, parse })
    await sessions.set('hmac', session, { ttlMs: 60_000 })
    expect(await kv.get(`${prefix}hmac`)).toBe('{"group_id":1,"allowed_tools":["a"]}')
    expect(await elsewhere.get('hmac')).toEqual(session)
    expect(await elsewhere.setIfAbsent('hmac', session)).toBe(false)
    expect(await elsewhere.take('hmac')).toEqual(session)
    expect(await sessions.take('hmac')).toBeUndefined()
    expect(await sessions.delete('hmac')).toBe(false)
  })

  test('that do not parse are an error without their content', async () => {
    const sessions = createTypedValues({ kv, prefix: 'broken:', parse })
    for (const text of ['{"group_id":"canary"}', 'canary{', 'null']) {
      await kv.set('broken:id', text)
      const error = await sessions.get('id').catch((caught) => caught)
      expect(error).toMatchObject({ code: 'internal' })
      expect(inspect(error, { depth: 9 })).not.toMatch(/canary/)
    }
  })
})
