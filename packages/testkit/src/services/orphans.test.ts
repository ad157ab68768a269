import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { firstLine } from '../first-line.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { waitFor } from '../wait-for.ts'
import { canStartService } from './find-service.ts'
import { isAnyAlive, processTree } from './processes.ts'

const program = `
import { startMariadb, startPostgres, startRedis } from '@dataagent/testkit'
const servers = [await startMariadb(), await startPostgres(), await startRedis()]
if (process.argv[1] === 'paused') for (const server of servers) await server.pause()
console.log(JSON.stringify(servers.map((server) => server.pid)))
if (process.argv[1] !== 'ends') setInterval(() => {}, 1000)
`

const temporary = await temporaryDirectory()
await chmod(temporary.path, 0o755)
afterAll(() => temporary[Symbol.asyncDispose]())

const kinds = ['mysql', 'postgres', 'redis'] as const
const present = (await Promise.all(kinds.map(canStartService))).every(Boolean)

test.skipIf(!present).for([
  { how: 'killed', signal: 'SIGKILL', mode: 'runs' },
  { how: 'killed while the servers are paused', signal: 'SIGKILL', mode: 'paused' },
  { how: 'done without stopping them', signal: undefined, mode: 'ends' },
] as const)(
  'a process that is $how leaves no server and no directory',
  async ({ signal, mode }) => {
    const child = spawn(
      process.execPath,
      ['--conditions=dataagent-source', '--input-type=module', '-e', program, mode],
      {
        cwd: import.meta.dirname,
        env: { ...process.env, TMPDIR: temporary.path },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const exit = once(child, 'exit')
    const line = await firstLine(child)
    const pids = (JSON.parse(line) as number[]).flatMap(processTree)
    if (signal) {
      expect(pids.length).toBeGreaterThan(5)
      child.kill(signal)
    }
    await exit
    await waitFor(() => !isAnyAlive(pids), { timeoutMs: 15_000, what: 'the servers to end' })
    const left = () => readdir(temporary.path)
    await waitFor(async () => (await left()).every((name) => name.startsWith('dataagent-testkit-')))
  },
)
