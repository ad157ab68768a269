import { createEgress } from '@dataagent/guard'
import { type Canary, captureOutput, createCanary, expectNoCanary } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Sink, SinkOptions } from './contract.ts'
import { aFailedTrial, aQuestion, aReport, aSet, aTrial, run, tell } from './test-run.ts'
import type { TestService } from './test-service.ts'

export interface SinkCase {
  create(options: SinkOptions): Sink | undefined
  /** One that knows the secret as its key. */
  start(canary: Canary): Promise<TestService>
  toEnv(url: string, canary: Canary): Record<string, string>
}

/** What every sink does, whatever its service. */
export function describeSink(name: string, { create, start, toEnv }: SinkCase): void {
  const limits = { pausesMs: [1, 2] }
  const short = { beginMs: 200, finishMs: 400 }

  describe(`${name} as a sink`, () => {
    test('a run is told whole, without anything the service would refuse', async () => {
      const canary = createCanary()
      await using service = await start(canary)
      const env = toEnv(service.url, canary)
      const summary = await tell(create, { env }, { trials: [aTrial(), aFailedTrial] })
      expect(service.problems).toEqual([])
      expect(summary).toMatchObject({ name, sent: 2, dropped: 0, failed: 0, warnings: [] })
    })

    test.each([
      ['refuses the key', 401],
      ['has a fault', 500],
    ])('a service that %s is one warning, and the run goes on', async (_, status) => {
      const canary = createCanary()
      await using service = await start(canary)
      service.fault = (request) => {
        const { headers } = request
        return { status, body: { detail: `no ${headers.authorization} ${headers['x-api-key']}` } }
      }
      using output = captureOutput()
      const env = toEnv(service.url, canary)
      const trials = [aTrial(), aFailedTrial]
      const summary = await tell(create, { env, limits }, { trials })
      expect(summary).toMatchObject({ sent: 0, failed: 2 })
      expect(summary?.warnings).toHaveLength(1)
      expect(summary?.warnings[0]).toContain(`${status}`)
      await expectNoCanary(
        [canary],
        [
          { name: 'summary', object: summary },
          { name: 'output', text: output.text() },
        ],
      )
      expect(output.text()).toBe('')
    })

    test('after a refused key nothing more is asked', async () => {
      const canary = createCanary()
      await using service = await start(canary)
      service.fault = () => ({ status: 401 })
      const env = toEnv(service.url, canary)
      await tell(create, { env }, { trials: [aTrial(), aFailedTrial] })
      expect(service.requests).toHaveLength(1)
    })

    test('a fault that passes costs nothing', async () => {
      const canary = createCanary()
      await using service = await start(canary)
      let asked = 0
      service.fault = () => {
        asked += 1
        return asked % 2 === 1 ? { status: 503 } : undefined
      }
      const env = toEnv(service.url, canary)
      const summary = await tell(create, { env, limits })
      expect(service.problems).toEqual([])
      expect(summary).toMatchObject({ sent: 1, failed: 0, warnings: [] })
    })

    test('a service that only fails to take traces loses them alone', async () => {
      const canary = createCanary()
      await using service = await start(canary)
      service.fault = ({ path }) => (/\/runs\/|otel/.test(path) ? { status: 500 } : undefined)
      using output = captureOutput()
      const env = toEnv(service.url, canary)
      const summary = await tell(create, { env, limits })
      expect(summary).toMatchObject({ sent: 0, failed: 1 })
      expect(summary?.warnings).toHaveLength(1)
      expect(output.text()).toBe('')
    })

    test('a service that does not answer holds a run no longer than its deadlines', async () => {
      const canary = createCanary()
      await using service = await start(canary)
      service.fault = () => 'hang'
      const env = toEnv(service.url, canary)
      const begun = performance.now()
      const summary = await tell(create, { env, limits: { ...short, requestMs: 60_000 } })
      expect(performance.now() - begun).toBeLessThan(5 * (short.beginMs + short.finishMs))
      expect(summary).toMatchObject({ sent: 0, failed: 1 })
      expect(summary?.warnings).toEqual([expect.stringContaining('not all could be sent')])
    })

    test('a service that is gone is one warning', async () => {
      const canary = createCanary()
      const service = await start(canary)
      await service[Symbol.asyncDispose]()
      const summary = await tell(create, { env: toEnv(service.url, canary), limits })
      expect(summary).toMatchObject({ sent: 0, failed: 1 })
      expect(summary?.warnings).toEqual([expect.stringContaining('refused the connection')])
      await expectNoCanary([canary], [{ name: 'summary', object: summary }])
    })

    test('of trials beyond those that may wait, the oldest are dropped and counted', async () => {
      const canary = createCanary()
      await using service = await start(canary)
      await using egress = createEgress({ policy: { mode: 'any' } })
      const env = toEnv(service.url, canary)
      const sink = create({ env, egress, limits: { waiting: 2 } })
      await sink?.begin(aSet(), run)
      const trials = ['t1', 't2', 't3', 't4', 't5'].map((trial_id) => aTrial({ trial_id }))
      for (const trial of trials) sink?.onTrial(aQuestion(), trial)
      const summary = await sink?.finish(aReport(trials))
      expect(summary).toMatchObject({ sent: 2, dropped: 3, failed: 0 })
      expect(summary?.warnings).toEqual([expect.stringContaining('waited')])
    })
  })
}
