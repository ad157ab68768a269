import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { findFamily } from './family.ts'
import { killEach, signalGroup } from './signals.ts'

/** The reaper where there is no POSIX shell: same lines in, same end. */
const leaders = new Set<number>()
let tag = ''

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, id = ''] = line.split(' ')
  if (verb === 'tag') tag = id
  if (verb === 'add') leaders.add(Number(id))
  if (verb === 'remove') leaders.delete(Number(id))
}

for (let quiet = 0, round = 0; quiet < 3 && round < 100; round += 1) {
  const family = await findFamily({ leaders, tag })
  for (const leader of leaders) signalGroup(leader, 'SIGKILL')
  killEach(family)
  leaders.clear()
  quiet = family.length === 0 ? quiet + 1 : 0
  await wait(100)
}
