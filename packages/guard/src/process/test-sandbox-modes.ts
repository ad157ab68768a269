import { callingTestFile, ensureBinary, reportSkip } from '@dataagent/testkit'
import type { SandboxOptions } from './sandbox.ts'

type Mode = SandboxOptions['mode']

/**
 * The ways of starting a process that can be tried here: where bubblewrap cannot be had, loudly
 * without it.
 */
export async function testedModes(): Promise<Mode[]> {
  const testFile = callingTestFile()
  if (await ensureBinary('bwrap', 'bubblewrap')) return ['off', 'required']
  reportSkip(testFile, 'bubblewrap is not here and cannot be installed')
  return ['off']
}
