import { flushCompileCache } from 'node:module'
import { openSql } from './open-sql.ts'

/**
 * A process for kill tests: `test-appending-process.ts URL SESSION PREFIX` appends from eight hands
 * without end and prints `seq text` for every append that was acknowledged.
 */
const [url = '', session_id = '', prefix = ''] = process.argv.slice(2)
const store = openSql({ url })
let count = 0

// It does not live to do so at its end; those after it start sooner.
flushCompileCache()

async function appendForEver() {
  for (;;) {
    count += 1
    const json = JSON.stringify({ event_type: 'text', content: `${prefix}-${count}` })
    const { first } = await store.events.append(session_id, [{ kind: 'text', json }])
    process.stdout.write(`${first} ${json}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, appendForEver))
