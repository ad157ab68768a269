import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { answerWorkers, askWorkers, joinMetrics } from './worker-metrics.ts'

const textOf = (worker: number) =>
  `# HELP turns Turns\n# TYPE turns counter\nturns{worker="${worker}"} ${worker}\n\n# HELP cpu CPU\n# TYPE cpu gauge\ncpu{worker="${worker}"} 1\n`

test('texts of several workers become one in which each metric is described once', () => {
  expect(joinMetrics([textOf(1), textOf(2)])).toBe(
    '# HELP turns Turns\n# TYPE turns counter\nturns{worker="1"} 1\nturns{worker="2"} 2\n\n' +
      '# HELP cpu CPU\n# TYPE cpu gauge\ncpu{worker="1"} 1\ncpu{worker="2"} 1\n',
  )
})

test('one worker is asked and tells of all of its server, and of no other server', async () => {
  await using kv = createMemoryKv()
  const at = (place: string, worker: number) => ({ kv, place, text: async () => textOf(worker) })
  const all = [at('here', 1), at('here', 2), at('there', 3)]
  const ends = await Promise.all(all.map(answerWorkers))
  const text = await askWorkers(at('here', 1), { workers: 2, clock: createFakeClock() })
  expect(text.match(/^turns\S+/gm)?.toSorted()).toEqual(['turns{worker="1"}', 'turns{worker="2"}'])
  for (const end of ends) await end()
})

test('a worker that does not answer is not waited for long', async () => {
  await using kv = createMemoryKv()
  const clock = createFakeClock()
  const one = { kv, place: 'here', text: async () => textOf(1) }
  const end = await answerWorkers(one)
  const asked = askWorkers(one, { workers: 2, clock })
  await waitFor(() => clock.pending() > 0)
  clock.advance(1_000)
  expect(await asked).toContain('turns{worker="1"} 1')
  await end()
})
