import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { type Everything, openEverything, type Talk, talkTo, type Way } from './test-everything.ts'

const kills = longCount(2, 20)
/** Promised are 2 s; the rest is for a machine that has other things to do. */
const usableWithinMs = 10_000
/** So that the waits do not grow over many kills. */
const backoff = { firstMs: 250, maxMs: 500 }

/** Checks that a server that is killed and comes back is usable again on the same connection. */
export function describeKillAndReturn(way: Way): void {
  describe(`server-everything over ${way}, killed with -9`, () => {
    test(`is usable again on the same connection, ${kills} times`, {
      timeout: 60_000 + kills * 10_000,
    }, async () => {
      await using server = await openEverything(way)
      await using talk = await talkTo(server, { backoff })
      const times: number[] = []
      for (let kill = 0; kill < kills; kill += 1) times.push(await killAndReturn(server, talk))
      expect(Math.max(...times)).toBeLessThan(usableWithinMs)
      if (longCount(0, 1)) console.log(`${way}: usable after ${times.map(Math.round)} ms`)
    })

    test('has its tools withdrawn, and calls fail at once, until it is back', async () => {
      await using server = await openEverything(way)
      await using talk = await talkTo(server)
      const outcome = await beginLongCall(talk)
      await server.kill()
      if (way !== 'stdio') await talk.call('echo', { message: 'hi' }).catch(() => undefined)
      await waitFor(() => talk.connection.state.status !== 'ready')
      expect(talk.connection.tools).toEqual([])
      await expect(talk.call('echo', { message: 'hi' })).rejects.toMatchObject({
        kind: 'unavailable',
        retryable: true,
        mayHaveRun: false,
      })
      expect(await outcome.error).toMatchObject({ mayHaveRun: true })
      await server.comeBack()
      await waitFor(() => talk.connection.state.status === 'ready', { timeoutMs: 20_000 })
      expect(talk.connection.tools.length).toBeGreaterThan(10)
      const told = talk.events.filter(({ kind }) => kind === 'tools')
      expect(told.slice(0, 2)).toMatchObject([{ tools: expect.any(Array) }, { tools: undefined }])
    })

    test('leaves no process once the connection is closed', async () => {
      await using server = await openEverything(way)
      const talk = await talkTo(server)
      await server.kill()
      await server.comeBack()
      await talk.connection.close()
      await server.kill()
      expect(server.processes()).toEqual([])
    })
  })
}

/** Settles when the server is at work on it; `error` is what it fails with. */
async function beginLongCall({ connection }: Talk): Promise<{ error: Promise<unknown> }> {
  const begun = Promise.withResolvers<void>()
  const args = { duration: 60, steps: 600 }
  const options = { onProgress: () => begun.resolve() }
  const call = connection.callTool('trigger-long-running-operation', args, options)
  const error = call.catch((failure: unknown) => failure)
  await begun.promise
  return { error }
}

/** Kills it, lets it come back, and gives how long after that a call was answered. */
async function killAndReturn(server: Everything, talk: Talk): Promise<number> {
  await server.kill()
  await server.comeBack()
  const begun = performance.now()
  const answer = () => talk.call('echo', { message: 'back' }).catch(() => undefined)
  await waitFor(async () => (await answer()) === 'Echo: back', { timeoutMs: 30_000 })
  return performance.now() - begun
}
