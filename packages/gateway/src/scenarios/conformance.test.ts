import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../../scripts/conformance.mjs')

/** Of each suite a few; in the long form all of them. */
const few = [
  'tools-call-with-progress',
  'tools-call-elicitation',
  'input-required-result-multi-round',
  'server-stateless',
  'authorization-code-grant',
]
const chosen = few.slice(0, longCount(few.length, 0))

const suites = ['legacy', 'modern'].flatMap((upstream) =>
  ['0.1.16', '2025-11-25', '2026-07-28'].map((suite) => `${upstream}/${suite}`),
)

test('the official suites find nothing wrong, before an upstream of either era [E1.2][E2.3]', {
  timeout: 1_800_000,
}, async () => {
  const args = [script, 'gateway', ...chosen]
  const running = promisify(execFile)(process.execPath, args)
  const { stdout } = await running.catch((error: { stdout: string }) => error)
  const clean = stdout.matchAll(/^(\S+): [1-9]\d* of \d+ scenarios pass.* 0 unexpectedly/gm)
  const names = [...clean].map(([, name]) => name)
  expect(names, stdout).toEqual(['authorization', ...suites])
})
