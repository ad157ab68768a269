import { describeKv } from '@dataagent/store/kv/describe-kv'
import { createToken } from '@dataagent/store/secrets'
import { expect, test } from 'vitest'
import type { TokenCraft } from '../../ports.ts'
import { createTransactions, type Transaction } from './transaction.ts'

const asked: Transaction = {
  client_id: 'c',
  client_name: 'Dify',
  client_kind: 'dynamic',
  redirect_uri: 'https://dify.example/cb',
  state: 's',
  code_challenge: 'x'.repeat(43),
  resource: undefined,
  scopes: ['mcp:read'],
}

const craft = { createToken } as TokenCraft

describeKv('transactions', ({ kv, other }) => {
  const here = createTransactions({ kv, craft })
  const there = createTransactions({ kv: other, craft })

  test('one that began here is found there, by its own browser alone', async () => {
    const { tx, csrf } = await here.begin(asked, 'browser-1')
    expect(await there.find(tx, 'browser-1')).toEqual({ status: 'ok', open: { tx, csrf, asked } })
    expect(await there.find(tx, 'browser-2')).toEqual({ status: 'foreign' })
    expect(await there.find(tx, undefined)).toEqual({ status: 'foreign' })
    expect(await there.find(`${tx}x`, 'browser-1')).toEqual({ status: 'ended' })
  })

  test('of many answers at once, in several processes, one counts [E2.2]', async () => {
    const { tx } = await here.begin(asked, 'browser-1')
    const tries = Array.from({ length: 20 }, (_, at) => (at % 2 ? here : there).finish(tx))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    expect(await there.find(tx, 'browser-1')).toEqual({ status: 'ended' })
  })

  test('whose key was entered is known there, until another is to be', async () => {
    const { tx } = await here.begin(asked, 'browser-1')
    const holder = { kind: 'group', group_id: 'g', key_id: 'g.1' } as const
    await here.setKeyHolder(tx, holder)
    expect(await there.keyHolder(tx)).toEqual(holder)
    await there.setKeyHolder(tx, undefined)
    expect(await here.keyHolder(tx)).toBeUndefined()
  })
})
