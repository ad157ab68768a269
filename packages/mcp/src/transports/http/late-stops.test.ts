import { expect, test } from 'vitest'
import { createLateStops } from './late-stops.ts'

test('requests are stopped after the turn in which their callers are told, all of them', async () => {
  const stops = createLateStops()
  let stopped = 0
  const running = {
    stop() {
      stopped += 1
    },
  }
  for (let n = 0; n < 500; n += 1) stops.add(running)
  await Promise.resolve()
  expect(stopped).toBe(0)
  await stops.done()
  expect(stopped).toBe(500)
  stops.add(running)
  await stops.done()
  expect(stopped).toBe(501)
})
