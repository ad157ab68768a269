import { once } from 'node:events'
import { hostReaper } from './reaper.ts'
import type { SandboxOptions } from './sandbox.ts'
import { startProcess } from './start-process.ts'

/**
 * A host to be killed: starts children that have children of their own, each command line holding
 * the mark.
 */
const [mode = 'off', mark = '', count = '5'] = process.argv.slice(2)

const nodeChain = `require('node:child_process').spawn('sh', ['-c', 'sleep ${mark}; :'], { stdio: 'inherit' })
console.log('up')`

const commands: [string, string[]][] = [
  [
    'sh',
    ['-c', `trap '' TERM; sleep ${mark} & sh -c 'sleep ${mark}; :' & echo up; wait; sleep ${mark}`],
  ],
  ['sh', ['-c', `setsid sh -c 'sleep ${mark}; :' & setsid -f sleep ${mark}; echo up; wait`]],
  ['sh', ['-c', `env -i setsid sleep ${mark} & echo up; wait`]],
  [process.execPath, ['-e', nodeChain]],
  // Goes on starting such that nothing but their parent tells of.
  [
    'sh',
    [
      '-c',
      `echo up; n=0; while [ $n -lt 300 ]; do env -i setsid sleep ${mark} & n=$((n + 1)); sleep 0.01; done; wait`,
    ],
  ],
]

console.log(`reaper ${hostReaper().pid}`)
for (let i = 0; i < Number(count); i += 1) {
  const [command, args] = commands[i % commands.length] ?? ['true', []]
  const child = await startProcess({
    command,
    args,
    env: { PATH: '/usr/bin:/bin' },
    sandbox: { mode: mode as SandboxOptions['mode'] },
  })
  await once(child.stdout, 'data')
}
console.log('up')
