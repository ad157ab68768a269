import { ensureBinary } from '@dataagent/testkit'
import type { SandboxOptions } from '../sandbox.ts'

type Mode = SandboxOptions['mode']

/** The ways of starting a process that can be tried here: where bubblewrap cannot be had, loudly without it. */
export async function testedModes(): Promise<Mode[]> {
  if (await ensureBinary('bwrap', 'bubblewrap')) return ['off', 'required']
  const message =
    'NOT TESTED: processes in a sandbox; bubblewrap is not here and cannot be installed'
  // biome-ignore lint/style/noProcessEnv: only the tests' own runner says whether a skip is a failure
  if (process.env.CI) throw new Error(message)
  console.warn(message)
  return ['off']
}
