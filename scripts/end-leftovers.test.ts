import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { platform } from 'node:process'
import { expect, test } from 'vitest'
import { endLeftovers } from './end-leftovers.mjs'

test.runIf(platform === 'linux')(
  'what carries the mark and does not end by itself is ended and named, and nothing else is',
  async () => {
    const mark = `MARK=${randomUUID()}`
    const start = (MARK: string, seconds = '600') =>
      spawn('sleep', [seconds], { detached: true, stdio: 'ignore', env: { ...process.env, MARK } })
    const value = mark.slice('MARK='.length)
    const [left, other] = [start(value), start('other')]
    start(value, '0.1')
    await Promise.all([once(left, 'spawn'), once(other, 'spawn')])
    const ended = once(left, 'exit')
    const graceMs = 300
    expect(await endLeftovers(mark, graceMs)).toEqual(['sleep 600'])
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await endLeftovers(mark, graceMs)).toEqual([])
    expect(other.exitCode).toBeNull()
    other.kill()
  },
)
