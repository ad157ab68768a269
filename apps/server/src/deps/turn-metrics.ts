import { Counter, Histogram, type Registry } from 'prom-client'

/** A turn that has ended in this process. */
export interface EndedTurn {
  status: 'done' | 'cancelled' | 'error'
  /** From when it was asked for, or picked up. */
  seconds: number
  /** Until the model had said or called something; undefined where it never did. */
  firstSeconds: number | undefined
}

/** From an answer at once to a turn that waits for a person. */
const turnBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900]
const firstBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 40, 60]

/** Counts turns by how they ended. */
export function createTurnMetrics(registers: Registry[]): (turn: EndedTurn) => void {
  const turns = new Counter({
    name: 'dataagent_turns_total',
    help: 'Turns that ended, by status',
    labelNames: ['status'],
    registers,
  })
  const duration = new Histogram({
    name: 'dataagent_turn_duration_seconds',
    help: 'How long turns took from the message on, waits for people included',
    buckets: turnBuckets,
    registers,
  })
  const first = new Histogram({
    name: 'dataagent_turn_first_event_seconds',
    help: 'How long turns took until the model had said or called something',
    buckets: firstBuckets,
    registers,
  })
  return ({ status, seconds, firstSeconds }) => {
    turns.inc({ status })
    duration.observe(seconds)
    if (firstSeconds !== undefined) first.observe(firstSeconds)
  }
}
