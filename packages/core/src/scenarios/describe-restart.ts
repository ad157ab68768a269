import type { Decision } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect, of, person, textOf } from '../engine/test-engine.ts'
import type { KilledRun } from './test-kill-scene.ts'
import {
  effectsOf,
  killIn,
  killResumed,
  openPlaces,
  type Place,
  pendingOf,
} from './test-killing.ts'
import { no, yes } from './test-words.ts'

const approvals = { kind: 'inbox' } as const
const timeout = 60_000

/** Processes that die while a person is asked, whoever works on their runs. */
export function describeRestart(maker?: URL): void {
  describe('a process that died while a person was asked', { timeout }, () => {
    let places: Awaited<ReturnType<typeof openPlaces>>
    beforeAll(async () => {
      places = await openPlaces(maker)
    })
    afterAll(() => places[Symbol.asyncDispose]())

    test('approved meanwhile: the tool runs once, and nobody is asked again [D3.4] [F17]', async () => {
      for (const place of places.all) {
        const { decide, resume, effects } = await die(place)
        await decide(yes)
        const events = await resume()
        expect(of(events, 'hitl_request')).toEqual([])
        expect(of(events, 'approval_decided')).toMatchObject([{ decision: yes, via: 'person' }])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        expect((await effects()).send).toBe(1)
      }
    })

    test('two that died once the approval was used: the tool runs once, and nobody is asked again [D3.4] [F17, F18]', async () => {
      for (const place of places.all) {
        const { approval_id, decide, dieAgain, pending, resume, effects } = await die(place)
        await decide(yes)
        for (const _ of ['first', 'second']) {
          expect(await dieAgain({ point: 'call_admitted', time: 1 })).toBe(true)
          const row = await place.engine.sql.hub.approvals.get(person.tenant_id, approval_id)
          expect(row).toMatchObject({ status: 'used', via: 'person' })
          expect(await pending()).toBeUndefined()
          expect((await effects()).send).toBeUndefined()
        }
        const events = await resume()
        expect(of(events, 'hitl_request')).toEqual([])
        expect(of(events, 'approval_decided')).toMatchObject([{ approval_id, decision: yes }])
        expect(of(events, 'tool_result')).toMatchObject([{ outcome: 'ok' }])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        expect((await effects()).send).toBe(1)
      }
    })

    test('rejected meanwhile: the run ends, cancelled [D3.4] [D5.5]', async () => {
      for (const place of places.all) {
        const { decide, resume, effects, say } = await die(place)
        await decide(no)
        const events = await resume()
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
        expect((await effects()).send).toBeUndefined()
        expect(textOf(await say('Bye'))).toBe('Goodbye.')
      }
    })

    test('rejected meanwhile with `tell`: the model reads why and goes on [D3.4]', async () => {
      for (const place of places.all) {
        const { decide, resume, effects } = await die(place)
        await decide({ ...no, on_reject: 'tell' })
        const events = await resume()
        expect(JSON.stringify(of(events, 'tool_result'))).toContain(no.message)
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        expect((await effects()).send).toBeUndefined()
      }
    })

    test('the user says something else: what was asked is withdrawn, and the run is over', async () => {
      for (const place of places.all) {
        const { approval_id, resume, effects, say } = await die(place)
        const events = await say('Bye')
        expect(textOf(events)).toContain('Goodbye.')
        expect(of(events, 'done')).toMatchObject([{ cancelled: false }])
        const approval = await place.engine.hub.approvals.get(person, approval_id)
        expect(approval).toMatchObject({ status: 'decided', via: 'withdrawal' })
        expect(await resume()).toEqual([])
        expect((await effects()).send).toBeUndefined()
      }
    })

    test('its client repeats the message: that is refused, and the run can still go on [D11.3]', async () => {
      for (const place of places.all) {
        const { decide, resume, say } = await die(place)
        expect(await say('Go', 'go')).toMatchObject([
          { event_type: 'error', error_code: 'conflict' },
        ])
        await decide(yes)
        expect((await resume()).at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
      }
    })
  })
}

async function die(place: Place) {
  const { engine, scene } = place
  // Not before it is logged that a person is asked.
  const { session_id } = await killIn(place, {
    approves: 'inbox',
    at: { point: 'run_ended', time: 9 },
  })
  const executor = engine.createExecutor()
  const { approval_id = '' } = (await pendingOf(engine, session_id)) ?? {}
  const context = { principal: person, approvals }
  return {
    approval_id,
    dieAgain: (at: KilledRun['at']) => killResumed(place, session_id, { approves: 'inbox', at }),
    pending: () => pendingOf(engine, session_id),
    decide: (decision: Decision) => engine.hub.approvals.decide(person, approval_id, decision),
    resume: () => collect(executor.resume(session_id, context)),
    say: (input: string, message_id?: string) =>
      collect(executor.execute(input, session_id, { ...context, message_id })),
    effects: () => effectsOf(scene, session_id),
  }
}
