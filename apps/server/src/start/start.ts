import { version } from '../version.ts'
import { readSettings, type StartOptions } from './read-settings.ts'
import { takeJoining } from './succession.ts'
import { createWays } from './ways.ts'

/** The whole program, from its arguments to its end. */
export async function start({ argv, env }: StartOptions): Promise<void> {
  // Nobody may be reading what is meant for people; that is no reason to stop.
  process.stderr.on('error', () => {})
  const joins = takeJoining(env)
  const { given, loaded, reload } = readSettings({ argv, env })
  if (loaded.status === 'help') return print(loaded.text)
  if (loaded.status === 'version') return print(version)
  if (loaded.status === 'invalid') {
    say(loaded.message)
    process.exitCode = 2
    // A worker would stay for its parent.
    if (process.connected) process.exit()
    return
  }
  const ways = createWays({
    ...{ config: loaded.config, env: given },
    tellFailure: (text) => (text === undefined ? undefined : say(text)),
  })
  const { run } = await import('./run.ts')
  await run({ ...loaded, ...ways, say, env: given, joins, reload })
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
