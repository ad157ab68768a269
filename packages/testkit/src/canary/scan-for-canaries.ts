import { AssertionError } from 'node:assert'
import { AppError } from '@dataagent/schema'
import type { Canary } from './canary.ts'
import { toNeedles } from './needles.ts'
import { scanBytes } from './scan-bytes.ts'
import { readSink, type Sink } from './sinks.ts'

/** A secret where none should be. */
export interface CanaryFinding {
  /** The sink's name and the place in it: a file, a row, a path in an object. */
  sink: string
  /** Which secret. */
  canary: string
  /** How it was spelled: `raw`, `base64`, `json-escaped`, `raw in gzip`… */
  form: string
  /** In bytes, within the place. */
  offset: number
}

/** Looks for secrets, in every form they may take, in everything that was written or sent. */
export async function scanForCanaries(
  canaries: (Canary | string)[],
  sinks: Sink[],
): Promise<CanaryFinding[]> {
  if (canaries.length === 0 || sinks.length === 0) {
    throw new AppError('invalid_request', 'A scan needs at least one canary and one sink')
  }
  const needles = canaries.flatMap(toNeedles)
  const findings: CanaryFinding[] = []
  for (const sink of sinks) {
    for (const { name, bytes } of await readSink(sink)) {
      const matches = scanBytes(bytes, needles)
      findings.push(
        ...matches.map(({ label, form, offset }) => ({ sink: name, canary: label, form, offset })),
      )
    }
  }
  return findings
}

/** Throws, with one line for each place, when `scanForCanaries` finds anything. */
export async function expectNoCanary(canaries: (Canary | string)[], sinks: Sink[]): Promise<void> {
  const findings = await scanForCanaries(canaries, sinks)
  if (findings.length === 0) return
  const lines = findings.map(
    ({ sink, canary, form, offset }) => `  ${canary} (${form}) in ${sink} at byte ${offset}`,
  )
  throw new AssertionError({
    message: `Secrets leaked to ${findings.length} places:\n${lines.join('\n')}`,
    stackStartFn: expectNoCanary,
  })
}
