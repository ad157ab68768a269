import { setTimeout as wait } from 'node:timers/promises'
import { stopFamily } from './family.ts'
import { signalEach, signalGroup } from './signals.ts'

/**
 * The reaper where there is no POSIX shell: same lines in, same end. It is run by a bare Node, so
 * it and what it imports use nothing but Node.
 */
const leaders = new Set<number>()
let tag = ''

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

let rest = ''
for await (const text of process.stdin.setEncoding('utf8')) {
  const lines = (rest + text).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) obey(line)
}

for (let quiet = 0, round = 0; quiet < 5 && round < 100; round += 1) {
  const family = await stopFamily({ leaders, tag })
  for (const leader of leaders) signalGroup(leader, 'SIGKILL')
  signalEach(family, 'SIGKILL')
  leaders.clear()
  quiet = family.length === 0 ? quiet + 1 : 0
  await wait(100 * 2 ** Math.max(0, quiet - 1))
}

function obey(line: string): void {
  const [verb, id = ''] = line.split(' ')
  if (verb === 'tag') tag = id
  if (verb === 'add') leaders.add(Number(id))
  if (verb === 'remove') leaders.delete(Number(id))
}
