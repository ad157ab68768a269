import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { findByCommand, isAlive } from './testing/processes.ts'
import { testedModes } from './testing/sandbox-modes.ts'

const hostFile = fileURLToPath(new URL('./testing/orphan-host.ts', import.meta.url))
const kills = longCount(10, 100)
const together = 2
const withinMs = 2000

describe.each(await testedModes())('host killed with -9, sandbox %s', (mode) => {
  test(`leaves no descendant, once all are up: ${kills / 2} kills`, {
    timeout: 600_000,
  }, async () => {
    const left = await repeat(kills / 2, () =>
      killHost(mode, async (host) => {
        await host.says('up')
        expect(host.family().length).toBeGreaterThanOrEqual(10)
      }),
    )
    expect(left).toEqual(left.map(() => 0))
  })

  test(`leaves no descendant, in the middle of starting: ${kills / 2} kills`, {
    timeout: 600_000,
  }, async () => {
    const left = await repeat(kills / 2, () =>
      killHost(mode, async (host) => {
        await host.says('reaper')
        await wait(Math.random() * 300)
      }),
    )
    expect(left).toEqual(left.map(() => 0))
  })
})

interface Host {
  says(text: string): Promise<string>
  family(): number[]
}

/** Starts a host, kills it when `ready` and returns how many of its descendants are left when all should have gone. */
async function killHost(mode: string, ready: (host: Host) => Promise<void>): Promise<number> {
  const mark = `600.${Math.floor(Math.random() * 1e15)}`
  const child = spawn(process.execPath, ['--conditions=dataagent-source', hostFile, mode, mark], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const family = () => findByCommand(mark).filter((pid) => pid !== child.pid)
  const host = { ...listen(child), family }
  const reaper = Number((await host.says('reaper')).split(' ')[1])
  await ready(host)
  child.kill('SIGKILL')
  const what = `no process with ${mark}`
  await waitFor(() => family().length === 0, { timeoutMs: withinMs, intervalMs: 20, what }).catch(
    () => {},
  )
  const left = family().length
  await waitFor(() => !isAlive(reaper), { what: 'the reaper has gone' })
  return Math.max(left, family().length)
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
