import { setImmediate } from 'node:timers/promises'
import { AppError } from '@dataagent/schema'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { ToolRows } from './contract.ts'
import { hashDefinition } from './read-definition.ts'
import { anAdmin, aServer, aTool, createRig, createServerList, openRows } from './test-catalogue.ts'

const store = await openRows()
afterAll(() => store[Symbol.asyncDispose]())

const definitions = [0, 1, 2].map((n) => aTool('pay', { description: `Pays ${n}.` }))
const hashes = definitions.map(hashDefinition)

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('offer'), n: fc.nat({ max: 2 }) }) },
  ...[
    'nothing',
    'lost',
    'approve',
    'approve',
    'reject',
    'reload',
    'break',
    'mend',
    'settle',
    'turn',
  ].map((kind) => fc.record({ kind: fc.constant(kind), n: fc.constant(0) })),
)

/** A store that takes a few turns of the loop, so that much can come in between. */
function slowly(rows: ToolRows): ToolRows {
  const slow = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    for (let turn = 0; turn < 3; turn += 1) await setImmediate()
    return result
  }
  return {
    list: (...args) => slow(rows.list(...args)),
    listHashes: (...args) => slow(rows.listHashes(...args)),
    listVersions: (...args) => slow(rows.listVersions(...args)),
    put: (...args) => slow(rows.put(...args)),
    approve: (...args) => slow(rows.approve(...args)),
  }
}

/** A catalogue whose store can be away, driven step by step without waiting. */
function createRun() {
  const server = aServer()
  let isAway = false
  const rows: ToolRows = {
    ...slowly(store.rows),
    async put(...args) {
      await setImmediate()
      if (isAway) throw new AppError('store_unavailable', 'away')
      return slowly(store.rows).put(...args)
    },
  }
  const rig = createRig({ rows, servers: createServerList(server) })
  const { catalogue } = rig
  const ref = { server_id: server.server_id, name: 'pay' }
  const current = () => catalogue.get(server.tenant_id, ref)
  let underWay: Promise<unknown>[] = []
  let seen: string | undefined
  let last = { kind: 'nothing', n: 0 }
  const wrong: string[] = []
  catalogue.onChange(check)

  async function decide(verb: 'approve' | 'reject') {
    const [waiting] = await catalogue.pending(server.tenant_id)
    if (!waiting) return
    await catalogue[verb](anAdmin(server), ref, waiting.pending.hash)
  }

  function take({ kind, n }: { kind: string; n: number }): Promise<unknown> | undefined {
    if (kind === 'break' || kind === 'mend') isAway = kind === 'break'
    if (kind === 'lost') return catalogue.observe(server, { status: 'unreachable', message: '' })
    if (kind === 'approve' || kind === 'reject') return decide(kind)
    if (kind === 'reload') return catalogue.reload(server.tenant_id)
    if (kind !== 'offer' && kind !== 'nothing') return undefined
    last = { kind, n }
    seen = kind === 'offer' ? hashes[n] : undefined
    return rig.offer(server, ...(kind === 'offer' ? [definitions[n]] : []))
  }

  function check() {
    const entry = current()
    if (entry?.offer.status !== 'offered') return
    const { hash, definition } = entry.tool
    const number = hashes.indexOf(hash)
    if (hash !== seen) wrong.push(`${number} is offered, and another was seen`)
    if (definition.description !== definitions[number]?.description) wrong.push(`not ${number}`)
  }

  return {
    async run(steps: readonly { kind: string; n: number }[]) {
      for (const one of steps) {
        const work = take(one)
        check()
        if (work) underWay.push(work.catch(() => {}).then(check))
        if (one.kind === 'turn') await setImmediate()
        if (one.kind === 'settle') await Promise.all(underWay)
        if (one.kind === 'settle') underWay = []
        check()
      }
      isAway = false
      await Promise.all(underWay)
      await take(last)
      expect(wrong).toEqual([])
      const [row] = await store.rows.list(server.tenant_id)
      const tool = current()?.tool
      expect(row && [row.state, row.version, row.hash]).toEqual(
        tool && [tool.state, tool.version, tool.hash],
      )
      return tool
    },
  }
}

const runs = longCount(150, 3_000)

test(`whatever comes when, in ${runs} runs, a tool is offered only as it was last seen [T10] [F12]`, {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
      await createRun().run(steps)
    }),
    { numRuns: runs },
  )
})
