import { describeKv } from '@dataagent/store/kv/describe-kv'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import type { Peers } from './contract.ts'
import { createPeers, type PeersOptions } from './peers.ts'

describeKv('peers', ({ kv, other, clock, elapse }) => {
  async function start(over: PeersOptions['kv'] = kv): Promise<Peers> {
    const peers = createPeers({ kv: over, clock, beatMs: 200, onError: () => {} })
    onTestFinished(() => peers[Symbol.asyncDispose]())
    await peers.start()
    return peers
  }

  test('one is asked and answers, with parts before', async () => {
    const [here, there] = [await start(), await start(other)]
    there.on('sum', ({ numbers }, { tellPart }) => {
      tellPart('adding')
      return (numbers as number[]).reduce((sum, one) => sum + one, 0)
    })
    const parts: unknown[] = []
    const answer = await here.ask(
      there.name,
      { kind: 'sum', numbers: [1, 2, 3] },
      { onPart: (part) => parts.push(part) },
    )
    expect(answer).toEqual({ value: 6 })
    expect(parts).toEqual(['adding'])
  })

  test('what is told to all reaches each, the teller too', async () => {
    const all = [await start(), await start(other), await start()]
    const heard: string[] = []
    for (const peers of all)
      peers.on('news', ({ text }) => void heard.push(`${text} ${peers.name}`))
    await all[0]?.tell({ kind: 'news', text: 'hello' })
    await waitFor(() => heard.length === 3)
    expect(heard.sort()).toEqual(all.map(({ name }) => `hello ${name}`).sort())
  })

  test('one that has gone, throws or does not know the kind gives no answer', async () => {
    const [here, there] = [await start(), await start(other)]
    there.on('fails', () => {
      throw new Error('no')
    })
    expect(await here.ask(there.name, { kind: 'fails' })).toBeUndefined()
    expect(await here.ask(there.name, { kind: 'unknown' })).toBeUndefined()
    const gone = here.ask('0123456789abcdef', { kind: 'sum' })
    await elapse(1_000)
    expect(await gone).toBeUndefined()
  })

  test('one that takes long is waited for, and told when nobody waits any more', async () => {
    const [here, there] = [await start(), await start(other)]
    const finish = Promise.withResolvers<string>()
    let stopped = 0
    there.on('slow', (_message, { signal }) => {
      signal.addEventListener('abort', () => (stopped += 1))
      return finish.promise
    })
    const slow = here.ask(there.name, { kind: 'slow' })
    const leaving = new AbortController()
    const left = here.ask(there.name, { kind: 'slow' }, { signal: leaving.signal })
    await elapse(1_500)
    leaving.abort()
    expect(await left).toBeUndefined()
    await waitFor(() => stopped === 1)
    finish.resolve('done')
    expect(await slow).toEqual({ value: 'done' })
  })

  test('one that is started twice, or again after a failure, hears everything once', async () => {
    let fails = 1
    const peers = createPeers({
      kv: {
        publish: kv.publish,
        subscribe: async (channel, handler) => {
          if (channel === 'mcp:peers' && fails-- > 0) throw new Error('away')
          return kv.subscribe(channel, handler)
        },
      },
      ...{ clock, beatMs: 200, onError: () => {} },
    })
    onTestFinished(() => peers[Symbol.asyncDispose]())
    await expect(peers.start()).rejects.toThrow('away')
    await Promise.all([peers.start(), peers.start()])
    let heard = 0
    peers.on('count', () => {
      heard += 1
      return heard
    })
    const asking = await start(other)
    expect(await asking.ask(peers.name, { kind: 'count' })).toEqual({ value: 1 })
  })

  test('what is no letter is left', async () => {
    const [here, there] = [await start(), await start(other)]
    there.on('sum', () => 1)
    for (const text of ['{}', 'null', '{"kind":"tell"}', '{"kind":"ask","from":"x","ask":1}']) {
      await kv.publish(`mcp:peers:${there.name}`, text)
    }
    expect(await here.ask(there.name, { kind: 'sum' })).toEqual({ value: 1 })
  })
})
