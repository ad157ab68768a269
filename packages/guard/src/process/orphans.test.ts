import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { findByCommand, isAlive } from './test-processes.ts'
import { testedModes } from './test-sandbox-modes.ts'

const hostFile = fileURLToPath(new URL('./test-orphan-host.ts', import.meta.url))
const kills = longCount(10, 100)
const together = 2
const withinMs = 10_000

describe.each(await testedModes())('host killed with -9, sandbox %s', (mode) => {
  test(`leaves no descendant, once all are up: ${kills / 2} kills`, {
    timeout: 600_000,
  }, async () => {
    const aftermaths = await repeat(kills / 2, () =>
      killHost(mode, async (host) => {
        await host.says('up')
        expect(host.family().length).toBeGreaterThanOrEqual(10)
      }),
    )
    expectNoneLeft(aftermaths)
  })

  test(`leaves no descendant, in the middle of starting: ${kills / 2} kills [F19]`, {
    timeout: 600_000,
  }, async () => {
    const aftermaths = await repeat(kills / 2, () =>
      killHost(mode, async (host) => {
        await host.says('reaper')
        await wait(Math.random() * 300)
      }),
    )
    expectNoneLeft(aftermaths)
  })
})

interface Host {
  says(text: string): Promise<string>
  family(): number[]
}

interface Aftermath {
  /** How many descendants were alive after the reaper had done its work. */
  left: number
  /** How long after the kill one was last seen. */
  lastSeenMs: number
}

/** Starts a host and kills it when `ready`. */
async function killHost(mode: string, ready: (host: Host) => Promise<void>): Promise<Aftermath> {
  const mark = `600.${Math.floor(Math.random() * 1e15)}`
  const child = spawn(process.execPath, ['--conditions=dataagent-source', hostFile, mode, mark], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const family = () => findByCommand(mark).filter((pid) => pid !== child.pid)
  const host = { ...listen(child), family }
  const reaper = Number((await host.says('reaper')).split(' ')[1])
  await ready(host)
  child.kill('SIGKILL')
  const killedAt = performance.now()
  let lastSeenMs = 0
  const isOver = () => {
    if (family().length > 0) lastSeenMs = performance.now() - killedAt
    return !isAlive(reaper)
  }
  await waitFor(isOver, { timeoutMs: 30_000, intervalMs: 20, what: 'the reaper has gone' })
  const left = family()
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return { left: left.length, lastSeenMs }
}

function expectNoneLeft(aftermaths: Aftermath[]): void {
  expect(aftermaths.filter(({ left }) => left > 0)).toEqual([])
  expect(Math.max(...aftermaths.map(({ lastSeenMs }) => lastSeenMs))).toBeLessThan(withinMs)
}

function listen(child: ChildProcess): Pick<Host, 'says'> {
  const lines: string[] = []
  createInterface(child.stdout as Readable).on('line', (line) => lines.push(line))
  return {
    says: (text) =>
      waitFor(() => lines.find((line) => line.startsWith(text)), { timeoutMs: 60_000 }),
  }
}

async function repeat<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < times) {
    const batch = Array.from({ length: Math.min(together, times - results.length) }, run)
    results.push(...(await Promise.all(batch)))
  }
  return results
}
