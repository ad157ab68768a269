import { type AnyEvent, parseEvent } from '@dataagent/schema'
import type { Benchmark } from './harness.ts'

/** Rebuilding a tool result from its log row, against the JSON parser alone. */
export const benchmark: Benchmark = {
  description: 'parseEvent on a tool result of a growing size, against JSON.parse alone',
  sizes: [10, 100, 1_000, 10_000],
  prepare({ size }) {
    const json = JSON.stringify(toolResult(size))
    return {
      subjects: [
        { name: 'JSON.parse', run: (count) => repeat(count, () => JSON.parse(json)) },
        {
          name: 'parseEvent',
          baseline: 'JSON.parse',
          run: (count) => repeat(count, () => parseEvent(JSON.parse(json))),
        },
      ],
    }
  },
}

/** A tool result with `size` rows. */
function toolResult(size: number): AnyEvent {
  const rows = Array.from({ length: size }, (_, i) => ({ order_id: `o-${i}`, amount: i * 1.5 }))
  return parseEvent({
    event_type: 'tool_result',
    timestamp: 1_800_000_000_000,
    tool_call_id: 'call-1',
    result: rows,
    status: 'success',
  })
}

function repeat(count: number, work: () => unknown): void {
  for (let i = 0; i < count; i++) work()
}
