import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { longCount, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createAudit } from './audit.ts'
import type { CallLogRow, CallLogRows } from './contract.ts'

const kills = longCount(2, 200)
const msPerKill = 6_000
const anchorKey = 'a key of sixteen bytes or more'
const program = fileURLToPath(new URL('./test-calling-process.ts', import.meta.url))

await describeSql('the audit', (subject) => {
  test(
    `after ${kills} kill -9 every call that began has one row, and the chains verify [A5.2] [T62]`,
    async () => {
      await using directory = await temporaryDirectory()
      const { url, store } = subject()
      const begun = new Set<string>()
      const ended = new Set<string>()
      const start = () => startCalling(url, directory.path, { begun, ended })
      let next = start()
      for (let kill = 1; kill <= kills; kill += 1) {
        // The next one takes over what this one leaves, and may itself be killed meanwhile.
        const calling = next
        await calling.running()
        if (kill < kills) next = start()
        // Every second one comes to store something.
        if (kill % 2 === 0) await calling.stored()
        await sleep(randomInt(150))
        await calling.kill()
      }
      const options = { rows: store.hub.calls, dir: directory.path, writer: 'last', anchorKey }
      const opened = [createAudit(options), createAudit(options)]
      await Promise.all(opened.map((audit) => audit.flush()))
      await expectOneRowEach(store.hub.calls, { begun, ended })
      for (const tenant_id of ['t0', 't1']) {
        expect(await opened[0]!.verify(tenant_id)).toMatchObject({ ok: true, faults: [] })
      }
      await Promise.all(opened.map((audit) => audit.close()))
      expect(readdirSync(directory.path)).toEqual([])
      expect(ended.size).toBeGreaterThan(kills)
    },
    kills * msPerKill + 30_000,
  )
})

interface Seen {
  begun: Set<string>
  ended: Set<string>
}

function startCalling(url: string, dir: string, { begun, ended }: Seen) {
  const args = ['--conditions=dataagent-source', program, url, dir, anchorKey]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  let count = 0
  let isStored = false
  lines.on('line', (line) => {
    if (line === 'stored') isStored = true
    const [, what, call_id] = /^(begun|ended) ([\w-]{36})$/.exec(line) ?? []
    if (!call_id) return
    count += 1
    if (what === 'begun') begun.add(call_id)
    else ended.add(call_id)
  })
  return {
    running: () => waitFor(() => count > 0, { timeoutMs: 30_000 }),
    stored: () => waitFor(() => isStored, { timeoutMs: 30_000 }),
    async kill() {
      // Its last lines are read, and it is gone: its output closes a little before it is.
      const gone = Promise.all([once(lines, 'close'), once(child, 'exit')])
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function expectOneRowEach(rows: CallLogRows, { begun, ended }: Seen) {
  const found = new Map<string, CallLogRow[]>()
  for await (const row of allRows(rows)) {
    found.set(row.call_id, [...(found.get(row.call_id) ?? []), row])
  }
  for (const call_id of begun) {
    expect(
      found.get(call_id)?.map(({ status }) => status),
      call_id,
    ).toHaveLength(1)
  }
  for (const call_id of ended) expect(found.get(call_id)?.[0]?.status).toBe('ok')
  // A call may have begun, and not come to say so.
  expect([...found.values()].every((rows) => rows.length === 1)).toBe(true)
}

async function* allRows(rows: CallLogRows): AsyncGenerator<CallLogRow> {
  for (const tenant_id of ['t0', 't1']) {
    for (const writer of await rows.writers(tenant_id)) {
      yield* await rows.chain(tenant_id, writer, 0, 1_000_000)
    }
  }
}
