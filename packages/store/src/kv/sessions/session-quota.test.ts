import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createRedisScope, findService, longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { describeSql } from '../../sql/describe-sql.ts'
import { aTenant, aUser } from '../../sql/test-builders.ts'
import { createRedisSessionStore } from './redis-session-store.ts'

const program = fileURLToPath(new URL('./test-creating-process.ts', import.meta.url))
const each = longCount(20, 100)
const max = 7
const timeout = 120_000
const title = `of ${2 * each} sessions created at once by two processes as many as allowed are [D35.4]`

await describeSql('the number of sessions', (subject) => {
  test(title, { timeout }, async () => {
    const { store, url } = subject()
    await store.tenants.create(aTenant({ tenant_id: 'acme' }))
    await store.users.create(aUser({ tenant_id: 'acme', user_id: 'ana' }))
    await using pair = await startPair({ url })
    for (const user_id of ['ana', 'nobody']) {
      expect(await pair.create(user_id)).toBe(max)
      expect(await store.sessions.countByUser('acme', user_id)).toBe(max)
    }
  })
})

test.skipIf(!(await findService('redis')))(`on Redis, ${title}`, { timeout }, async () => {
  await using scope = await createRedisScope()
  await using pair = await startPair(scope)
  expect(await pair.create('ana')).toBe(max)
  await using stores = createRedisSessionStore(scope)
  expect(await stores.sessions.countByUser('acme', 'ana')).toBe(max)
})

async function startPair({ url, prefix = '' }: { url: string; prefix?: string }) {
  const args = ['--conditions=dataagent-source', program, url, prefix, `${each}`, `${max}`]
  const pair = [startProcess(args), startProcess(args)]
  for (const { next } of pair) expect(await next()).toBe('ready')
  return {
    /** How many sessions of that user the two could create together. */
    async create(user_id: string): Promise<number> {
      const counts = pair.map(({ child, next }) => {
        child.stdin.write(`${user_id}\n`)
        return next()
      })
      return (await Promise.all(counts)).reduce((sum, count) => sum + Number(count), 0)
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of pair) child.stdin.end()
      await Promise.all(pair.map(({ exited }) => exited))
    },
  }
}

function startProcess(args: readonly string[]) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value
  return { child, next, exited: once(child, 'exit') }
}
